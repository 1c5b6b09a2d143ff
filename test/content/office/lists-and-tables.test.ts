import { describe, expect, it } from 'vitest'
import { makeDocx } from './make-zip.js'
import { makeOpenDocument } from './office-samples.js'
import { markdownOf } from './read.js'

const run = (text: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`

it('items in the built-in styles of deeper lists are nested, and paragraphs that continue an item stay in it', async () => {
  const names = ['List Bullet', 'List Bullet 2', 'List Bullet 3', 'List Continue 2']
  const styles = names.map((name, at) => {
    const numbering = `<w:pPr><w:numPr><w:numId w:val="${at + 1}"/></w:numPr></w:pPr>`
    return `<w:style w:type="paragraph" w:styleId="S${at}"><w:name w:val="${name}"/>${at < 3 ? numbering : ''}</w:style>`
  })
  const level = '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl>'
  const lists = ['1', '2', '3'].map(
    (id) =>
      `<w:abstractNum w:abstractNumId="${id}">${level}</w:abstractNum><w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`,
  )
  const line = (style: number, text: string): string =>
    paragraph(`<w:pPr><w:pStyle w:val="S${style}"/></w:pPr>${run(text)}`)
  const body = [line(0, 'a'), line(1, 'b'), line(3, 'more of b'), line(2, 'c'), line(0, 'd')].join('')
  const parts = {
    styles: `<w:styles>${styles.join('')}</w:styles>`,
    numbering: `<w:numbering>${lists.join('')}</w:numbering>`,
  }
  expect(await markdownOf(makeDocx(body, parts))).toBe('- a\n  - b\n\n    more of b\n\n    - c\n- d')
})

it('a line of code whose keywords are bold is code', async () => {
  const mono = '<w:rFonts w:ascii="Consolas"/>'
  const lines = [
    `${run('if', `${mono}<w:b/>`)}${run(' (x) {', mono)}`,
    `${run('  ')}${run('y()', mono)}`,
    run('}', mono),
  ]
  expect(await markdownOf(makeDocx(lines.map(paragraph).join('')))).toBe('```\nif (x) {\n  y()\n}\n```')
})

describe('a cell of the header row that spans rows below it', () => {
  const cells = '\n\n| a | b |\n| --- | --- |\n| a | c |\n| d | e |'

  it('keeps the columns of these rows in place in Word files', async () => {
    const cell = (text: string, merge = ''): string => `<w:tc><w:tcPr>${merge}</w:tcPr>${paragraph(run(text))}</w:tc>`
    const rows = [
      `<w:trPr><w:tblHeader/></w:trPr>${cell('a', '<w:vMerge w:val="restart"/>')}${cell('b')}`,
      `${cell('', '<w:vMerge/>')}${cell('c')}`,
      `${cell('d')}${cell('e')}`,
    ].map((row) => `<w:tr>${row}</w:tr>`)
    expect(await markdownOf(makeDocx(`${paragraph(run('x'))}<w:tbl>${rows.join('')}</w:tbl>`))).toBe(`x${cells}`)
  })

  it('keeps them in place in OpenDocument files', async () => {
    const cell = (text: string, more = ''): string =>
      `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`
    const row = (...inner: string[]): string => `<table:table-row>${inner.join('')}</table:table-row>`
    const head = row(cell('a', ' table:number-rows-spanned="2"'), cell('b'))
    const table = `<table:table><table:table-header-rows>${head}</table:table-header-rows>${row('<table:covered-table-cell/>', cell('c'))}${row(cell('d'), cell('e'))}</table:table>`
    expect(await markdownOf(makeOpenDocument('text', `<text:p>x</text:p>${table}`))).toBe(`x${cells}`)
  })

  it('keeps them in place in RTF files', async () => {
    const row = (start: string, ...texts: string[]): string =>
      `\\trowd ${start}${texts.map((text) => `\\intbl ${text}\\cell `).join('')}\\row `
    const rows = [
      row('\\trhdr\\clvmgf\\cellx1000\\cellx2000', 'a', 'b'),
      row('\\clvmrg\\cellx1000\\cellx2000', '', 'c'),
      row('\\cellx1000\\cellx2000', 'd', 'e'),
    ]
    const file = Buffer.from(`{\\rtf1 x\\par ${rows.join('')}\\pard }`, 'latin1')
    expect(await markdownOf(file, 'application/rtf')).toBe(`x${cells}`)
  })
})
