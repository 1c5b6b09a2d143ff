import type { OfficeMetadata } from '../elements/create-element.js'
import { TrawlError } from '../../../base/errors.js'
import { type ContentsEntry, readContents } from './epub-contents.js'
import { resolvePath } from '../package/open-package.js'
import { brokenFile, protectedFile } from '../refusals.js'
import { at, child, childrenNamed, descendants, readXml, type XmlElement, xmlText } from '../package/xml.js'
import type { Zip } from '../package/zip.js'

/** Package document of a book: what the book consists of. */
interface EpubPackage {
  readonly root: XmlElement
  /** Folder that paths are relative to. */
  readonly folder: string
}

type Item = Readonly<Record<string, string>>

/** Part of a book in its reading order. */
export interface Chapter {
  readonly path: string
  readonly mediaType: string
  /** True for the navigation document, which has the table of contents. */
  readonly isContents: boolean
}

/** @throws TrawlError `SCRAPE_FILE_BROKEN` */
export function readEpubPackage(zip: Zip): EpubPackage {
  const files = descendants(readPart(zip, 'META-INF/container.xml'), 'container:rootfile')
  // A book may also be in the archive as a PDF file.
  const file = files.find(({ attributes }) => attributes['media-type'] === PACKAGE_TYPE) ?? files[0]
  const path = file?.attributes['full-path']
  const root = path === undefined ? undefined : readPart(zip, path)
  if (path === undefined || root === undefined) throw brokenFile('its list of chapters is missing')
  return { root, folder: folderOf(path) }
}

const PACKAGE_TYPE = 'application/oebps-package+xml'

const readPart = (zip: Zip, path: string): XmlElement | undefined => {
  const bytes = zip.read(path)
  return bytes === undefined ? undefined : readXml(bytes).root
}

/** Encryption methods that apply to fonts only; the text stays readable. */
const FONT_ONLY = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

/** @throws TrawlError `SCRAPE_FILE_ENCRYPTED` if chapters are encrypted; other files in a book are not read */
export function refuseProtected(zip: Zip, chapters: readonly Chapter[]): void {
  const paths = new Set(chapters.map(({ path }) => path))
  const encrypted = descendants(readPart(zip, 'META-INF/encryption.xml'), 'enc:EncryptedData').some((data) => {
    const algorithm = child(data, 'enc:EncryptionMethod')?.attributes['Algorithm'] ?? ''
    const path = descendants(data, 'enc:CipherReference')[0]?.attributes['URI'] ?? ''
    return !FONT_ONLY.has(algorithm) && paths.has(pathInEpub(zip, '', path))
  })
  if (encrypted) throw protectedFile('the book is sold with copy protection')
}

/**
 * Media types without text. Other types are read as XHTML, as books name theirs in many ways.
 *
 * @see https://www.w3.org/TR/epub-33/#sec-core-media-types
 */
const WITHOUT_TEXT = /^(?:audio|font|image|video)\/(?!svg\+xml$)|^application\/(?:epub\+zip|pdf|x-shockwave-flash)$/

/** Tests if a chapter has no text of its own, as it is a picture, a recording or another document. */
export const isWithoutText = (mediaType: string): boolean => WITHOUT_TEXT.test(mediaType)

/** Lists the chapters in reading order. @see https://www.w3.org/TR/epub-33/#sec-spine-elem */
export function listChapters(zip: Zip, { root, folder }: EpubPackage): Chapter[] {
  const items = new Map(itemsOf(root).map((item) => [item['id'] ?? '', item]))
  const seen = new Set<string>()
  return childrenNamed(child(root, 'opf:spine'), 'opf:itemref').flatMap(({ attributes }): Chapter[] => {
    const item = readableItem(items, items.get(attributes['idref'] ?? ''))
    const path = pathInEpub(zip, folder, item?.['href'] ?? '')
    if (item === undefined || seen.has(path)) return []
    seen.add(path)
    return [{ path, mediaType: typeOf(item), isContents: hasProperty(item, 'nav') }]
  })
}

