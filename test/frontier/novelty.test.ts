import { describe, expect, it } from 'vitest'
import { takeFingerprint } from '../../src/text/fingerprint/similarity.js'
import { Novelty, type SeenContent } from '../../src/frontier/duplicates/novelty.js'
import { prose } from './made-up-site.js'

const lines = Array.from({ length: 40 }, (_, nth) => `Item ${nth} ${prose(nth, 10)}`)

/** What pages are seen as, one after another. */
function look(...pages: readonly (readonly [text: string, path?: string])[]): SeenContent[] {
  const novelty = new Novelty()
  return pages.map(([text, path = '/']) => novelty.classify(takeFingerprint(text, `https://example.com${path}`)))
}

describe('a page', () => {
  it('is new when it says something that no page before it said', () => {
    expect(
      look([prose(1, 100)], [prose(2, 100)], [`${prose(1, 100)}\n${prose(3, 60)}`]).map(({ kind }) => kind),
    ).toEqual(['new', 'new', 'new'])
  })

  it('is the same when it has the text of another, and counts how often', () => {
    expect(look(['Please log in'], ['Please  log in'], ['Please log in'])).toEqual([
      { kind: 'new', times: 0, tiny: true },
      { kind: 'same', times: 1, tiny: true },
      { kind: 'same', times: 2, tiny: true },
    ])
  })

  it('is alike when it differs in what its URL says', () => {
    expect(
      look([`Red chairs\n${prose(1, 50)}`, '/red-chairs'], [`Blue chairs\n${prose(1, 50)}`, '/blue-chairs'])[1],
    ).toEqual({ kind: 'alike', times: 1, tiny: false })
  })

  it('is alike when it was found to be nearly the same', () => {
    const novelty = new Novelty()
    expect(novelty.classify(takeFingerprint(prose(1, 50), 'https://example.com/'), 3)).toMatchObject({
      kind: 'alike',
      times: 3,
    })
  })

  it('is rearranged when it only says what others said, in another selection or order', () => {
    const [, selection, reversed] = look(
      [lines.join('\n')],
      [lines.filter((_, nth) => nth % 3 === 0).join('\n')],
      [lines.slice(5, 35).toReversed().join('\n')],
    )
    expect([selection?.kind, reversed?.kind]).toEqual(['rearranged', 'rearranged'])
  })

  it('is not called rearranged when there is too little of it', () => {
    expect(look([lines.join('\n')], [lines.slice(3, 4).join('\n')])[1]?.kind).toBe('new')
  })

  it('is new with new prose in a small vocabulary', () => {
    const kinds = look(...Array.from({ length: 1000 }, (_, page): [string] => [prose(page, 100)])).map(
      ({ kind }) => kind,
    )
    expect(new Set(kinds)).toEqual(new Set(['new']))
  })
})
