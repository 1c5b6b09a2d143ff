import { describe, expect, it } from 'vitest'
import type { Block } from '../../../src/content/extract/blocks/block.js'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { keepListsWhole } from '../../../src/content/extract/selection/whole-lists.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

/** Returns the kept texts of a page, given those that were kept before. */
function keepWhole(html: string, before: readonly string[], isAccepted = true): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const { blocks } = readBlocks(body, findNeverShown(body))
  const kept = new Set<Block>(blocks.filter(({ text }) => before.includes(text)))
  expect(kept.size).toBe(before.length)
  keepListsWhole(blocks, kept, () => isAccepted)
  return blocks.filter((block) => kept.has(block)).map(({ text }) => text)
}

const STEPS = ['Open a window.', 'Change the folder.', 'Unpack it.', 'Build it.']
const list = (items: readonly string[], name = 'ol'): string =>
  `<${name}>${items.map((item) => `<li>${item}</li>`).join('')}</${name}>`

describe('a list of which some items are kept', () => {
  it('is kept whole if it is text, and a quarter of it is kept', () => {
    expect(keepWhole(list(STEPS), ['Change the folder.'])).toEqual(STEPS)
    expect(keepWhole(list(STEPS), STEPS.slice(1))).toEqual(STEPS)
  })

  it('is dropped whole if less of it is kept', () => {
    const many = [...STEPS, 'And then wait until all of the files have been built.']
    expect(keepWhole(list(many), ['Build it.'])).toEqual([])
  })

  it.each([
    ['the markup rules do not accept it', STEPS, false],
    ['it consists of links', STEPS.map((step) => `<a href="/a">${step}</a>`), true],
  ])('needs half of its words to be kept if %s', (_, items, isAccepted) => {
    expect(keepWhole(list(items), ['Change the folder.'], isAccepted)).toEqual([])
    expect(keepWhole(list(items), ['Open a window.', 'Change the folder.'], isAccepted)).toEqual(STEPS)
  })

  it('is judged by its own items, not by those of a list in it', () => {
    const inner = ['A nut', 'A screw', 'A long, thin piece of wire']
    const html = `<ul><li>Parts${list(inner)}<li>Tools<li>Plans</ul>`
    expect(keepWhole(html, ['Parts', 'Tools', 'A nut'])).toEqual(['Parts', 'Tools', 'Plans'])
  })
})

describe('other lists', () => {
  it.each([
    ['whose items have several blocks', '<ul><li><h3>Ada</h3><p>One<li><h3>Bob</h3><p>Two<li><h3>Cy</h3><p>Three</ul>'],
    ['of two items', '<ul><li>One<li>Ada</ul>'],
    ['of terms', '<dl><dt>One<dd>Ada<dt>Two<dd>Bob</dl>'],
    ['that are no lists', '<div><p>One</p><p>Ada</p><p>Bob</p></div>'],
  ])('%s are left as they are', (_, html) => {
    expect(keepWhole(html, ['One'])).toEqual(['One'])
  })

  it('are left dropped, and left kept', () => {
    expect(keepWhole(list(STEPS), [])).toEqual([])
    expect(keepWhole(list(STEPS), STEPS)).toEqual(STEPS)
  })
})
