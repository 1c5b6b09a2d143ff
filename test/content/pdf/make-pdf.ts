/** A piece of text, placed from the top left corner of a Letter page, in points. */
export interface Piece {
  readonly text: string
  readonly x: number
  readonly y: number
  /** @default 10 */
  readonly size?: number
  /** @default 'Times-Roman' */
  readonly font?: keyof typeof FONTS
  /** Where a link on it leads to. */
  readonly href?: string
}

/** A field of a form, 100 points wide and 14 high, placed by its top left corner. */
export interface Field {
  readonly x: number
  readonly y: number
  /** What is written in it, or whether it is ticked. */
  readonly value: string | boolean
}

export interface PageContent {
  readonly pieces?: readonly Piece[]
  /** Lines that are drawn, from and to. */
  readonly rules?: readonly (readonly [x0: number, y0: number, x1: number, y1: number])[]
  /** More of it, in the file's own words. */
  readonly drawing?: string
  /** What is filled in in the fields of a form. */
  readonly fields?: readonly Field[]
  /** What is written on it with the tool for text of a viewer. */
  readonly writings?: readonly Piece[]
  /** Further entries of the page and of its resources, in the file's own words. */
  readonly entries?: string
  readonly resources?: string
  /** Further annotations, in the file's own words. */
  readonly notes?: readonly string[]
  /** A grey picture over all of the page. */
  readonly hasPicture?: boolean
  /** A picture over all of the page, in 256 shades. */
  readonly picture?: { readonly width: number; readonly height: number; readonly pixels: Uint8Array }
}

export interface FileContent {
  readonly info?: Readonly<Record<string, string>>
  /** Titles of the file's own table of contents, one below the other. */
  readonly outline?: readonly string[]
  /** Layers by their names in `drawing`, and whether they are shown. */
  readonly layers?: Readonly<Record<string, boolean>>
  /** Needs a password that nobody knows. */
  readonly isEncrypted?: boolean
  /** More fonts by their names in `drawing`, in the file's own words. */
  readonly fonts?: Readonly<Record<string, string>>
  /** What is said of the layers beside those that are not shown, in the file's own words. */
  readonly layering?: string
  /** Further objects by their names in the resources of each page: dictionary and data, in the file's own words. */
  readonly forms?: Readonly<Record<string, readonly [dictionary: string, data: string]>>
  /** Fonts are stored for each page again, not once for all. */
  readonly hasOwnFonts?: boolean
}

const FONTS = {
  'Times-Roman': 'F0',
  'Times-Bold': 'F1',
  'Times-Italic': 'F2',
  Courier: 'F3',
  /** Text in it is stored as numbers of glyphs, and nothing says which characters they are. */
  Unmapped: 'F4',
  /** Text in it is stored as numbers of characters, but nothing says so. */
  Unnamed: 'F5',
} as const

const UNMAPPED =
  '<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Unmapped /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 ' +
  '/BaseFont /AAAAAA+Unmapped /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /CIDToGIDMap /Identity ' +
  '/FontDescriptor << /Type /FontDescriptor /FontName /AAAAAA+Unmapped /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 >> >>] >>'

/** A text in a font, as numbers of glyphs in the order of most fonts, or as characters. */
function encode(text: string, font: keyof typeof FONTS): string {
  if (font !== 'Unmapped' && font !== 'Unnamed') return quote(text)
  const first = font === 'Unmapped' ? 29 : 0
  return `<${Array.from(text, (letter) => (letter.charCodeAt(0) - first).toString(16).padStart(4, '0')).join('')}>`
}

const HEIGHT = 792

