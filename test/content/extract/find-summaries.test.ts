import { expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findSummaries } from '../../../src/content/extract/selection/related-blocks.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

/** Returns the texts that are kept beside the one given. */
function findBeside(html: string, text: string): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const { blocks } = readBlocks(body, findNeverShown(body))
  const kept = new Set(blocks.filter((block) => block.text === text))
  expect(kept.size).toBe(1)
  return findSummaries(blocks, kept).map((block) => block.text)
}

it.each([
  ['<details><summary>How?</summary><p>By card.</p></details>', ['How?']],
  ['<details><summary><h3>How?</h3><p>Part 1</p></summary>By card.</details>', ['How?', 'Part 1']],
  ['<details><summary>How?</summary><p>Other.</p></details><p>By card.</p>', []],
  ['<details><summary>Menu</summary></details><p>By card.</p>', []],
  ['<details><summary><p>→</p></summary>By card.</details>', []],
  ['<details><summary>Click for summary</summary>By card.</details>', []],
  [
    '<details><summary>Show the steps that a card needs</summary>By card.</details>',
    ['Show the steps that a card needs'],
  ],
  ['<p>How?</p><details><p>By card.</p></details>', []],
])('a summary is kept with the text right below it: %s', (html, found) => {
  expect(findBeside(html, 'By card.')).toEqual(found)
})
