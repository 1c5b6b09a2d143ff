import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { keepShownParts } from '../../../src/content/extract/selection/keep-shown-parts.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

/** Returns what is shown of a page of which some texts were chosen, and others are likely; undefined if the choice stays. */
function show(html: string, chosen: readonly string[], likely: readonly string[] = []): string[] | undefined {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const cleared = findNeverShown(body)
  const read = readBlocks(body, cleared)
  const kept = new Set(read.blocks.filter(({ text }) => chosen.includes(text)))
  expect(kept.size).toBe(chosen.length)
  const probabilities = Float64Array.from(read.blocks, ({ text }) => (likely.includes(text) ? 0.4 : 0.1))
  const dropped = keepShownParts({ read, kept, probabilities, cleared })
  return dropped && read.blocks.filter(({ nodes }) => !nodes.some((node) => dropped.has(node))).map(({ text }) => text)
}

const TITLE = 'Reports'
const LONG_TITLE = `Reports of ${'the harbour office and of '.repeat(8)}the port`
const LINKS = '<div><a href="/1">Tides</a></div><div><a href="/2">Ships</a></div>'
const FOOTER = '<footer><p>All rights reserved</p></footer>'

describe('a page of which hardly any text was chosen', () => {
  it.each([
    ['nothing', `<h1>${TITLE}</h1>`, []],
    ['the title', `<h1>${TITLE}</h1>`, [TITLE]],
    ['a long title', `<h1><span>${LONG_TITLE}</span></h1>`, [LONG_TITLE]],
  ])('is kept without its frame if %s was', (_, title, chosen) => {
    expect(show(`${title}${LINKS}${FOOTER}`, chosen)).toEqual([chosen[0] ?? TITLE, 'Tides', 'Ships'])
  })

  it('has what is likely below its title, and not the rest', () => {
    expect(show(`<h1>${TITLE}</h1>${LINKS}${FOOTER}`, [TITLE], ['Ships'])).toEqual([TITLE, 'Ships'])
  })

  it('is left as it was chosen if that is more than a title', () => {
    expect(show(`<h1>${TITLE}</h1><p>By month</p>${LINKS}${FOOTER}`, [TITLE, 'By month'])).toBeUndefined()
  })
})
