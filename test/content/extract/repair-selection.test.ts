import { describe, expect, it } from 'vitest'
import {
  findMissingParts,
  findOrphanLeads,
  findSubscriptionBoxes,
  findTablesInText,
  isLineNumbers,
} from '../../../src/content/extract/selection/repair-selection.js'
import { findUnits } from '../../../src/content/extract/blocks/find-units.js'
import type { Block } from '../../../src/content/extract/blocks/block.js'
import { type TextBlocks, readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

function readPage(html: string): TextBlocks {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  return readBlocks(body, findNeverShown(body))
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

  it.each([
    ['in one cell', '<table><tr><td><pre>1\n2\n3</pre><td><pre>a\nb\nc</pre></table><pre>4\n5</pre>', ['1 2 3']],
    [
      'in a row for each line',
      '<table><tr><td>7<td><pre>a</pre><tr><td>8<td><pre>b</pre><tr><td>9<td><pre>c</pre></table>',
      ['7', '8', '9'],
    ],
    ['of one line', '<table><tr><td><pre>1</pre><td><pre>npm test</pre></table>', ['1']],
  ])('recognize line numbers beside a listing, %s', (_, html, numbers) => {
    const { blocks } = readPage(html)
    expect(textsOf(blocks.filter((block) => isLineNumbers(block, blocks)))).toEqual(numbers)
  })

  it.each([
    [
      'years of a table in a listing',
      '<pre><table><tr><td>1.<td>Ada<td>1993<td>Rome<tr><td>2.<td>Bob<td>1994<td>Oslo</table>',
    ],
    [
      'codes that listings explain',
      '<table><tr><td>200<td><pre>All is well</pre><tr><td>404<td><pre>Not found</pre></table>',
    ],
  ])('are not %s', (_, html) => {
    const { blocks } = readPage(html)
    expect(blocks.filter((block) => isLineNumbers(block, blocks))).toEqual([])
  })

  describe('of tables of data', () => {
    const prose = '<p>Every mover in the state was asked for its prices, which we compared with those of last year.</p>'
    const table = (cell: string): string =>
      `<h3>Services</h3><table><tr><th>Service<th>Movers<tr><td>${cell}<td>82<tr><td>Pianos<td>91</table>`
    const findTables = (html: string, probability = 0.3): string[] => {
      const page = readPage(html)
      const units = findUnits(page).map((blocks) => ({ blocks, probability }))
      return textsOf(findTablesInText(page, units, new Set(page.blocks.filter(({ isProse }) => isProse))))
    }

    it('add one between two paragraphs, with its heading', () => {
      expect(findTables(`${prose}${table('Antiques')}${prose}`)).toEqual([
        'Services',
        'Service',
        'Movers',
        'Antiques',
        '82',
        'Pianos',
        '91',
      ])
    })

    it.each([
      ['after the last paragraph', `${prose}${table('Antiques')}`],
      ['in an aside', `${prose}<aside>${table('Antiques')}</aside>${prose}`],
      ['that consists of links', `${prose}${table('<a href="/a">All the antiques of the city</a>')}${prose}`],
      ['without header cells', `${prose}${table('Antiques').replaceAll('<th>', '<td>')}${prose}`],
    ])('do not add one %s', (_, html) => {
      expect(findTables(html)).toEqual([])
    })

    it('do not add one that is most likely not content', () => {
      expect(findTables(`${prose}${table('Antiques')}${prose}`, 0.1)).toEqual([])
    })
  })

  it('remove a box with a field for an e-mail address', () => {
    const form = '<form><p>Join us</p><input type="email"></form>'
    const text = '<p>A pear is ripe when its neck gives way. Then it keeps for a day or two.</p>'
    const page = readPage(`<article>${text.repeat(4)}<div><h3>Letters</h3>${form}</div>${text}</article>`)
    expect(textsOf(findSubscriptionBoxes(page, keepBut(page)))).toEqual(['Letters', 'Join us'])
    expect(textsOf(findSubscriptionBoxes(page, keepBut(page, 'Letters')))).toEqual(['Join us'])
  })

  it('keep the text of a page that is a form', () => {
    const page = readPage('<h1>Letters</h1><form><p>Join us</p><input type="email"></form>')
    expect(findSubscriptionBoxes(page, keepBut(page))).toEqual([])
  })

  it('keep paragraphs around a field that has no element with a little text of its own', () => {
    const text = '<p>A pear is ripe when its neck gives way. Then it keeps for a day or two.</p>'
    const page = readPage(`<article>${text.repeat(5)}<input type="email">${text}</article>`)
    expect(findSubscriptionBoxes(page, keepBut(page))).toEqual([])
  })
})
