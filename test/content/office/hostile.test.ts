import { describe, expect, it } from 'vitest'
import { makeDocx, makeEpub, makePptx, makeXlsx, makeZip } from './make-zip.js'
import { makeOpenDocument } from './office-samples.js'
import { markdownOf, readFile, refusalOf } from './read.js'

const BROKEN = 'SCRAPE_FILE_BROKEN'
const TOO_LARGE = 'SCRAPE_FILE_TOO_COMPLEX'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const ODS = 'application/vnd.oasis.opendocument.spreadsheet'

const word = (xml: string): Uint8Array => makeZip({ 'word/document.xml': xml })

describe('a zip', () => {
  it('that unpacks to a thousand times its size is not read', async () => {
    expect(await refusalOf(word('\0'.repeat(30_000_000)))).toBe(TOO_LARGE)
  })

  it('that states too small a size is counted while it is unpacked', async () => {
    expect(await refusalOf(makeZip({ 'word/document.xml': ' '.repeat(30_000_000) }, { saidBytes: 10 }))).toBe(TOO_LARGE)
  })

  it('that states too large a size allocates no memory for it', async () => {
    const zip = makeZip({ 'word/document.xml': '<w:document/>' }, { saidBytes: 0xfffffffe })
    expect(await refusalOf(zip)).toBe(BROKEN)
  })

  it('with very many entries is not read', async () => {
    const files = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`f${at}`, '']))
    expect(await refusalOf(makeZip(files, { method: 0 }), DOCX)).toBe(TOO_LARGE)
  })

  it('that is encrypted is refused as encrypted', async () => {
    expect(await refusalOf(makeZip({ 'word/document.xml': 'x' }, { flags: 1 }), DOCX)).toBe('SCRAPE_FILE_ENCRYPTED')
  })

  it('that is truncated anywhere is refused as broken', async () => {
    const whole = makeDocx('<w:p><w:r><w:t>text</w:t></w:r></w:p>')
    for (let end = 4; end < whole.length; end += 1)
      expect(await refusalOf(whole.slice(0, end), DOCX), `at ${end}`).toBe(BROKEN)
    expect(await refusalOf(whole)).toBeUndefined()
  })

  it('with one byte changed ends in a document or a listed code', async () => {
    const whole = makeXlsx({ S: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>' })
    for (let at = 0; at < whole.length; at += 5) {
      const changed = whole.slice()
      changed[at] = (changed[at] ?? 0) ^ 0x55
      expect((await refusalOf(changed)) ?? 'SCRAPE_FILE_READ').toMatch(/^SCRAPE_(?:FILE_|UNSUPPORTED_FILE)/)
    }
  })

  it('inside another zip is not opened', async () => {
    expect(await refusalOf(makeZip({ 'inner.docx': makeDocx('<w:p/>') }))).toBe('SCRAPE_UNSUPPORTED_FILE_ERROR')
  })
})

describe('XML', () => {
  it('cannot grow by entities or load anything', async () => {
    const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${laughs}<!ENTITY e SYSTEM "file:///etc/passwd">]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>a &l9; &e; &amp; b</w:t></w:r></w:p></w:body></w:document>`
    const text = await markdownOf(word(xml))
    expect(text.length).toBeLessThan(200)
    expect(text).not.toContain('lollol')
    expect(text).not.toContain('root:')
  })

  it('may be as deep as it likes', async () => {
    const deep = 100_000
    const body = `${'<w:tbl><w:tr><w:tc>'.repeat(deep)}<w:p><w:r><w:t>deep</w:t></w:r></w:p>${'</w:tc></w:tr></w:tbl>'.repeat(deep)}<w:p><w:r><w:t>after</w:t></w:r></w:p>`
    expect(await markdownOf(makeDocx(body))).toContain('after')
    expect(await markdownOf(makeDocx('<w:sdt><w:sdtContent>'.repeat(deep) + '<w:p/>'))).toBe('')
    expect(await markdownOf(makeDocx('<w:ins>'.repeat(deep)))).toBe('')
  })

  it('that is nested too deeply has a warning, as its text may be missing', async () => {
    const cell = (deep: number): string =>
      `${'<w:tbl><w:tr><w:tc>'.repeat(deep)}<w:p><w:r><w:t>deep</w:t></w:r></w:p>${'</w:tc></w:tr></w:tbl>'.repeat(deep)}`
    const warning = 'The file is nested too deeply: parts of it may be missing.'
    expect((await readFile(makeDocx(cell(100)))).warnings).toEqual([])
    expect((await readFile(makeDocx(cell(200)))).warnings).toEqual([warning])
    const list = `${'<text:list><text:list-item>'.repeat(300)}<text:p>deep</text:p>${'</text:list-item></text:list>'.repeat(300)}`
    expect((await readFile(makeOpenDocument('text', list))).warnings).toEqual([warning])
    const group = `${'<p:grpSp>'.repeat(500)}<p:sp/>${'</p:grpSp>'.repeat(500)}`
    expect((await readFile(makePptx([group]))).warnings).toContain(warning)
  })

  it('that is truncated inside of a whole zip has a warning', async () => {
    const cut = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>text`
    const { fields, warnings } = await readFile(word(cut))
    expect(fields.markdown).toBe('text')
    expect(warnings).toEqual(['The file is cut off: content after its last byte may be missing.'])
  })

  it('that is truncated, or has unmatched end tags, is read as far as possible', async () => {
    expect(await markdownOf(makeDocx('</w:x><w:p><w:r><w:t>text</w:nothing></w:r>'))).toBe('text')
  })
})

