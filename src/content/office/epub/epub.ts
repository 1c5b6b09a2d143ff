import {
  type ChildNode,
  type Element,
  append,
  collapse,
  hasText,
  isElement,
  isHeading,
  isText,
  setChildren,
  walk,
} from '../../html/tree.js'
import {
  createElement,
  type OfficeContent,
  takeChildren,
  wholeContent,
  innerAddress,
} from '../elements/create-element.js'
import { TrawlError } from '../../../base/errors.js'
import { nameHeadings } from './epub-contents.js'
import {
  type Chapter,
  isWithoutText,
  listChapters,
  listEntries,
  pathInEpub,
  readEpubMetadata,
  readEpubPackage,
  readSheets,
  refuseProtected,
  decodePath,
  folderOf,
} from './epub-package.js'
import { applyClassMarks, readClassMarks } from './epub-styles.js'
import { brokenFile } from '../refusals.js'
import { openZip, type Zip } from '../package/zip.js'
import { CUT_WARNING } from '../warnings.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** HTML reader that chapters are parsed with. */
interface ChapterReader {
  /** Parses the body of a chapter, which may be a drawing with words. Returns undefined if it exceeds the limits. */
  readBody(bytes: Uint8Array, mediaType: string): Element | undefined
  /** Converts HTML to its text. */
  toText(html: string): string
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
  const book = readEpubPackage(zip)
  const all = listChapters(zip, book)
  refuseProtected(zip, all)
  const chapters = all.filter((chapter) => !chapter.isContents || hasOwnText(zip, chapter, reader))
  const marks = readClassMarks(readSheets(zip, book))
  const entries = listEntries(zip, book)
  const numbers = new Map(chapters.map(({ path }, index) => [path, index + 1]))
  const pathOf = (folder: string, href: string): string => pathInEpub(zip, folder, href)
  const root = createElement('div')
  const missing: Chapter[] = []
  let left = reader.maxBytes
  let isCut = false
  for (const [index, chapter] of chapters.entries()) {
    const { path, isContents } = chapter
    const read = left < 0 ? { content: undefined, sizeBytes: 0 } : readContent(zip, chapter, reader)
    if (read === undefined) {
      missing.push(chapter)
      continue
    }
    const { content } = read
    left -= read.sizeBytes
    if (content === undefined || left < 0) {
      isCut = true
      break
    }
    if (isContents) removeContents(content)
    const section = createElement('section', { id: chapterId(index + 1) })
    nameHeadings(content, entries.get(path) ?? [])
    applyClassMarks(content, marks)
    resolveAddresses(content, { path, number: index + 1, numbers, pathOf })
    for (const node of takeChildren(content)) append(section, node)
    append(root, section)
  }
  if (!hasText(root) && missing.length === chapters.length) throw brokenFile('its chapters are missing')
  const unread = chapters.filter(({ mediaType }) => isWithoutText(mediaType) && !mediaType.startsWith('image/'))
  const warnings = [
    ...(isCut ? [CUT_WARNING] : []),
    ...(missing.length > 0 ? [`Chapters are missing in the file: ${listPaths(missing)}.`] : []),
    ...(unread.length > 0 ? [`Chapters that are not text are left out: ${listPaths(unread)}.`] : []),
  ]
  const metadata = readEpubMetadata(book, (html) => reader.toText(html))
  return wholeContent(root, { metadata, warnings, sourceBytes: zip.unpackedBytes })
}

const listPaths = (chapters: readonly Chapter[]): string =>
  chapters
    .slice(0, 10)
    .map(({ path }) => path)
    .join(', ')

/** Unpacks a chapter; undefined if it is missing or damaged, as the others can still be read. */
function readChapterBytes(zip: Zip, path: string): Uint8Array | undefined {
  try {
    return zip.read(path)
  } catch (error) {
    if (error instanceof TrawlError && error.code === 'SCRAPE_FILE_BROKEN') return undefined
    throw error
  }
}

