import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../collections/is-object.js'
import { messageOf } from '../errors.js'
import { isHtmlType } from '../http/header-values.js'
import type { OriginalFile } from '../media/media.js'
import { isBarred, isTaken, pathIn } from './file-place.js'
import type { IndexedFile } from './read-index-now.js'
import { replaceFile } from './replace-file.js'

/** A page that was saved as the file that it is, as the index of a folder has it. */
interface SavedOriginal {
  /** Path in the folder, with `/`. */
  readonly path: string
  readonly sha256: string
  /** True if the page had another file since, which could not be saved. @default false */
  readonly isOutdated?: boolean
}

/** A page of a folder. */
interface FiledPage {
  readonly url: string
  /** Path of its Markdown. */
  readonly file: string
}

/**
 * Files of a folder of pages that are pages themselves, such as PDF files: each beside the Markdown that was made of it, under its name.
 * `report.pdf` is beside `report.pdf.md`; where something else has that name, it is `report.pdf.md.pdf`.
 */
export class OriginalFiles {
  readonly #folder: string
  readonly #adoptsFromMs: number
  /** Files of this run, and of pages of earlier ones that stay, by URL. */
  readonly #saved = new Map<string, SavedOriginal>()
  /** URLs of these pages, by the path of the file. */
  readonly #owners = new Map<string, string>()
  readonly #earlier = new Map<string, SavedOriginal>()
  /** Sentences about files that could not be saved. */
  readonly warnings: string[] = []

  /** @param adoptsFromMs start of a run that was killed: it may have written files that no index names yet. Milliseconds. @default none was */
  constructor(folder: string, adoptsFromMs = Infinity) {
    this.#folder = folder
    this.#adoptsFromMs = adoptsFromMs
  }

  /** Number of files of this run. */
  get size(): number {
    return this.#saved.size
  }

