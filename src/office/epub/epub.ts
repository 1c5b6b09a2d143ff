import { type Element, append, hasText, isElement, walk } from '../../html/tree.js'
import {
  innerAddress,
  createElement,
  type OfficeContent,
  type OfficeMetadata,
  takeChildren,
} from '../elements/create-element.js'
import { type ContentsEntry, nameHeadings, readContents } from './epub-contents.js'
import { applyClassMarks, readClassMarks } from './epub-styles.js'
import { resolvePath } from '../package/open-package.js'
import { brokenFile, protectedFile } from '../refusals.js'
import { at, child, childrenNamed, descendants, readXml, type XmlElement, xmlText } from '../package/xml.js'
import { openZip, type Zip } from '../package/zip.js'
import { NOTHING_DROPPED } from '../../text/dropped-lines.js'
import { CUT_WARNING } from '../warnings.js'

/** HTML reader that chapters are parsed with. */
export interface ChapterReader {
  /** Parses the body of a chapter. Returns undefined if it exceeds the limits. */
  readBody(bytes: Uint8Array, mediaType: string): Element | undefined
  /** Maximum total size of all chapters; further ones are left out. */
  readonly maxBytes: number
}

/**
 * Reads an EPUB file: its chapters in reading order as one page, without the table of contents.
 *
 * @see https://www.w3.org/TR/epub-33/
 */
export function readEpub(body: Uint8Array, reader: ChapterReader): OfficeContent {
  const zip = openZip(body)
  refuseProtected(zip)
  const container = readPart(zip, 'META-INF/container.xml')
  const path = descendants(container, 'container:rootfile')[0]?.attributes['full-path']
  const book = path === undefined ? undefined : readPart(zip, path)
  if (path === undefined || book === undefined) throw brokenFile('its list of chapters is missing')
  const folder = folderOf(path)
  const chapters = listChapters(book, folder)
  const marks = readClassMarks(readSheets(zip, book, folder))
  const entries = listEntries(zip, book, folder)
  const numbers = new Map(chapters.map(({ path: chapter }, index) => [chapter, index + 1]))
  const root = createElement('div')
  const missing: string[] = []
  let left = reader.maxBytes
  let isCut = false
  for (const [index, chapter] of chapters.entries()) {
    const bytes = zip.read(chapter.path)
    if (bytes === undefined) {
      missing.push(chapter.path)
      continue
    }
    left -= bytes.length
    const content = left < 0 ? undefined : reader.readBody(bytes, chapter.mediaType)
    if (content === undefined) {
      isCut = true
      break
    }
    const section = createElement('section', { id: chapterId(index + 1) })
    nameHeadings(content, entries.get(chapter.path) ?? [])
    applyClassMarks(content, marks)
    resolveAddresses(content, { path: chapter.path, number: index + 1, numbers })
    for (const node of takeChildren(content)) append(section, node)
    append(root, section)
  }
  if (!hasText(root) && missing.length === chapters.length) throw brokenFile('its chapters are missing')
  const warnings = [
    ...(isCut ? [CUT_WARNING] : []),
    ...(missing.length > 0 ? [`Chapters are missing in the file: ${missing.slice(0, 10).join(', ')}.`] : []),
  ]
  const metadata = readMetadata(child(book, 'opf:metadata'))
  return { content: [root], metadata, warnings, ...(warnings.length === 0 && { dropped: NOTHING_DROPPED }) }
}

const readPart = (zip: Zip, path: string): XmlElement | undefined => {
  const bytes = zip.read(path)
  return bytes === undefined ? undefined : readXml(bytes).root
}

/** Encryption methods that apply to fonts only; the text stays readable. */
const FONT_ONLY = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

function refuseProtected(zip: Zip): void {
  const encrypted = descendants(readPart(zip, 'META-INF/encryption.xml'), 'enc:EncryptedData').find((data) => {
    const algorithm = child(data, 'enc:EncryptionMethod')?.attributes['Algorithm'] ?? ''
    const path = descendants(data, 'enc:CipherReference')[0]?.attributes['URI'] ?? ''
    return !FONT_ONLY.has(algorithm) && !/\.(?:otf|ttf|ttc|woff2?|dfont)$/i.test(path)
  })
  if (encrypted !== undefined) throw protectedFile('the book is sold with copy protection')
}

interface Chapter {
  readonly path: string
  readonly mediaType: string
}

/** Lists the chapters in reading order. @see https://www.w3.org/TR/epub-33/#sec-spine-elem */
function listChapters(book: XmlElement, folder: string): Chapter[] {
  const items = new Map(
    childrenNamed(child(book, 'opf:manifest'), 'opf:item').map(({ attributes }) => [
      attributes['id'] ?? '',
      attributes,
    ]),
  )
  const seen = new Set<string>()
  return childrenNamed(child(book, 'opf:spine'), 'opf:itemref').flatMap(({ attributes }): Chapter[] => {
    const item = items.get(attributes['idref'] ?? '')
    const path = resolvePath(folder, decodePath(item?.['href'] ?? ''))
    const isContents = (item?.['properties'] ?? '').split(/\s+/).includes('nav')
    if (item === undefined || isContents || seen.has(path)) return []
    seen.add(path)
    return [{ path, mediaType: item['media-type'] ?? 'application/xhtml+xml' }]
  })
}

