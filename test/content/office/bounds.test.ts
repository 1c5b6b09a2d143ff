import { describe, expect, it } from 'vitest'
import { makeDocx, makeXlsx, makeZip, relations } from './make-zip.js'
import { readFile } from './read.js'

/**
 * Bounds on what is made of a file, whatever its bytes: every case here once took minutes or gigabytes from some
 * kilobytes.
 */

const ODF =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'

const makeOpen = (kind: 'text' | 'spreadsheet', body: string): Uint8Array =>
  makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${ODF}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  })

const cellsOf = (count: number, value: string, type = ''): string =>
  `<sheetData>${Array.from({ length: count }, (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"${type}><v>${value}</v></c></row>`).join('')}</sheetData>`

describe('a workbook', () => {
  it('whose cells refer to one long shared string is displayed up to the limit, and reports what is cut', async () => {
    const body = makeXlsx({ S: cellsOf(9000, '0', ' t="s"') }, { strings: `<si><t>${'a'.repeat(1_000_000)}</t></si>` })
    expect(body.length).toBeLessThan(110_000)
    const { fields, warnings } = await readFile(body)
    expect(fields.markdown?.length).toBeGreaterThan(1_000_000)
    expect(fields.markdown?.length).toBeLessThan(10_000_000)
    expect(warnings.join(' ')).toMatch(/“S”, \d+ rows are left out.*“S”, \d+ cells are cut after 32767 characters/)
  })

  it('whose cells refer to one text of line breaks does not create a billion nodes', async () => {
    const strings = `<si><t xml:space="preserve">${'\n'.repeat(30_000)}x</t></si>`
    const { warnings } = await readFile(makeXlsx({ S: cellsOf(9000, '0', ' t="s"') }, { strings }))
    expect(warnings.join(' ')).toMatch(/rows are left out/)
  })

  it('with a cell in each row, each in another column, does not create a table of millions of cells', async () => {
    const column = (at: number): string =>
      `${at >= 26 ? String.fromCharCode(64 + Math.floor(at / 26)) : ''}${String.fromCharCode(65 + (at % 26))}`
    const rows = Array.from(
      { length: 10_000 },
      (_, at) => `<row r="${at + 1}"><c r="${column(at % 200)}${at + 1}"><v>1</v></c></row>`,
    )
    const { warnings } = await readFile(makeXlsx({ S: `<sheetData>${rows.join('')}</sheetData>` }))
    expect(warnings.join(' ')).toMatch(/Of the sheet “S”, 8750 rows are left out/)
  })

  it('with many links that each cover the whole sheet is read in bounded time', async () => {
    const links = '<hyperlink ref="A1:XFD1048576" r:id="h"/>'.repeat(50_000)
    const body = makeXlsx(
      { S: `${cellsOf(10_000, '1')}<hyperlinks>${links}</hyperlinks>` },
      { links: { h: 'https://site.test/a' } },
    )
    expect((await readFile(body)).fields.markdown).toContain('[1](https://site.test/a)')
  })

  it('in OpenDocument format counts rows beyond the limit without placing their cells', async () => {
    const row = `<table:table-row><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row>`
    const body = makeOpen('spreadsheet', `<table:table table:name="T">${row.repeat(120_000)}</table:table>`)
    expect((await readFile(body)).warnings.join(' ')).toMatch(/“T”, 1199\d\d rows and 16184 columns are left out/)
  })
})

describe('a text', () => {
  it('with repeated tables in repeated tables is read in bounded time', async () => {
    const open = '<table:table><table:table-row><table:table-cell table:number-columns-repeated="64">'
    const close = '</table:table-cell></table:table-row></table:table>'
    const { fields } = await readFile(makeOpen('text', `${open.repeat(18)}${close.repeat(18)}<text:p>after</text:p>`))
    expect(fields.markdown).toContain('after')
  })

  it('with repeated cells and rows of long text is not multiplied without bounds', async () => {
    const row = `<table:table-row table:number-rows-repeated="64"><table:table-cell table:number-columns-repeated="64"><text:p>${'a'.repeat(1000)}</text:p></table:table-cell></table:table-row>`
    const { fields } = await readFile(makeOpen('text', `<table:table>${row.repeat(100)}</table:table>`))
    expect(fields.markdown?.length).toBeGreaterThan(100_000)
    expect(fields.markdown?.length).toBeLessThan(2_000_000)
  })

  it('has a warning if a row or cell with text repeats too often, and none if an empty one does', async () => {
    const table = (row: number, text: string, cell = 1): Uint8Array =>
      makeOpen(
        'text',
        `<table:table><table:table-row table:number-rows-repeated="${row}"><table:table-cell table:number-columns-repeated="${cell}"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table><text:p>end</text:p>`,
      )
    const warning = 'Rows or cells of a table that repeat too often are shown fewer times.'
    expect((await readFile(table(64, 'x'))).warnings).toEqual([])
    expect((await readFile(table(100, 'x'))).warnings).toEqual([warning])
    expect((await readFile(table(2, 'x', 100))).warnings).toEqual([warning])
    expect((await readFile(table(100, '', 100))).warnings).toEqual([])
  })

  it('whose links lead to one long URL keeps its text, and loses the last addresses', async () => {
    const address = `https://site.test/${'a'.repeat(100_000)}`
    const link = '<w:p><w:hyperlink r:id="far"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>'
    const { fields, warnings } = await readFile(makeDocx(link.repeat(2000), {}, { far: ['hyperlink', address] }))
    expect(fields.markdown?.length).toBeLessThan(1_048_576)
    expect(fields.markdown?.match(/(?<!\w)x(?!\w)/g)).toHaveLength(2000)
    expect(warnings.join(' ')).toMatch(
      /^199\d elements of the file are without their addresses, as .* 1048576 characters/,
    )
  })

  it('keeps nothing below the node that it is cut at', async () => {
    const body = Buffer.from(`{\\rtf1 ${'word '.repeat(2_600_000)}\\par END\\par}`)
    const { fields, warnings } = await readFile(body, 'application/rtf')
    expect(fields.markdown).not.toContain('END')
    expect(warnings).toEqual(['The file is longer than can be read: its end is missing.'])
  })

  it('in RTF format is read up to the limit of pieces', async () => {
    const body = Buffer.from(`{\\rtf1 ${'x\\plain '.repeat(600_000)}END}`)
    const { fields, warnings } = await readFile(body, 'application/rtf')
    expect(fields.markdown).not.toContain('END')
    expect(warnings).toEqual(['The file is longer than can be read: its end is missing.'])
  })
})

it('a presentation that repeats one large slide is read up to the limit of elements', async () => {
  const slide = `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree>${'<x/>'.repeat(400_000)}</p:spTree></p:cSld></p:sld>`
  const ids = Array.from({ length: 9 }, (_, at) => `<p:sldId id="${at}" r:id="r"/>`).join('')
  const body = makeZip({
    '_rels/.rels': relations({ main: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations({ r: ['slide', 'slides/slide.xml'] }),
    'ppt/slides/slide.xml': slide,
  })
  expect((await readFile(body)).warnings.join(' ')).toMatch(/Of slide 8, 9 the end is missing/)
})
