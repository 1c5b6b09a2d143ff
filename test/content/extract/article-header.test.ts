import { expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findHeader } from '../../../src/content/extract/selection/article-header.js'
import { parseHtml } from '../parse/pages.js'

/** Finds the header of an article of which only the blocks with a text are kept, and all are as likely as a title may be. */
function headerOf(html: string, keptText: string, probability = 0.02): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const read = readBlocks(body, new Set())
  const kept = new Set(read.blocks.filter(({ text }) => text.includes(keptText)))
  const probabilities = new Float64Array(read.blocks.length).fill(probability)
  return findHeader({ read, probabilities, verdictOf: () => 1, kind: 'article' }, kept).map(({ text }) => text)
}

const PROSE = 'The tide rises and falls twice a day, and every harbour has its own table of it. '.repeat(3)

it('the title of an article is kept above its text', () => {
  expect(headerOf(`<article><h1>Tides</h1><p>${PROSE}</p></article>`, 'The tide')).toEqual(['Tides'])
})

it('the title of an article of short sentences is kept as well', () => {
  expect(headerOf('<article><h1>First release</h1><p>It has a queue.</p></article>', 'It has')).toEqual([
    'First release',
  ])
})

it('a title that is hardly likely is not kept', () => {
  expect(headerOf('<article><h1>First release</h1><p>It has a queue.</p></article>', 'It has', 0.001)).toEqual([])
})
