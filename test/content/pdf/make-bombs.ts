import { deflateSync } from 'node:zlib'

/** A PDF file of objects in the file's own words; the first is its catalog. @see ISO 32000-1 section 7.5 */
function writeObjects(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer): void => {
    parts.push(part)
    length += part.length
  }
  const places = objects.map((body, index) => {
    const place = length
    add(Buffer.from(`${index + 1} 0 obj\n`))
    add(typeof body === 'string' ? Buffer.from(body, 'latin1') : body)
    add(Buffer.from('\nendobj\n'))
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = length
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`))
  add(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`))
  return Buffer.concat(parts)
}

/** A stream with its description. */
export const streamOf = (description: string, data: Buffer | string): Buffer => {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  return Buffer.concat([
    Buffer.from(`<< ${description} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

const TEXT = 'BT /F0 10 Tf 1 0 0 1 72 700 Tm (The text of the page is here to be read.) Tj ET'

/** A file of one page that draws `drawing`, with further objects from number 6 on. */
export function pageWith(
  drawing: Buffer | string,
  more: readonly (string | Buffer)[] = [],
  resources = '',
  hasText = true,
): Buffer {
  const contents = typeof drawing === 'string' ? streamOf('', `${hasText ? TEXT : ''}\n${drawing}`) : drawing
  return writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F0 5 0 R >> ${resources} >> >>`,
    contents,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
    ...more,
  ])
}

const number32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]

/** A segment of a JBIG2 stream. @see ITU-T T.88 section 7.2 */
const segment = (number: number, type: number, data: readonly number[]): Buffer =>
  Buffer.from([...number32(number), type, 0, 1, ...number32(data.length), ...data])

const [WIDE, HIGH] = [60_000, 60_000]

/** A picture of a few bytes that unpacks to four thousand million dots. */
const jbig2 = (): Buffer =>
  Buffer.concat([
    segment(0, 48, [...number32(WIDE), ...number32(HIGH), ...number32(0), ...number32(0), 0, 0, 0]),
    segment(2, 38, [
      ...number32(WIDE),
      ...number32(HIGH),
      ...number32(0),
      ...number32(0),
      0,
      0,
      3,
      255,
      253,
      255,
      2,
      254,
      254,
      254,
      ...Array.from({ length: 64 }, (_, at) => (at * 91) & 255),
    ]),
  ])

/** A page of such a picture. */
export const pageOfPicture = (hasText: boolean): Buffer =>
  pageWith(
    'q 612 0 0 792 0 0 cm /P Do Q',
    [
      streamOf(
        '/Type /XObject /Subtype /Image /Width 1000 /Height 1000 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode',
        jbig2(),
      ),
    ],
    '/XObject << /P 6 0 R >>',
    hasText,
  )

/** A page whose drawing is 300 MB of white space, packed so many times. */
export function longStream(times: number): Buffer {
  let data: Buffer = Buffer.alloc(300 * 2 ** 20, ' ')
  for (let left = times; left > 0; left--) data = deflateSync(data)
  return pageWith(streamOf(`/Filter [${'/FlateDecode '.repeat(times)}]`, data))
}

const form = (drawing: string, resources: string): Buffer =>
  streamOf(
    `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F0 5 0 R >> /XObject << ${resources} >> >>`,
    drawing,
  )

/** A line of text in a form. */
const lineOf = (text: string, y: number): string => `BT /F0 10 Tf 1 0 0 1 72 ${y} Tm (${text}) Tj ET`

