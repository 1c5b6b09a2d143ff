/** The sum that a zip keeps of each entry. @see RFC 1952 section 8 */
function crc32(bytes: Uint8Array): number {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}

const little = (...fields: readonly (readonly [size: number, value: number])[]): Buffer =>
  Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size)
      bytes.writeUIntLE(value, 0, size)
      return bytes
    }),
  )

/** A zip of these files, stored as they are. @see APPNOTE.TXT section 4.3 */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const path = Buffer.from(name)
    const body = typeof text === 'string' ? Buffer.from(text) : text
    const facts = little(
      [2, 20],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, crc32(body)],
      [4, body.length],
      [4, body.length],
      [2, path.length],
    )
    const local = Buffer.concat([little([4, 0x04034b50]), facts, little([2, 0]), path, body])
    directory.push(
      Buffer.concat([
        little([4, 0x02014b50], [2, 20]),
        facts,
        little([2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
        path,
      ]),
    )
    parts.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const count = directory.length
  const end = little([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, list.length], [4, at], [2, 0])
  return new Uint8Array(Buffer.concat([...parts, list, end]))
}

const openXml = (main: string, path: string): Uint8Array =>
  makeZip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/${path}" ContentType="application/${main}.main+xml"/></Types>`,
    [path]: '<x/>',
  })

const openDocument = (type: string): Uint8Array => makeZip({ mimetype: type, 'content.xml': '<x/>' })

const OPEN_XML = 'vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

/** The least zip of each kind of office file, by its media type. */
export const officeZips: Readonly<Record<string, Uint8Array>> = {
  [`application/${OPEN_XML}.wordprocessingml.document`]: openXml(
    `${OPEN_XML}.wordprocessingml.document`,
    'word/document.xml',
  ),
  [`application/${OPEN_XML}.spreadsheetml.sheet`]: openXml(`${OPEN_XML}.spreadsheetml.sheet`, 'xl/workbook.xml'),
  [`application/${OPEN_XML}.presentationml.presentation`]: openXml(
    `${OPEN_XML}.presentationml.presentation`,
    'ppt/presentation.xml',
  ),
  [`${OPEN_DOCUMENT}.text`]: openDocument(`${OPEN_DOCUMENT}.text`),
  [`${OPEN_DOCUMENT}.spreadsheet`]: openDocument(`${OPEN_DOCUMENT}.spreadsheet`),
  [`${OPEN_DOCUMENT}.presentation`]: openDocument(`${OPEN_DOCUMENT}.presentation`),
  'application/epub+zip': makeZip({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '<x/>' }),
}