const itemsOf = (book: XmlElement): XmlElement[] => childrenNamed(child(book, 'opf:manifest'), 'opf:item')

/** Maximum total size of all style sheets, in bytes. */
const MAX_SHEET_BYTES = 1_000_000

function readSheets(zip: Zip, book: XmlElement, folder: string): string[] {
  let left = MAX_SHEET_BYTES
  return itemsOf(book)
    .filter(({ attributes }) => attributes['media-type'] === 'text/css')
    .flatMap(({ attributes }) => {
      const bytes = left > 0 ? zip.read(resolvePath(folder, decodePath(attributes['href'] ?? ''))) : undefined
      left -= bytes?.length ?? 0
      return bytes === undefined || left < 0 ? [] : [new TextDecoder().decode(bytes)]
    })
}

/** Lists the entries of the table of contents by the path of their chapter. */
function listEntries(zip: Zip, book: XmlElement, folder: string): ReadonlyMap<string, ContentsEntry[]> {
  const items = itemsOf(book)
  const item =
    items.find(({ attributes }) => (attributes['properties'] ?? '').split(/\s+/).includes('nav')) ??
    items.find(({ attributes }) => attributes['media-type'] === 'application/x-dtbncx+xml')
  const path = resolvePath(folder, decodePath(item?.attributes['href'] ?? ''))
  const root = item === undefined ? undefined : readPart(zip, path)
  const entries = new Map<string, ContentsEntry[]>()
  for (const entry of root === undefined ? [] : readContents(root)) {
    const chapter = resolvePath(folderOf(path), decodePath(entry.target.split('#')[0] ?? ''))
    const known = entries.get(chapter)
    if (known === undefined) entries.set(chapter, [entry])
    else if (known.length < MAX_ENTRIES) known.push(entry)
  }
  return entries
}

/** Maximum number of entries of one chapter, as each is searched for. */
const MAX_ENTRIES = 200

const chapterId = (number: number): string => `chapter-${number}`

interface Place {
  readonly path: string
  readonly number: number
  readonly numbers: ReadonlyMap<string, number>
}

/** Makes ids of a chapter unique in the book, and resolves links to them; dead links are removed. */
function resolveAddresses(content: Element, place: Place): void {
  walk(content, (node) => {
    if (!isElement(node)) return
    const { attribs, name } = node
    for (const key of name === 'a' ? ['id', 'name'] : ['id'])
      if (attribs[key] !== undefined) attribs[key] = `${chapterId(place.number)}-${attribs[key]}`
    if ((name === 'a' || name === 'area') && attribs['href'] !== undefined) {
      const href = resolveLink(attribs['href'].trim(), place)
      if (href === undefined) delete attribs['href']
      else attribs['href'] = href
    }
    // Covers are usually images inside an SVG.
    if (name === 'image' && attribs['xlink:href'] !== undefined) moveOutOfSvg(node, attribs['xlink:href'])
    if (node.name === 'img' && attribs['src'] !== undefined && !hasScheme(attribs['src']))
      attribs['src'] = innerAddress(resolvePath(folderOf(place.path), decodePath(attribs['src'])))
    delete attribs['srcset']
  })
}

/** Moves an image out of its SVG, because SVGs are not converted. */
function moveOutOfSvg(image: Element, src: string): void {
  const { parent } = image
  if (parent === null || !isElement(parent)) return
  if (parent.name === 'svg') parent.name = 'div'
  image.name = 'img'
  image.attribs = { src, alt: image.attribs['alt'] ?? '' }
}

const hasScheme = (address: string): boolean => /^[a-z][\w+.-]*:/i.test(address)

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

function resolveLink(href: string, { path, numbers }: Place): string | undefined {
  if (hasScheme(href)) return href
  const [file = '', fragment] = href.split('#')
  const number = numbers.get(file === '' ? path : resolvePath(folderOf(path), decodePath(file)))
  if (number === undefined) return undefined
  return fragment === undefined || fragment === ''
    ? `#${chapterId(number)}`
    : `#${chapterId(number)}-${decodePath(fragment)}`
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function readMetadata(metadata: XmlElement | undefined): OfficeMetadata {
  const all = (name: string): string | undefined =>
    childrenNamed(metadata, name)
      .map((element) => xmlText(element).trim())
      .filter((text) => text !== '')
      .join(', ') || undefined
  const first = (name: string): string | undefined => xmlText(at(metadata, name)).trim() || undefined
  const modified = childrenNamed(metadata, 'opf:meta').find(
    ({ attributes }) => attributes['property'] === 'dcterms:modified',
  )
  return {
    title: first('dc:title'),
    author: all('dc:creator'),
    description: first('dc:description'),
    keywords: all('dc:subject'),
    language: first('dc:language'),
    publishedTime: first('dc:date'),
    modifiedTime: xmlText(modified).trim() || undefined,
  }
}
