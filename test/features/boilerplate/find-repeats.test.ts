import { describe, expect, it } from 'vitest'
import { digest } from '../../../src/content/digest/digest.js'
import { digestParts } from '../../../src/features/digest-parts.js'
import {
  type LearntBlocks,
  mayDrop,
  type PackedBlocks,
  type PageBlocks,
  unpackBlocks,
} from '../../../src/features/boilerplate/repeated-block.js'
import { digestPlan } from '../../content/digest/plans.js'

const repeated = 'The same words stand at this place on every page of the site, whatever else it says.'
const own = (seed: string): string =>
  `<p>${`${seed} says something of its own, in a sentence that is long enough. `.repeat(5)}</p>`

const read = (main: string, learnt: readonly LearntBlocks[] = []) =>
  digest(
    {
      url: 'http://site.test/docs/a',
      body: new TextEncoder().encode(`<!doctype html><title>t</title><main>${main}</main>`),
      contentType: 'text/html',
    },
    { ...digestPlan({ onlyMainContent: false }), drop: { feature: 'boilerplate', learnt } },
    { parts: digestParts },
  )

const blocksOf = (main: string): PageBlocks => unpackBlocks(read(main).tells as PackedBlocks)

/** Returns the blocks that two pages share, as a crawl would learn them. */
function learn(one: string, two: string): LearntBlocks[] {
  const known = new Set(Array.from(blocksOf(one).hashes, Math.abs))
  const both = [...blocksOf(two).hashes].filter((hash) => known.has(Math.abs(hash)))
  return [{ reason: 'repeats', hashes: Float64Array.from(both) }]
}

/** Returns the second page without the blocks that it shares with the first. */
const without = (make: (own: string) => string) => read(make(own('B')), learn(make(own('A')), make(own('B'))))