/** Forms that draw each other and themselves so many times, by the ways in which files name forms. */
export const selfDrawing: Readonly<Record<string, Buffer>> = {
  'draws itself': pageWith('/X0 Do', [form(`${lineOf('First', 600)} /X0 Do`, '/X0 6 0 R')], '/XObject << /X0 6 0 R >>'),
  'draws another that draws it': pageWith(
    '/X0 Do',
    [
      form(`${lineOf('First', 600)} ${'/X1 Do '.repeat(40)}`, '/X1 7 0 R'),
      form(`${lineOf('Second', 500)} ${'/X0 Do /X1 Do '.repeat(40)}`, '/X0 6 0 R /X1 7 0 R'),
    ],
    '/XObject << /X0 6 0 R >>',
  ),
  'has the resources of the page': pageWith(
    '/X0 Do',
    [
      streamOf(
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792]',
        `${lineOf('First', 600)} ${'/X0 Do /X1 Do '.repeat(40)}`,
      ),
      streamOf(
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792]',
        `${lineOf('Second', 500)} ${'/X0 Do /X1 Do '.repeat(40)}`,
      ),
    ],
    '/XObject << /X0 6 0 R /X1 7 0 R >>',
  ),
  'has its resources in an object, and is packed': pageWith(
    '/X0 Do',
    [
      streamOf(
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources 8 0 R /Filter /FlateDecode',
        deflateSync(Buffer.from(`${lineOf('First', 600)} ${'/X0 Do /X1 Do '.repeat(40)}`)),
      ),
      streamOf(
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources 8 0 R /Filter /FlateDecode',
        deflateSync(Buffer.from(`${lineOf('Second', 500)} ${'/X0 Do /X1 Do '.repeat(40)}`)),
      ),
      '<< /Font << /F0 5 0 R >> /XObject 9 0 R >>',
      '<< /X0 6 0 R /X1 7 0 R >>',
    ],
    '/XObject << /X0 6 0 R >>',
  ),
}

const tiles = (drawing: string, resources: string): Buffer =>
  streamOf(
    `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << ${resources} >>`,
    drawing,
  )

/** Patterns that are filled with themselves, at once or by a form. */
export const selfFilled: Readonly<Record<string, Buffer>> = {
  itself: pageWith(
    `/Pattern cs /P scn 0 0 99 99 re f ${lineOf('First', 600)}`,
    [tiles('/Pattern cs /P scn 0 0 9 9 re f', '/Pattern << /P 6 0 R >>')],
    '/Pattern << /P 6 0 R >>',
  ),
  'a form that is filled with it': pageWith(
    '/X Do',
    [
      streamOf(
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F0 5 0 R >> /Pattern << /P 7 0 R >> >>',
        `/Pattern cs /P scn 0 0 99 99 re f ${lineOf('First', 600)}`,
      ),
      tiles('/X Do', '/XObject << /X 6 0 R >>'),
    ],
    '/XObject << /X 6 0 R >>',
  ),
}

/** Two forms of which each draws another by the same name, with the resources of both beside each other. */
export const sameNames = (): Buffer =>
  pageWith(
    '/X Do',
    [
      form(`${lineOf('First', 600)} /X Do`, '/X 7 0 R'),
      form(`${lineOf('Second', 500)} /X Do`, '/X 8 0 R'),
      form(lineOf('Third', 400), '/X 6 0 R'),
    ],
    '/XObject << /X 6 0 R >>',
  )

/** A text about patterns, in a stream that is not packed. */
export const wordsOfPatterns = (): Buffer => pageWith(lineOf('7 0 R is no object: /PatternType 1 is text.', 600))

/** Forms each of which draws all of them, itself too. */
export const cyclicForms = (forms: number): Buffer => {
  const all = Array.from({ length: forms }, (_, at) => `/X${at} ${6 + at} 0 R`).join(' ')
  const drawing = Array.from({ length: forms }, (_, at) => `/X${at} Do`).join('\n')
  return pageWith(
    drawing,
    Array.from({ length: forms }, (_, at) =>
      form(
        `0 0 m 10 10 l S ${TEXT.replace('700', String(600 - 12 * at)).replace('The text', `Text ${at}`)}\n${drawing}`,
        all,
      ),
    ),
    `/XObject << ${all} >>`,
  )
}
/** Forms that draw the next one twice. */
export const doublingForms = (forms: number, hasText: boolean): Buffer =>
  pageWith(
    '/X0 Do',
    Array.from({ length: forms }, (_, at) =>
      form(
        at === forms - 1 ? `0 0 m 10 10 l S ${hasText ? TEXT : ''}` : `/X Do /X Do`,
        at === forms - 1 ? '' : `/X ${7 + at} 0 R`,
      ),
    ),
    '/XObject << /X0 6 0 R >>',
  )

/** A tree of pages that is among its own branches. */
export const selfNamedTree = (): Buffer =>
  writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 2 0 R 3 0 R] /Count 100000 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F0 5 0 R >> >> >>',
    streamOf('', TEXT),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
  ])