/** A PDF file, written by hand. @see ISO 32000-1 section 7.5 */
export function makePdf(pages: readonly PageContent[], content: FileContent = {}): Uint8Array {
  const objects: string[] = []
  const add = (body: string): string => `${objects.push(body)} 0 R`
  const catalog = objects.push('')
  const tree = objects.push('')
  const addFonts = () => [
    ...Object.entries(content.fonts ?? {}).map(([key, body]) => `/${key} ${add(body)}`),
    ...Object.entries(FONTS).map(([name, key]) => {
      const font = add(
        name === 'Unmapped' || name === 'Unnamed'
          ? UNMAPPED.replaceAll('Unmapped', name)
          : `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
      )
      return `/${key} ${font}`
    }),
  ]
  const fonts = addFonts()
  const layers = Object.entries(content.layers ?? {}).map(([name, isShown]) => ({
    name,
    isShown,
    group: add(`<< /Type /OCG /Name (${name}) >>`),
  }))
  const groups = layers.map(({ group }) => group).join(' ')
  const off = layers.flatMap(({ isShown, group }) => (isShown ? [] : group)).join(' ')
  const layered =
    layers.length > 0 ? ` /OCProperties << /OCGs [${groups}] /D << /OFF [${off}]${content.layering ?? ''} >> >>` : ''
  const properties = layers.map(({ name, group }) => `/${name} ${group}`).join(' ')
  const dot = { width: 1, height: 1, pixels: Buffer.from('x') }
  const shared = add(imageOf(dot))
  const forms: string[] = []
  const drawings = Object.entries(content.forms ?? {})
    .map(
      ([name, [dictionary, data]]) =>
        `/${name} ${add(stream(`<< ${dictionary} /Resources << /Font << ${fonts.join(' ')} >> >>`, data))}`,
    )
    .join(' ')
  const kids = pages.map((page) => {
    const links = (page.pieces ?? []).flatMap((piece) =>
      piece.href === undefined ? [] : [add(linkOf(piece, piece.href))],
    )
    const fields = (page.fields ?? []).map((field, index) => add(fieldOf(field, index)))
    forms.push(...fields)
    const notes = (page.notes ?? []).map(add)
    const writings = (page.writings ?? []).map((piece) => add(writingOf(piece)))
    const drawing = add(stream('<<', draw(page)))
    const picture = page.picture === undefined ? shared : add(imageOf(page.picture))
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 ${HEIGHT}] ${page.entries ?? ''} /Contents ${drawing} /Annots [${[...links, ...fields, ...writings, ...notes].join(' ')}] ` +
        `/Resources << /Font << ${(content.hasOwnFonts ? addFonts() : fonts).join(' ')} >> /XObject << /P ${picture} ${drawings} >> /Properties << ${properties} >> ${page.resources ?? ''} >> >>`,
    )
  })
  objects[tree - 1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`
  const outline = content.outline ? ` /Outlines ${addOutline(content.outline, objects)}` : ''
  objects[catalog - 1] =
    `<< /Type /Catalog /Pages ${tree} 0 R${outline}${layered} /AcroForm << /Fields [${forms.join(' ')}] >> >>`
  const info = add(
    `<< ${Object.entries(content.info ?? {})
      .map(([key, value]) => `/${key} ${quote(value)}`)
      .join(' ')} >>`,
  )
  const lock = `<${'5a'.repeat(32)}>`
  const encrypt = content.isEncrypted
    ? ` /Encrypt ${add(`<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O ${lock} /U ${lock} >>`)} /ID [${lock} ${lock}]`
    : ''
  return write(objects, `/Root ${catalog} 0 R /Info ${info}${encrypt}`)
}

const quote = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`

const stream = (dictionary: string, data: string): string =>
  `${dictionary} /Length ${data.length} >>\nstream\n${data}\nendstream`

const imageOf = ({ width, height, pixels }: NonNullable<PageContent['picture']>): string =>
  stream(
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    Buffer.from(pixels).toString('latin1'),
  )

function draw({
  pieces = [],
  rules = [],
  drawing = '',
  picture,
  hasPicture = picture !== undefined,
}: PageContent): string {
  return [
    ...(hasPicture ? [`q 612 0 0 ${HEIGHT} 0 0 cm /P Do Q`] : []),
    ...rules.map(([x0, y0, x1, y1]) => `${x0} ${HEIGHT - y0} m ${x1} ${HEIGHT - y1} l S`),
    ...pieces.map(
      ({ text, x, y, size = 10, font = 'Times-Roman' }) =>
        `BT /${FONTS[font]} ${size} Tf 1 0 0 1 ${x} ${HEIGHT - y} Tm ${encode(text, font)} Tj ET`,
    ),
    drawing,
  ].join('\n')
}

function linkOf({ x, y, text, size = 10 }: Piece, href: string): string {
  const rect = [x, HEIGHT - y - 2, x + text.length * size * 0.45, HEIGHT - y + size]
  return `<< /Type /Annot /Subtype /Link /Rect [${rect.join(' ')}] /A << /S /URI /URI ${quote(href)} >> >>`
}

const writingOf = ({ x, y, text, size = 10 }: Piece): string =>
  `<< /Type /Annot /Subtype /FreeText /F 4 /DA (/Helv ${size} Tf) /Contents ${quote(text)} ` +
  `/Rect [${x} ${HEIGHT - y - 3} ${x + text.length * size * 0.5} ${HEIGHT - y + size}] >>`

function fieldOf({ x, y, value }: Field, index: number): string {
  const rect = [x, HEIGHT - y - 14, x + 100, HEIGHT - y]
  const kind = typeof value === 'string' ? `/FT /Tx /V ${quote(value)}` : `/FT /Btn ${tick(value)}`
  return `<< /Type /Annot /Subtype /Widget /T (field ${index}) /F 4 /Rect [${rect.join(' ')}] ${kind} >>`
}

const tick = (isTicked: boolean): string =>
  `/V /${isTicked ? 'Yes' : 'Off'} /AS /${isTicked ? 'Yes' : 'Off'} /AP << /N << /Yes null /Off null >> >>`

function addOutline(titles: readonly string[], objects: string[]): string {
  const root = objects.push('')
  const first = root + 1
  titles.forEach((title, index) => {
    const next = index + 1 < titles.length ? ` /Next ${first + index + 1} 0 R` : ''
    objects.push(`<< /Title ${quote(title)} /Parent ${root} 0 R${next} >>`)
  })
  objects[root - 1] =
    `<< /Type /Outlines /First ${first} 0 R /Last ${first + titles.length - 1} 0 R /Count ${titles.length} >>`
  return `${root} 0 R`
}

function write(objects: readonly string[], trailer: string): Uint8Array {
  let file = '%PDF-1.4\n'
  const places = objects.map((body, index) => {
    const place = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** Lines below each other, from `y` on. */
export const lines = (texts: readonly string[], place: Omit<Piece, 'text'>, leading = 12): Piece[] =>
  texts.map((text, index) => ({ ...place, text, y: place.y + index * leading }))
