import { describe, expect, it } from 'vitest'
import { readFormat, showNumber } from '../../../src/content/office/xlsx/xlsx-values.js'
import { makeOpenDocument } from './office-samples.js'
import { makeXlsx, makeZip } from './make-zip.js'
import { markdownOf, readFile, refusalOf } from './read.js'

describe('the format of a number', () => {
  it.each([
    ['General', '1234.5', '1234.5'],
    ['0.00', '0.30000000000000004', '0.3'],
    ['#,##0.00', '1234567.891', '1234567.891'],
    ['0%', '0.07', '7%'],
    ['0.0%', '0.125', '12.5%'],
    ['"$"#,##0.00', '-1234.5', '-$1234.50'],
    ['#,##0.00\\ [$€-407]', '12', '12.00 €'],
    ['yyyy-mm-dd', '46082', '2026-03-01'],
    ['d.m.yyyy h:mm', '46082.75', '2026-03-01 18:00'],
    ['[$-409]d-mmm-yy;@', '59', '1900-02-28'],
    ['h:mm:ss', '0.5000115740740741', '12:00:01'],
    ['[h]:mm', '1.5', '36:00'],
    ['h:mm AM/PM', '0.25', '06:00'],
    ['yyyy', '-1', '-1'],
    ['yyyy', '99999999', '99999999'],
    ['0.0"x day"', '2', '2x day'],
    // The comma style of European programs: the sign is the width of a space.
    ['_-* #,##0.00\\ _€_-;\\-* #,##0.00\\ _€_-', '1234.5', '1234.5'],
    ['#,##0.## "€"', '12.5', '12.5 €'],
    ['"$"#,##0', '1234.56', '$1234.56'],
    ['_-[$£-809]* #,##0.00_-', '5', '£5.00'],
    ['0', '1234567890123456789', '1234567890123456789'],
    // Text that belongs to the number.
    ['0" km"', '-5.25', '-5.25 km'],
    ['General" pcs"', '3', '3 pcs'],
    ['"a;b"0', '1', 'a;b1'],
    ['0"%"', '7', '7%'],
    ['"$"#,##0" million"', '5', '$5 million'],
    ['0 "EUR/MWh"', '81.5', '81.5 EUR/MWh'],
    ['[$R$-416] #,##0.00', '5', 'R$5.00'],
    ['[$SEK] #,##0', '5', 'SEK 5'],
    ['#,##0.0,,"M"', '1234500', '1.2345M'],
    ['#,##0.0,,', '1234500', '1234500'],
    ['[<1000]0" B";[<1000000]0.0," kB";0.0,," MB"', '2134', '2.134 kB'],
    ['[<1000]0" B";[<1000000]0.0," kB";0.0,," MB"', '12', '12 B'],
    ['0" km";("km "0)', '-5', '-km 5'],
    ['"Yes";;"No"', '0', 'No'],
    ['0;-0;"-"', '0', '0'],
    // Words that say what the minus would say.
    ['0"°N";0"°S"', '-5', '5°S'],
    ['[Green]▲ 0;[Red]▼ 0;-', '-5', '▼ 5'],
    ['0 "CR";-0 "DR"', '-5', '-5 DR'],
    ['0" km";0', '-5', '-5'],
    ['[>=1000]0.0,"K";0" u"', '-5', '-5 u'],
    // Leading zeros and separators of codes.
    ['00000', '2134', '02134'],
    ['000-00-0000', '12345678', '012-34-5678'],
    ['[<=9999999]###-####;(###) ###-####', '5551234567', '(555) 123-4567'],
    ['[<=9999999]###-####;(###) ###-####', '12', '12'],
    ['0#" "##" "##" "##" "##', '123456789', '01 23 45 67 89'],
    ['000-00-0000', '-1.5', '-1.5'],
    // No additions: thousands, fractions, exponents, parentheses of negative numbers.
    ['#\\ ##0', '1234', '1234'],
    ['# ?/?', '1.5', '1.5'],
    ['# ??/16" in"', '1.5', '1.5 in'],
    ['#\\.##0', '1234', '1234'],
    ['[>=100000]##\\,##\\,##0;##,##0', '123456', '123456'],
    ['##\\.###\\.##0\\-0', '123456785', '12.345.678-5'],
    ['0.00E+00', '12', '12'],
    ['#,##0_);(#,##0)', '-1234', '-1234'],
    [';;;', '5', '5'],
    ['[DBNum1][$-804]G/通用格式', '5', '5'],
    ['#,##0 €/kg', '5', '5 €'],
    ['"INV-"0000', '5', 'INV-0005'],
  ])('%j shows %s as %s', (code, value, shown) => {
    expect(showNumber(value, readFormat(code), false)).toBe(shown)
  })

  it('counts days from 1904 where the file says so', async () => {
    expect(showNumber('44620', readFormat('yyyy-mm-dd'), true)).toBe('2026-03-01')
  })
})

