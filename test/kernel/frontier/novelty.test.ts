import { describe, expect, it } from 'vitest'
import { takeFingerprint } from '../../../src/base/text/fingerprint/similarity.js'
import { Novelty, type SeenContent } from '../../../src/kernel/frontier/duplicates/novelty.js'
import { prose } from './made-up-site.js'

const lines = Array.from({ length: 40 }, (_, nth) => `Item ${nth} ${prose(nth, 10)}`)

/** Classifies pages, one after another. */
function look(...pages: readonly (readonly [text: string, path?: string])[]): SeenContent[] {
  const novelty = new Novelty()
  return pages.map(([text, path = '/']) => novelty.classify(takeFingerprint(text, `https://example.com${path}`)))
}

describe('Novelty', () => {
  it('classifies a page with new content as new', () => {
    expect(
      look([prose(1, 100)], [prose(2, 100)], [`${prose(1, 100)}\n${prose(3, 60)}`]).map(({ kind }) => kind),
    ).toEqual(['new', 'new', 'new'])
  })

  it('classifies a page with the text of another as the same, and counts it', () => {
    expect(look(['Please log in'], ['Please  log in'], ['Please log in'])).toEqual([
      { kind: 'new', times: 0, tiny: true },
      { kind: 'same', times: 1, tiny: true },
      { kind: 'same', times: 2, tiny: true },
    ])
  })

  it('classifies pages that differ only in words of their URL as alike', () => {
    expect(
      look([`Red chairs\n${prose(1, 50)}`, '/red-chairs'], [`Blue chairs\n${prose(1, 50)}`, '/blue-chairs'])[1],
    ).toEqual({ kind: 'alike', times: 1, tiny: false })
  })

  it('classifies a near duplicate as alike', () => {
    const novelty = new Novelty()
    expect(novelty.classify(takeFingerprint(prose(1, 50), 'https://example.com/'), 3)).toMatchObject({
      kind: 'alike',
      times: 3,
    })
  })

  it('classifies another selection or order of known content as rearranged', () => {
    const [, selection, reversed] = look(
      [lines.join('\n')],
      [lines.filter((_, nth) => nth % 3 === 0).join('\n')],
      [lines.slice(5, 35).toReversed().join('\n')],
    )
    expect([selection?.kind, reversed?.kind]).toEqual(['rearranged', 'rearranged'])
  })

  it('does not classify a short page as rearranged', () => {
    expect(look([lines.join('\n')], [lines.slice(3, 4).join('\n')])[1]?.kind).toBe('new')
  })

  it('classifies new prose with a small vocabulary as new', () => {
    const kinds = look(...Array.from({ length: 1000 }, (_, page): [string] => [prose(page, 100)])).map(
      ({ kind }) => kind,
    )
    expect(new Set(kinds)).toEqual(new Set(['new']))
  })
})
