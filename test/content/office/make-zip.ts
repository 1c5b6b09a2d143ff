import { deflateRawSync } from 'node:zlib'

/** A zip of these files, made by hand, so that it can be made wrong. */
export function makeZip(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly method?: 0 | 8; readonly flags?: number; readonly saidBytes?: number } = {},
): Uint8Array {
  const { method = 8, flags = 0x800, saidBytes } = options
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = method === 0 ? bytes : deflateRawSync(bytes)
    const label = Buffer.from(name)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(flags, 6)
    head.writeUInt16LE(method, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(saidBytes ?? bytes.length, 22)
    head.writeUInt16LE(label.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(saidBytes ?? bytes.length, 24)
    entry.writeUInt16LE(label.length, 28)
    entry.writeUInt32LE(offset, 42)
    local.push(head, label, packed)
    directory.push(entry, label)
    offset += head.length + label.length + packed.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  const count = Object.keys(files).length
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...local, listing, end]))
}

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The relations of a part: an id for each target, by the last word of its type; an address is one outside. */
export const relations = (targets: Readonly<Record<string, readonly [type: string, target: string]>>): string =>
  `<Relationships xmlns="${RELATIONS}">${Object.entries(targets)
    .map(
      ([id, [type, target]]) =>
        `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"${/^[a-z]+:/.test(target) ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

/** A package of Office with this main part. */
const makePackage = (main: string, files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  makeZip({ '_rels/.rels': relations({ main: ['officeDocument', main] }), ...files })

const WORD =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:v="urn:schemas-microsoft-com:vml"'

/** A document of Word with this body; other parts by their names below `word/`, without `.xml`. */
export function makeDocx(
  body: string,
  parts: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, readonly [type: string, target: string]>> = {},
): Uint8Array {
  const targets = Object.fromEntries(Object.keys(parts).map((name) => [`part-${name}`, [name, `${name}.xml`] as const]))
  const files = Object.entries(parts).map(([name, xml]): [string, string] => [
    `word/${name}.xml`,
    xml.replace(/^<([\w:]+)/, `<$1 ${WORD}`),
  ])
  return makePackage('word/document.xml', {
    'word/document.xml': `<?xml version="1.0"?><w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations({ ...targets, ...more }),
    ...Object.fromEntries(files),
  })
}

const SHEET =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

/**
 * A workbook with these sheets: what stands in `worksheet`, by name. A name that begins with `!` is of a hidden one.
 * `links` are the addresses that the links of every sheet name, by their ids.
 */
export function makeXlsx(
  sheets: Readonly<Record<string, string>>,
  parts: {
    readonly styles?: string
    readonly strings?: string
    readonly is1904?: boolean
    readonly links?: Readonly<Record<string, string>>
  } = {},
): Uint8Array {
  const names = Object.keys(sheets)
  const list = names.map(
    (name, at) =>
      `<sheet name="${name.replace(/^!/, '')}" sheetId="${at + 1}" r:id="s${at}"${name.startsWith('!') ? ' state="hidden"' : ''}/>`,
  )
  const linked = relations(
    Object.fromEntries(Object.entries(parts.links ?? {}).map(([id, target]) => [id, ['hyperlink', target] as const])),
  )
  return makePackage('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${SHEET}>${parts.is1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(names.map((_, at) => [`s${at}`, ['worksheet', `worksheets/sheet${at}.xml`] as const])),
      st: ['styles', 'styles.xml'],
      ss: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/styles.xml': `<styleSheet ${SHEET}>${parts.styles ?? ''}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${SHEET}>${parts.strings ?? ''}</sst>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet ${SHEET}>${sheets[name] ?? ''}</worksheet>`,
      ]),
    ),
    ...Object.fromEntries(names.map((_, at) => [`xl/worksheets/_rels/sheet${at}.xml.rels`, linked])),
  })
}

const SLIDE =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

/** A presentation with these slides: what stands in `p:spTree`. `link` is the address that their links name; `change` changes the file of a slide. */
export function makePptx(
  slides: readonly string[],
  layout = '',
  link = 'https://site.test/there',
  change = (slide: string): string => slide,
): Uint8Array {
  const files: Record<string, string> = {}
  for (const [at, slide] of slides.entries()) {
    files[`ppt/slides/slide${at}.xml`] = change(
      `<p:sld ${SLIDE}><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
    )
    files[`ppt/slides/_rels/slide${at}.xml.rels`] = relations({
      l: ['slideLayout', '../slideLayouts/layout.xml'],
      link: ['hyperlink', link],
      pic: ['image', '../media/image1.png'],
    })
  }
  return makePackage('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation ${SLIDE}><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${at}" r:id="r${at}"/>`).join('')}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, at) => [`r${at}`, ['slide', `slides/slide${at}.xml`] as const])),
    ),
    'ppt/slideLayouts/layout.xml': `<p:sldLayout ${SLIDE}><p:cSld><p:spTree>${layout}</p:spTree></p:cSld></p:sldLayout>`,
    ...files,
  })
}

/** A book of these chapters, by their paths; the mark-up of their bodies. */
export const makeEpub = (
  chapters: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Uint8Array =>
  makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Ben</dc:creator><dc:language>en</dc:language></metadata><manifest>${Object.keys(
      chapters,
    )
      .map(
        (path, at) =>
          `<item id="i${at}" href="${path}" media-type="application/xhtml+xml"${path === 'nav.xhtml' ? ' properties="nav"' : ''}/>`,
      )
      .join('')}</manifest><spine>${Object.keys(chapters)
      .map((_, at) => `<itemref idref="i${at}"/>`)
      .join('')}</spine></package>`,
    ...Object.fromEntries(
      Object.entries(chapters).map(([path, body]) => [
        `OEBPS/${path}`,
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`,
      ]),
    ),
    ...more,
  })