describe('a document', () => {
  it('with circular references among its parts is read in bounded time', async () => {
    const body = '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
    const footnotes =
      '<w:footnotes><w:footnote w:id="1"><w:p><w:r><w:t>see</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p></w:footnote></w:footnotes>'
    expect(await markdownOf(makeDocx(body, { footnotes }))).toContain('see')
  })

  it('with missing parts is refused as broken, or read without them', async () => {
    expect(await refusalOf(makeZip({ 'x.xml': '' }), DOCX)).toBe(BROKEN)
    expect(await refusalOf(makeZip({ 'word/document.xml': '' }))).toBe(BROKEN)
    expect(await refusalOf(makeZip({ mimetype: 'application/vnd.oasis.opendocument.text' }))).toBe(BROKEN)
    expect(await refusalOf(makeZip({ mimetype: 'application/epub+zip' }))).toBe(BROKEN)
    expect(
      await markdownOf(makeDocx('<w:p><w:hyperlink r:id="none"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>')),
    ).toBe('x')
  })

  it('with fields that never end is read', async () => {
    const begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    expect((await readFile(makeDocx(`<w:p>${begin.repeat(50_000)}</w:p>`))).fields.markdown).toBe('')
  })
})

describe('a sheet', () => {
  it('with repeated cells is displayed up to the limit, and reports how much is missing', async () => {
    const content = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="T"><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
    const { fields, warnings } = await readFile(makeZip({ mimetype: ODS, 'content.xml': content }))
    expect(fields.markdown?.length).toBeLessThan(1_000_000)
    expect(warnings.join(' ')).toMatch(/Of the sheet “T”, \d+ rows and 16184 columns are left out/)
  })

  it('with cells only at its far end is displayed without the empty rows and columns', async () => {
    const sheet =
      '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    expect(await markdownOf(makeXlsx({ S: sheet }))).toContain('1')
  })

  it('with merged cells inside each other is read in bounded time', async () => {
    const cells = Array.from(
      { length: 150 },
      (_, at) =>
        `<row r="${at + 1}">${Array.from({ length: 150 }, (_x, to) => `<c r="${String.fromCharCode(65 + Math.floor(to / 26))}${String.fromCharCode(65 + (to % 26))}${at + 1}"><v>1</v></c>`).join('')}</row>`,
    )
    const merges = Array.from(
      { length: 150 },
      (_, at) => `<mergeCell ref="A${String.fromCharCode(65 + (at % 26))}${at + 1}:ZZ900"/>`,
    )
    const sheet = `<sheetData>${cells.join('')}</sheetData><mergeCells>${merges.join('')}</mergeCells>`
    expect(await refusalOf(makeXlsx({ S: sheet }))).toBeUndefined()
  })
})

it('shapes in deeply nested groups are read in bounded time', async () => {
  const slide = `${'<p:grpSp>'.repeat(5000)}<p:sp><p:txBody><a:p><a:r><a:t>deep</a:t></a:r></a:p></p:txBody></p:sp>`
  expect(await markdownOf(makePptx([slide]))).toContain('## Slide 1')
})

it('chapters that are deeply nested, or link to each other in circles, are read', async () => {
  const book = makeEpub({
    'a.xhtml': `${'<div>'.repeat(20_000)}deep<a href="b.xhtml">b</a>`,
    'b.xhtml': '<a href="a.xhtml#x">a</a>',
  })
  expect(await markdownOf(book)).toContain('deep')
})

describe('RTF', () => {
  const read = (text: string): Promise<string> => markdownOf(Buffer.from(text, 'latin1'), 'application/rtf')

  it('may be as deep as it likes', async () => {
    expect(await read(`{\\rtf1 ${'{'.repeat(200_000)}deep${'}'.repeat(200_000)} after\\par}`)).toBe('deep after')
  })

  it('is read as far as possible if it is truncated', async () => {
    const whole =
      "{\\rtf1{\\fonttbl{\\f0 Arial;}}one\\par\\trowd\\cellx9\\intbl a\\cell\\row\\pard {\\footnote x}\\u233 \\'e9\\bin5 ab"
    for (let end = 6; end <= whole.length; end += 1)
      expect(await refusalOf(Buffer.from(whole.slice(0, end), 'latin1'), 'application/rtf')).toBeUndefined()
  })

  it('takes no longer for missing binary data, and for extremely large numbers', async () => {
    expect(await read('{\\rtf1 a\\bin999999999 b}')).toBe('a')
    expect(
      await read('{\\rtf1 \\trowd\\cellx2147483647\\intbl a\\cell\\row\\uc99999999 b\\u999999999 c\\par}'),
    ).toContain('a')
  })
})