describe('a repeated block', () => {
  it('is dropped anywhere if no other block shares its place, with selector, size and reason', () => {
    const made = without(
      (text) => `<h1>Title</h1>${text}<div class="box letters" id="x"><p>${repeated}</p></div>${text}`,
    )
    expect(made.fields.markdown).not.toContain(repeated)
    expect(made.fields.markdown).toContain('B says something')
    expect(made.dropped).toEqual([
      { selector: 'div#x', characters: repeated.length, text: `${repeated.slice(0, 80)}…`, reason: 'repeats' },
    ])
  })

  it('is dropped at the start and end of the content, and not among similar paragraphs', () => {
    const made = without(
      (text) => `<p>${repeated} First.</p>${text}<p>${repeated} Middle.</p>${text}<p>${repeated} Last.</p>`,
    )
    expect(made.fields.markdown).not.toMatch(/First|Last/)
    expect(made.fields.markdown).toContain('Middle.')
  })

  it('is equal despite white space, column numbers and return links, and differs by words, links or images', () => {
    const page = (inner: string): string => `${own('A')}<div class="c">${inner}</div>`
    const same = (one: string, two: string): boolean =>
      learn(page(one), page(two))[0]?.hashes.some((hash) => hash > 0) ?? false
    const isSame = (one: string, two: string): boolean => {
      const [before, after] = [blocksOf(page(one)), blocksOf(page(two))]
      return before.hashes.at(-1) === after.hashes.at(-1)
    }
    expect(same('<i>x</i>', '<i>x</i>')).toBe(true)
    expect(isSame(repeated, `  ${repeated.replace(/ /g, '\n  ')}\n`)).toBe(true)
    expect(isSame(`<a href="/in?from=a">${repeated}</a>`, `<a href="/in?from=b">${repeated}</a>`)).toBe(true)
    expect(isSame(`<a href="/in">${repeated}</a>`, `<a href="/out">${repeated}</a>`)).toBe(false)
    expect(isSame(`<img src="/i?id=1" alt="">${repeated}`, `<img src="/i?id=2" alt="">${repeated}`)).toBe(false)
    expect(isSame(repeated, `${repeated} 3.8`)).toBe(false)
    expect(isSame(repeated, `<p>${repeated}</p>`)).toBe(false)
  })

  it('is dropped without its headings, and kept whole if it contains code or a table', () => {
    const box = (inner: string) => (text: string) => `${text}<section><h2>Of all pages</h2>${inner}</section>`
    const made = without(box(`<p>${repeated}</p><div><h3>More</h3><ul><li>${repeated}</li></ul></div>`))
    expect(made.fields.markdown).toContain('## Of all pages\n\n### More')
    expect(made.fields.markdown).not.toContain(repeated)
    for (const kept of ['<pre>code</pre>', '<p><code>code</code></p>', '<table><tr><td>1</td></tr></table>'])
      expect(without(box(`<p>${repeated}</p>${kept}<p>${repeated}</p>`)).fields.markdown).toContain(repeated)
  })

  it('is kept if it is the only block below a heading of the page', () => {
    const titled = (text: string): string => `${text}<h2>Title ${/>(.)/.exec(text)?.[1]}</h2><p>${repeated}</p>`
    expect(without(titled).fields.markdown).toContain(repeated)
    expect(without((text) => `${titled(text)}<p>${repeated} And more.</p>`).fields.markdown).not.toContain('And more')
  })

  it('is kept if it is most of the page, or if only headings would be left', () => {
    const learnt = learn(`${own('A')}<p>${repeated}</p>`, `${own('B')}<p>${repeated}</p>`)
    expect(read(`<p>Little else.</p><p>${repeated}</p>`, learnt).fields.markdown).toContain(repeated)
    expect(read(`<h1>${repeated} A heading of more words</h1><p>${repeated}</p>`, learnt).fields.markdown).toContain(
      `\n\n${repeated}`,
    )
  })

  it('is known to be kept, without making the document again, if it is short, a heading, or contains code', () => {
    const learntOn = (inner: string): [PageBlocks, LearntBlocks[], string, string | undefined] => {
      const [one, two] = ['A', 'B'].map((seed) => `${inner}${own(seed)}${inner}`)
      const learnt = learn(one ?? '', two ?? '')
      return [
        blocksOf(two ?? ''),
        learnt,
        read(two ?? '').fields.markdown ?? '',
        read(two ?? '', learnt).fields.markdown,
      ]
    }
    for (const kept of ['<p>Module java.base</p>', `<h2>${repeated}</h2>`, `<p>${repeated} <code>a</code></p>`]) {
      const [blocks, learnt, before, after] = learntOn(kept)
      expect(learnt[0]?.hashes.length).toBeGreaterThan(0)
      expect(mayDrop(blocks, learnt)).toBe(false)
      expect(after).toBe(before)
    }
    for (const dropped of [
      `<p>${repeated}</p>`,
      '<p><img src="/a.png"></p>',
      `<div><h2>Title</h2><p>${repeated}</p></div>`,
    ]) {
      const [blocks, learnt, before, after] = learntOn(dropped)
      expect(mayDrop(blocks, learnt)).toBe(true)
      expect(after).not.toBe(before)
    }
  })

  it('may be dropped on a page with more blocks than it describes', () => {
    const [one, two] = ['A', 'B'].map((seed) => `${own(seed)}${'<p>Module</p>'.repeat(400)}`)
    const learnt = learn(one ?? '', two ?? '')
    expect(blocksOf(two ?? '').droppable).toBeUndefined()
    expect(mayDrop(blocksOf(two ?? ''), learnt)).toBe(true)
  })

  it('is found in linear time and described in little space on a page of very many blocks', () => {
    const many = `<div class="a"><p>${repeated}</p></div>`.repeat(40_000)
    const { hashes } = blocksOf(own('A') + many)
    expect(hashes.length).toBeLessThanOrEqual(256)
    const startedAtMs = performance.now()
    read(own('A') + many, [{ reason: 'repeats', hashes: hashes.map((hash) => -Math.abs(hash)) }])
    expect(performance.now() - startedAtMs).toBeLessThan(20_000)
  })
})