describe('a workbook', () => {
  it('has a heading and a table for each sheet that is not hidden', async () => {
    const cell = (place: string, value: string, rest = ''): string => `<c r="${place}" ${rest}><v>${value}</v></c>`
    const body = makeXlsx(
      {
        First: `<sheetData><row r="2">${cell('B2', '0', 't="s"')}${cell('D2', '1', 't="s"')}</row><row r="4"><c r="B4" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>${cell('D4', '46082', 's="1"')}</row><row r="5">${cell('B5', '#DIV/0!', 't="e"')}${cell('D5', '1', 't="b"')}</row><row r="6"><c r="B6"><f>B5+1</f><v>7</v></c>${cell('D6', 'text', 't="str"')}</row></sheetData>`,
        '!Second': `<sheetData><row r="1">${cell('A1', '1')}</row></sheetData>`,
        Third: '<sheetData/>',
      },
      {
        styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
        strings: '<si><t>shared</t><rPh><t>no</t></rPh></si><si><r><t>in </t></r><r><t>parts</t></r></si>',
      },
    )
    expect(await markdownOf(body)).toBe(
      '## First\n\n| shared | in parts |\n| --- | --- |\n| inline | 2026-03-01 |\n| #DIV/0! | TRUE |\n| 7 | text |\n\n## Third',
    )
    expect((await readFile(body)).warnings).toEqual(['Hidden sheet is left out: “Second”.'])
  })

  it('has no text in a cell that refers to no shared text', async () => {
    const sheet = `<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"/><c r="C1" t="s"><v></v></c><c r="D1"><v>7</v></c></row></sheetData>`
    expect(await markdownOf(makeXlsx({ S: sheet }, { strings: '<si><t>first</t></si>' }))).toBe(
      '## S\n\n| first | 7 |\n| --- | --- |',
    )
  })

  it('has the links that formulas make, even if no value of the formula is stored', async () => {
    const cells = [
      '<f>HYPERLINK("https://site.test/a","go")</f><v>went</v>',
      '<f>HYPERLINK("https://site.test/b","go")</f><v/>',
      '<f>hyperlink( "https://site.test/c" )</f>',
      `<f>HYPERLINK("#'S'!A1","inside")</f><v>inside</v>`,
      '<f>IF(1,HYPERLINK("https://site.test/d"))</f><v>no</v>',
    ]
    const rows = cells.map((cell, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="str">${cell}</c></row>`)
    expect((await markdownOf(makeXlsx({ S: `<sheetData>${rows.join('')}</sheetData>` }))).split('\n').slice(2)).toEqual(
      [
        '| [went](https://site.test/a) |',
        '| --- |',
        '| [go](https://site.test/b) |',
        '| [https://site.test/c](https://site.test/c) |',
        '| inside |',
        '| no |',
      ],
    )
    const formula = 'of:=HYPERLINK(&quot;https://site.test/e&quot;;&quot;go&quot;)'
    const ods = makeOpenDocument(
      'spreadsheet',
      `<table:table table:name="S"><table:table-row><table:table-cell table:formula="${formula}" office:value-type="string"><text:p>go</text:p></table:table-cell></table:table-row></table:table>`,
    )
    expect(await markdownOf(ods)).toContain('[go](https://site.test/e)')
  })

  it('has the link of a formula in every cell that shares the formula', async () => {
    const sheet =
      '<sheetData><row r="1"><c r="A1" t="str"><f t="shared" ref="A1:A2" si="0">HYPERLINK("https://site.test/a","go")</f><v>go</v></c></row><row r="2"><c r="A2" t="str"><f t="shared" si="0"/><v>went</v></c></row></sheetData>'
    expect(await markdownOf(makeXlsx({ S: sheet }))).toContain(
      '| [go](https://site.test/a) |\n| --- |\n| [went](https://site.test/a) |',
    )
  })

  it('has a link that covers several cells in each of them', async () => {
    const sheet =
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><v>3</v></c></row><row r="2"><c r="B2"><v>4</v></c><c r="C2"><v>5</v></c></row></sheetData><hyperlinks><hyperlink ref="A1:B9" r:id="h"/><hyperlink ref="C2" r:id="h" location="part"/></hyperlinks>'
    expect(await markdownOf(makeXlsx({ S: sheet }, { links: { h: 'https://site.test/a' } }))).toContain(
      '| [1](https://site.test/a) | [2](https://site.test/a) | 3 |\n| --- | --- | --- |\n|  | [4](https://site.test/a) | [5](https://site.test/a#part) |',
    )
  })

  it('has merged cells', async () => {
    const sheet =
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><v>3</v></c></row><row r="2"><c r="A2"><v>4</v></c><c r="B2"><v>5</v></c></row><row r="3"><c r="B3"><v>6</v></c><c r="C3"><v>7</v></c></row></sheetData><mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="B2:C2"/></mergeCells>'
    expect(await markdownOf(makeXlsx({ S: sheet }))).toContain('| 4 | 5 |  |\n| 4 | 6 | 7 |')
  })

  it('has the columns of the rows below a merged cell of the first row in place', async () => {
    const rows = [
      '<c r="A1"><v>1</v></c><c r="B1"><v>2</v></c>',
      '<c r="B2"><v>3</v></c><c r="C2"><v>4</v></c>',
      '<c r="A3"><v>5</v></c><c r="B3"><v>6</v></c><c r="C3"><v>7</v></c>',
    ].map((cells, at) => `<row r="${at + 1}">${cells}</row>`)
    const sheet = `<sheetData>${rows.join('')}</sheetData><mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>`
    expect(await markdownOf(makeXlsx({ S: sheet }))).toBe(
      '## S\n\n| 1 | 2 |  |\n| --- | --- | --- |\n| 1 | 3 | 4 |\n| 5 | 6 | 7 |',
    )
  })

  it('reports the formulas that have no stored value', async () => {
    const cells =
      '<c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>A1+1</f><v></v></c><c r="C1" t="str"><f>""</f><v></v></c>'
    const warning = 'A cell is empty, because the file has its formula without a value.'
    const xlsx = await readFile(makeXlsx({ S: `<sheetData><row r="1">${cells}</row></sheetData>` }))
    expect(xlsx.warnings).toEqual([warning])
    const ods = makeOpenDocument(
      'spreadsheet',
      '<table:table table:name="S"><table:table-row><table:table-cell office:value-type="float" office:value="1"/><table:table-cell table:formula="of:=[.A1]+1"/></table:table-row></table:table>',
    )
    expect((await readFile(ods)).warnings).toEqual([warning])
  })

  it('with more rows than are displayed reports how many are missing', async () => {
    const rows = Array.from(
      { length: 10_003 },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c></row>`,
    )
    const { warnings } = await readFile(makeXlsx({ Long: `<sheetData>${rows.join('')}</sheetData>` }))
    expect(warnings).toEqual(['Of the sheet “Long”, 3 rows are left out: it is too large.'])
  })
})

it('a workbook with a password is refused as encrypted, and one of the old format by its type', async () => {
  const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
  expect(await refusalOf(old)).toBe('SCRAPE_UNSUPPORTED_FILE_ERROR')
  expect(await refusalOf(Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')]))).toBe(
    'SCRAPE_FILE_ENCRYPTED',
  )
  const manifest =
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
  const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'
  expect(await refusalOf(makeZip({ mimetype, 'META-INF/manifest.xml': manifest, 'content.xml': 'x' }))).toBe(
    'SCRAPE_FILE_ENCRYPTED',
  )
})