/** Reads a chapter. A picture without words becomes a reference to it. */
function readContent(zip: Zip, { path, mediaType }: Chapter, reader: ChapterReader): ReadChapter | undefined {
  const isPicture = mediaType.startsWith('image/')
  const bytes = isWithoutText(mediaType) ? new Uint8Array() : readChapterBytes(zip, path)
  if (bytes === undefined || !zip.has(path)) return undefined
  const content = isWithoutText(mediaType) ? createElement('body') : reader.readBody(bytes, mediaType)
  if (isPicture && content !== undefined && !hasText(content))
    append(content, createElement('p', {}, [createElement('img', { src: `/${path}`, alt: '' })]))
  return { content, sizeBytes: bytes.length }
}

interface ReadChapter {
  /** Undefined if it exceeds the limits. */
  readonly content: Element | undefined
  readonly sizeBytes: number
}

/** Minimum number of characters of a table of contents outside of its lists and headings that make it a chapter. */
const MIN_OWN_TEXT = 200

/** Tests if the navigation document is also a chapter, as in books of one file. */
function hasOwnText(zip: Zip, chapter: Chapter, reader: ChapterReader): boolean {
  const content = readContent(zip, chapter, reader)?.content
  if (content === undefined) return false
  let length = 0
  walk(content, (node) => {
    if (isText(node)) length += collapse(node.data).length
    return length >= MIN_OWN_TEXT ? 'stop' : !isElement(node) || (node.name !== 'nav' && !isHeading(node))
  })
  return length >= MIN_OWN_TEXT
}

function removeContents(chapter: Element): void {
  const isContents = (node: ChildNode): boolean => isElement(node) && node.name === 'nav'
  const remove = (parent: Element): void => {
    if (parent.children.some(isContents))
      setChildren(
        parent,
        parent.children.filter((node) => !isContents(node)),
      )
  }
  remove(chapter)
  walk(chapter, (node) => {
    if (isElement(node)) remove(node)
  })
}

/** Chapter whose addresses are resolved. */
interface Place {
  readonly path: string
  readonly number: number
  /** Numbers of all chapters by their paths. */
  readonly numbers: ReadonlyMap<string, number>
  /** Returns the path of a file in the archive, from a relative URL. */
  readonly pathOf: (folder: string, href: string) => string
}

/** Returns the id of a chapter in the page. */
const chapterId = (number: number): string => `chapter-${number}`

/** Attributes with the address of a file that is shown in a chapter. */
const SHOWN_FILES: Readonly<Record<string, readonly string[]>> = {
  img: ['src'],
  audio: ['src'],
  video: ['src', 'poster'],
  source: ['src'],
  track: ['src'],
  embed: ['src'],
  iframe: ['src'],
  object: ['data'],
}

/**
 * Makes ids of a chapter unique in the book, and resolves addresses of places and files in the book; dead links are
 * removed.
 */
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
    const drawn = name === 'image' ? (attribs['xlink:href'] ?? attribs['href']) : undefined
    if (drawn !== undefined) moveOutOfSvg(node, drawn)
    for (const key of ownValue(SHOWN_FILES, node.name) ?? []) {
      const address = attribs[key]?.trim()
      if (address !== undefined && !isOutside(address)) node.attribs[key] = resolveFile(address, place)
    }
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

/** Tests if an address leads out of the book: it has a scheme or a host. */
const isOutside = (address: string): boolean => /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address)

const resolveFile = (address: string, { path, pathOf }: Place): string => innerAddress(pathOf(folderOf(path), address))

function resolveLink(href: string, { path, numbers, pathOf }: Place): string | undefined {
  if (isOutside(href)) return href
  const [file = '', fragment] = href.split('#')
  const number = numbers.get(file === '' ? path : pathOf(folderOf(path), file))
  if (number === undefined) return undefined
  return fragment === undefined || fragment === ''
    ? `#${chapterId(number)}`
    : `#${chapterId(number)}-${decodePath(fragment)}`
}