/** Returns an item, or the first of its fallbacks that has text. @see https://www.w3.org/TR/epub-33/#sec-manifest-fallbacks */
function readableItem(items: ReadonlyMap<string, Item>, item: Item | undefined): Item | undefined {
  let found = item
  for (let left = 10; left > 0 && found !== undefined && isWithoutText(typeOf(found)); left -= 1)
    found = items.get(found['fallback'] ?? '')
  return found === undefined || isWithoutText(typeOf(found)) ? item : found
}

const itemsOf = (root: XmlElement): Item[] =>
  childrenNamed(child(root, 'opf:manifest'), 'opf:item').map(({ attributes }) => attributes)

const typeOf = (item: Item): string => (item['media-type'] ?? 'application/xhtml+xml').trim().toLowerCase()

const hasProperty = (item: Item, property: string): boolean =>
  (item['properties'] ?? '').split(/\s+/).includes(property)

/** Maximum total size of all style sheets, in bytes. */
const MAX_SHEET_BYTES = 1_000_000

/** Reads the style sheets; those that cannot be read are left out, as the text does not need them. */
export function readSheets(zip: Zip, { root, folder }: EpubPackage): string[] {
  let left = MAX_SHEET_BYTES
  return itemsOf(root)
    .filter((item) => typeOf(item) === 'text/css')
    .flatMap((item) => {
      const bytes = left > 0 ? readIfWhole(zip, pathInEpub(zip, folder, item['href'] ?? '')) : undefined
      left -= bytes?.length ?? 0
      return bytes === undefined || left < 0 ? [] : [new TextDecoder().decode(bytes)]
    })
}

/** Unpacks an entry; undefined if it is missing, damaged or too large. */
function readIfWhole(zip: Zip, path: string): Uint8Array | undefined {
  try {
    return zip.read(path)
  } catch (error) {
    if (error instanceof TrawlError) return undefined
    throw error
  }
}

/** Maximum number of entries of one chapter, as each is searched for. */
const MAX_ENTRIES = 200

/** Lists the entries of the table of contents by the path of their chapter. */
export function listEntries(zip: Zip, { root, folder }: EpubPackage): ReadonlyMap<string, ContentsEntry[]> {
  const items = itemsOf(root)
  const item =
    items.find((one) => hasProperty(one, 'nav')) ?? items.find((one) => typeOf(one) === 'application/x-dtbncx+xml')
  const path = pathInEpub(zip, folder, item?.['href'] ?? '')
  const contents = item === undefined ? undefined : readPart(zip, path)
  const entries = new Map<string, ContentsEntry[]>()
  for (const entry of contents === undefined ? [] : readContents(contents)) {
    const chapter = pathInEpub(zip, folderOf(path), entry.target.split('#')[0] ?? '')
    const known = entries.get(chapter)
    if (known === undefined) entries.set(chapter, [entry])
    else if (known.length < MAX_ENTRIES) known.push(entry)
  }
  return entries
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** Returns the path of a file in the archive, from a relative URL. Some programs do not escape the URL. */
export function pathInEpub(zip: Zip, folder: string, href: string): string {
  const path = resolvePath(folder, decodePath(href))
  const asWritten = resolvePath(folder, href)
  return path === asWritten || zip.has(path) || !zip.has(asWritten) ? path : asWritten
}

export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** @param toText converts HTML, in which many programs write descriptions, to its text */
export function readEpubMetadata({ root }: EpubPackage, toText: (html: string) => string): OfficeMetadata {
  const metadata = child(root, 'opf:metadata')
  const all = (name: string): string | undefined =>
    childrenNamed(metadata, name)
      .map((element) => xmlText(element).trim())
      .filter((text) => text !== '')
      .join(', ') || undefined
  const first = (name: string): string | undefined => xmlText(at(metadata, name)).trim() || undefined
  const modified = childrenNamed(metadata, 'opf:meta').find(
    ({ attributes }) => attributes['property'] === 'dcterms:modified',
  )
  const description = first('dc:description')
  return {
    title: first('dc:title'),
    author: all('dc:creator'),
    description: description !== undefined && /<[a-z]/i.test(description) ? toText(description) : description,
    keywords: all('dc:subject'),
    language: first('dc:language'),
    publishedTime: first('dc:date'),
    modifiedTime: xmlText(modified).trim() || undefined,
  }
}
