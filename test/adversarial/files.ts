import { deflateSync } from 'node:zlib'
import { makeDocx, makeXlsx, makeZip } from '../content/office/make-zip.js'
import type { HostileDocument } from './documents.js'

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const ods = 'application/vnd.oasis.opendocument.spreadsheet'
const pdf = 'application/pdf'

const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const range = (length: number, make: (at: number) => string): string =>
  Array.from({ length }, (_, at) => make(at)).join('')

/** A PDF file of these objects, the first of which is the catalog. */
function writePdf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = 9
  for (const [at, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    offsets.push(length)
    parts.push(part)
    length += part.byteLength
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n${length}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.byteLength} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ])

/** A file of one page, whose content is object 4; objects from 6 on are the caller's own. */
const onePage = (content: Buffer, ...others: readonly (string | Buffer)[]): Buffer =>
  writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>',
    content,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...others,
  ])

const plainStream = (text: string): Buffer => stream('', Buffer.from(text))
const text = 'BT /F 12 Tf 72 700 Td (A line of text.) Tj ET '

/** A generic region segment that is one bitmap of this size, whose coded data end at once. */
function jbig2(width: number, height: number): Buffer {
  const segment = (number: number, type: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(11)
    head.writeUInt32BE(number, 0)
    head.writeUInt8(type, 4)
    head.writeUInt8(1, 6)
    head.writeUInt32BE(data.byteLength, 7)
    return Buffer.concat([head, data])
  }
  const page = Buffer.alloc(19)
  page.writeUInt32BE(width, 0)
  page.writeUInt32BE(height, 4)
  const region = Buffer.alloc(18 + 8 + 600, 0x5a)
  region.writeUInt32BE(width, 0)
  region.writeUInt32BE(height, 4)
  region.fill(0, 8, 18)
  region.set([3, 255, 253, 255, 2, 254, 254, 254], 18)
  return Buffer.concat([segment(0, 48, page), segment(1, 38, region)])
}

const cells = (count: number, cell: (at: number) => string): string =>
  `<sheetData>${range(count / 100, (row) => `<row r="${row + 1}">${range(100, (column) => cell(row * 100 + column))}</row>`)}</sheetData>`

const odsTable = (rows: string): Buffer =>
  buffer(
    makeZip({
      mimetype: ods,
      'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="a">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`,
    }),
  )

/** Files that become far more than they are, or are walked without an end. */
export const hostileFiles: readonly HostileDocument[] = [
  {
    name: 'a workbook whose cells name one long shared string',
    body: () =>
      buffer(
        makeXlsx(
          { S: cells(12_000, () => '<c t="s"><v>0</v></c>') },
          { strings: `<si><t>${'a long string '.repeat(70_000)}</t></si>` },
        ),
      ),
    type: xlsx,
    inShort: true,
  },
  {
    name: 'a workbook of far cells',
    body: () =>
      buffer(
        makeXlsx({
          S: `<sheetData>${range(1000, (at) => `<row r="${(at + 1) * 1000}"><c r="XFD${(at + 1) * 1000}"><v>1</v></c></row>`)}</sheetData>`,
        }),
      ),
    type: xlsx,
  },
  {
    name: 'a workbook of merged cells',
    body: () =>
      buffer(
        makeXlsx({
          S: `${cells(100, () => '<c><v>1</v></c>')}<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(1000)}</mergeCells>`,
        }),
      ),
    type: xlsx,
  },
  {
    name: 'a workbook of repeated rows',
    body: () =>
      odsTable(
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>a</text:p></table:table-cell></table:table-row>'.repeat(
          50,
        ),
      ),
    type: ods,
  },
  { name: 'a text of nested tables', body: () => buffer(makeDocx('<w:tbl><w:tr><w:tc>'.repeat(100_000))), type: docx },
  {
    name: 'a text of fields',
    body: () => buffer(makeDocx('<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>'.repeat(100_000))),
    type: docx,
  },
  {
    name: 'a zip that unpacks to a thousand times its size',
    body: () => buffer(makeDocx(' '.repeat(30_000_000))),
    type: docx,
  },
  {
    name: 'a PDF file with a stream of 300 MB',
    body: () => onePage(stream('/Filter /FlateDecode', deflateSync(Buffer.alloc(300_000_000, 32)))),
    type: pdf,
  },
  {
    name: 'a PDF file with a stream in a stream',
    body: () =>
      onePage(stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(deflateSync(Buffer.alloc(300_000_000, 32))))),
    type: pdf,
  },
  {
    name: 'a PDF file with a picture of JBIG2 that is far larger than its data',
    body: () =>
      onePage(
        plainStream('q 612 0 0 792 0 0 cm /X Do Q'),
        stream(
          '/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode',
          jbig2(60_000, 60_000),
        ),
      ),
    type: pdf,
    inShort: true,
  },
  {
    name: 'a PDF file with forms that draw each other',
    body: () =>
      onePage(
        plainStream(`${text}/X Do`),
        stream(
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
          Buffer.from('/X Do '.repeat(100)),
        ),
      ),
    type: pdf,
  },
  { name: 'a PDF file of a million lines', body: () => onePage(plainStream(text.repeat(100_000))), type: pdf },
  {
    name: 'a PDF file of nested states',
    body: () => onePage(plainStream(`${'q '.repeat(500_000)}${text}`)),
    type: pdf,
  },
  { name: 'a PDF file of nested arrays', body: () => onePage(plainStream('['.repeat(1_000_000))), type: pdf },
  {
    name: 'a PDF file whose page tree names itself',
    body: () =>
      writePdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>']),
    type: pdf,
  },
  {
    name: 'a PDF file of many pages',
    body: () =>
      writePdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Kids [${'3 0 R '.repeat(50_000)}] /Count 50000 >>`,
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
      ]),
    type: pdf,
  },
]