  /** Keeps the file that an earlier run has saved, if it is one that the page can have. @param original what the index has */
  keep(url: string, file: string, original: unknown): void {
    if (!isObject(original)) return
    const { path, sha256, isOutdated } = original
    if (typeof path !== 'string' || typeof sha256 !== 'string' || !isOriginalOf(file, path)) return
    if (!isBarred(this.#folder, path))
      this.#earlier.set(url, { ...original, path, sha256, isOutdated: isOutdated === true ? true : undefined })
  }

  /** Tests whether the file that an earlier run has saved is there, and is the last one that the page had, or there was none. */
  isWhole(url: string): boolean {
    const earlier = this.#earlier.get(url)
    if (earlier === undefined) return true
    if (earlier.isOutdated === true) return false
    return !this.#isOfOther(url, earlier.path) && existsSync(pathIn(this.#folder, earlier.path))
  }

  /**
   * Saves the file that a page is, if its document has one, unless it is there with these bytes. Before the page is added to the folder. One
   * that cannot be read stays as an earlier run has saved it, with a warning.
   *
   * @param isUnread true for a page that has not changed since an earlier run: what that has saved stays
   */
  async save({ url, file }: FiledPage, document: object, isUnread: boolean): Promise<void> {
    const found = isUnread ? undefined : readOriginal(document)
    if (isUnread) this.keepEarlier(url)
    if (!found) return
    try {
      const path = await this.#write(url, file, found)
      const { url: _, ...facts } = found
      this.#set(url, { ...facts, path })
    } catch (error) {
      this.keepEarlier(url)
      const kept = this.#saved.get(url)
      // A later run asks for the page again, also if it has not changed.
      if (kept) this.#set(url, { ...kept, isOutdated: true })
      this.warnings.push(`The file of ${url} was not saved: ${messageOf(error)}.`)
    }
  }

  /** Returns the file of a page. */
  of(url: string): SavedOriginal | undefined {
    return this.#saved.get(url)
  }

  /**
   * Returns what the index has of the file of a page: where it was not saved, field `original` of the document, without bytes in it and
   * without a place that does not last.
   */
  lineOf(url: string, original: unknown): unknown {
    const saved = this.#saved.get(url)
    if (saved || !isObject(original) || !isHere(original['url'])) return saved ?? original
    const { url: _, ...facts } = original
    return facts
  }

  /** Deletes the file that an earlier run has saved of a page, unless a page has it still, or again. */
  removeEarlier(url: string, remove: (file: string) => void): void {
    const earlier = this.#earlier.get(url)
    if (earlier && !this.#owners.has(earlier.path) && !isBarred(this.#folder, earlier.path)) remove(earlier.path)
  }

  /** Keeps the file that an earlier run has saved of a page. */
  keepEarlier(url: string): void {
    const earlier = this.#earlier.get(url)
    if (earlier && !this.#saved.has(url) && !this.#isOfOther(url, earlier.path)) this.#set(url, earlier)
  }

  /** Moves the files of pages whose Markdown has moved. @param moved new path of the Markdown, by URL */
  move(moved: ReadonlyMap<string, string>): void {
    const waiting = [...moved].flatMap(([url, file]) => {
      const saved = this.#saved.get(url)
      const from = saved && pathIn(this.#folder, saved.path)
      if (!from || !existsSync(from)) return []
      const between = join(dirname(from), `${randomUUID()}.partial`)
      renameSync(from, between)
      return [{ url, file, saved, between }]
    })
    for (const { url, file, saved, between } of waiting)
      for (const path of listNames(file, endingOf(saved.path)))
        if (!isTaken(this.#folder, path)) {
          renameSync(between, pathIn(this.#folder, path))
          this.#set(url, { ...saved, path })
          break
        }
  }

  /** Deletes a file that another run has saved of a page of this one meanwhile. */
  removeOther(file: string, original: unknown): void {
    if (!isObject(original) || typeof original['path'] !== 'string') return
    const { path } = original
    if (isOriginalOf(file, path) && !this.#owners.has(path) && !isBarred(this.#folder, path))
      rmSync(pathIn(this.#folder, path), { force: true })
  }

  /** Writes a file under the first of its names that nothing else has. @returns its path */
  async #write(url: string, file: string, original: OriginalFile): Promise<string> {
    const earlier = this.#earlier.get(url)?.path
    const ending = endingOf(original.name)
    const names = listNames(file, ending)
    const isEarlierFree = earlier !== undefined && !this.#isOfOther(url, earlier) && !isBarred(this.#folder, earlier)
    // An earlier version kept extensions that run.
    if (isEarlierFree && earlier.toLowerCase().endsWith(`.${ending}`)) return await this.#put(earlier, original)
    for (const path of names) {
      const isThere = isTaken(this.#folder, path)
      if (isThere && this.#mayAdopt(path) && (await hashFile(pathIn(this.#folder, path))) === original.sha256)
        return path
      if (!isThere) return await this.#put(path, original)
    }
    throw new TypeError('it has no name')
  }

  #set(url: string, saved: SavedOriginal): void {
    const before = this.#saved.get(url)?.path
    if (before !== undefined && !this.#isOfOther(url, before)) this.#owners.delete(before)
    this.#saved.set(url, saved)
    this.#owners.set(saved.path, url)
  }

  /** Tests whether another page has a file. */
  #isOfOther(url: string, path: string): boolean {
    return (this.#owners.get(path) ?? url) !== url
  }

  /** Tests whether a run that was killed may have written a file, and no page has it. */
  #mayAdopt(path: string): boolean {
    if (this.#adoptsFromMs === Infinity || this.#owners.has(path)) return false
    return (statSync(pathIn(this.#folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= this.#adoptsFromMs
  }

  /** Writes a file, unless it is there with the same bytes. @returns its path */
  async #put(file: string, original: OriginalFile): Promise<string> {
    const path = pathIn(this.#folder, file)
    if ((await hashFile(path)) !== original.sha256) await replaceFile(path, checkBytes(original))
    return file
  }
}

/** Tests for the URL of bytes that are on this disk, or in the URL. */
const isHere = (url: unknown): url is string => typeof url === 'string' && /^(?:file|data):/.test(url)

/** Tests whether a page of an earlier run may be a file that was not saved: it is no web page and no Markdown. */
export function lacksOriginal({ url, metadata, original }: IndexedFile): boolean {
  if (isObject(original) && (original['path'] ?? original['url']) !== undefined) return false
  const { contentType } = metadata ?? {}
  return !isHtmlType(contentType) && !/\bmarkdown\b/i.test(contentType ?? '') && !/\.(?:md|markdown)$/i.test(url)
}

/** Reads field `original` of a document if its bytes are here: on this disk or in the document. */
function readOriginal(document: { readonly original?: unknown }): OriginalFile | undefined {
  const { original: value } = document
  if (!isObject(value)) return undefined
  const { url, name, mediaType, bytes, sha256 } = value
  const isKnown = typeof mediaType === 'string' && typeof bytes === 'number' && typeof sha256 === 'string'
  if (!isKnown || typeof name !== 'string' || !isHere(url)) return undefined
  return { url, name, mediaType, bytes, sha256 }
}

/** Reads the bytes of a file, piece by piece. @throws Error of the file system; for other bytes than those of the document */
async function* checkBytes({ url, sha256 }: OriginalFile): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash('sha256')
  const pieces: AsyncIterable<Buffer> | Iterable<Buffer> = url.startsWith('file:')
    ? (createReadStream(new URL(url)) as AsyncIterable<Buffer>)
    : [Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')]
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== sha256) throw new Error('its bytes are not those that were received')
}

/** Hashes a file; undefined if there is none. */
async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

const ENDING = /\.([a-z\d]{1,10})$/i
/** Extensions of a folder's own files. */
const OWN_ENDING = /^(?:md|ndjson|partial)$/i

/**
 * Extensions of files that run when somebody opens them, or when a web server serves the folder, and of pages with scripts: a site chooses the
 * names of its files, and would choose what runs here.
 */
const ACTIVE_ENDINGS: ReadonlySet<string> = new Set(
  [
    // Web servers
    'php php3 php4 php5 php7 php8 phps pht phtml phar cgi fcgi pl asp aspx ascx ashx asmx cer jsp jspx cfm cfc shtml shtm stm',
    // Browsers
    'html htm xhtml xht mht mhtml svgz xsl xslt swf mjs cjs',
    // Windows
    'exe com scr pif bat cmd msi msp ps1 psm1 vb vbs vbe js jse ws wsf wsh sct hta htc chm lnk url scf reg inf cpl dll jar jnlp py pyw msc xll msix appx',
    // Unix and macOS
    'sh bash zsh ksh csh fish run so desktop appimage command tool app terminal webloc inetloc fileloc scpt',
  ].flatMap((endings) => endings.split(' ')),
)

/** Returns the extension under which a file is saved in a folder of pages: `bin` for one that runs, and for those of the folder's own files. */
function endingOf(name: string): string {
  const [, given = ''] = ENDING.exec(name) ?? []
  const ending = given.toLowerCase()
  return ending === '' || OWN_ENDING.test(ending) || ACTIVE_ENDINGS.has(ending) ? 'bin' : ending
}

/** Lists the names that the file of a page can have, without end. @param page path of its Markdown */
function* listNames(page: string, ending: string): Generator<string, void, void> {
  const stem = page.slice(0, -'.md'.length)
  yield stem.toLowerCase().endsWith(`.${ending}`) ? stem : `${stem}.${ending}`
  yield `${page}.${ending}`
  for (let count = 2; ; count += 1) yield `${page}-${count}.${ending}`
}

/** Tests whether a path is one that {@link listNames} can give. */
function isOriginalOf(page: string, path: string): boolean {
  const [, ending = ''] = ENDING.exec(path) ?? []
  if (ending === '' || OWN_ENDING.test(ending)) return false
  const stem = page.slice(0, -'.md'.length)
  const before = path.slice(0, -1 - ending.length)
  return (
    path === stem ||
    before === stem ||
    before === page ||
    (before.startsWith(`${page}-`) && /^-[1-9]\d{0,8}$/.test(before.slice(page.length)))
  )
}
