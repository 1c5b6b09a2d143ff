import { describe, expect, it } from 'vitest'
import { findOrphanLeads, findMissingParts, isLineNumbers } from '../../src/extract/selection/repair-selection.js'
import { type Block, type TextBlocks, readBlocks } from '../../src/extract/blocks/read-blocks.js'
import { isNeverShown } from '../../src/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

function readPage(html: string): TextBlocks {
  const [body] = parseHtml(html).$('body')
  if (body === undefined) throw new Error('the page has no body')
  return readBlocks(body, isNeverShown)
}

const textsOf = (blocks: readonly Block[]): string[] => blocks.map(({ text }) => text)
const keepBut = ({ blocks }: TextBlocks, ...texts: string[]): Set<Block> =>
  new Set(blocks.filter(({ text }) => !texts.includes(text)))
const always = (): boolean => true

describe('repairs of a selection', () => {
  it('add the rest of a list that is mostly kept', () => {
    const page = readPage('<ul><li>One pear<li>Two pears<li>Three pears<li>Four pears</ul><p>Five pears')
    expect(textsOf(findMissingParts(page, keepBut(page, 'Two pears', 'Five pears'), always))).toEqual(['Two pears'])
    expect(findMissingParts(page, keepBut(page, 'One pear', 'Two pears'), always)).toEqual([])
  })

  it('remove a heading without text below it', () => {
    const page = readPage(
      '<h1>Fruit</h1><h2>Pears</h2><p>Ripe.</p><h2>Share</h2><p>Post it.</p><h2>Apples</h2><p>Red.</p>',
    )
    expect(textsOf(findOrphanLeads(page, keepBut(page, 'Post it.'), always))).toEqual(['Share'])
    expect(findOrphanLeads(page, keepBut(page), always)).toEqual([])
  })

  it('remove a lead-in whose list is dropped', () => {
    const page = readPage('<p>Ripe pears.</p><p>See also:</p><ul><li>Apples</ul><p>The end.</p>')
    expect(textsOf(findOrphanLeads(page, keepBut(page, 'Apples'), always))).toEqual(['See also:'])
  })

  it('recognize line numbers beside a listing', () => {
    const page = readPage('<table><tr><td><pre>1\n2\n3</pre><td><pre>a = 1\nb = 2\nc = 3</pre></table><pre>4\n5</pre>')
    expect(textsOf(page.blocks.filter((block) => isLineNumbers(block, page.blocks[block.at + 1])))).toEqual(['1 2 3'])
  })
})
