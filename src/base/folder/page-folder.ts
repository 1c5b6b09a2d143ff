import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FileNames, settleNames } from './file-names.js'
import { isBarred, isTaken, pathIn } from './file-place.js'
import { openLineFile } from './line-file.js'
import { lacksOriginal, OriginalFiles } from './original-files.js'
import { NoFileError } from './partial-file.js'
import { type IndexedFile, readIndexNow } from './read-index-now.js'

/** Runs all steps of some work at once. */
export function runNow<Result>(steps: Generator<void, Result, void>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A page for a folder. */
export interface FolderPage {
  /** URL after redirects. */
  readonly url: string
  readonly sourceURL: string
  /** Verdict on its copy: `page` replaces it, `gone` deletes it, `unread` leaves it. */
  readonly verdict: 'page' | 'gone' | 'unread'
  /** True if it has not changed and came without its text: its file stays as it is. */
  readonly isUnread: boolean
}

/** The file of a page. */
interface PlacedPage {
  readonly url: string
  /** Path in the folder, with `/`. */
  readonly file: string
  readonly path: string
}

/** Settings of a folder. */
interface FolderOptions {
  /** Tests by its line in an index whether the file of a page has the text of an error page. */
  readonly isFaulty: (line: IndexedFile) => boolean
  /** True if files are to be saved beside their pages: an unchanged page whose file no run has saved is to be read again. @default false */
  readonly wantsOriginals?: boolean
}

/** Fate of the pages of earlier runs that did not come again. URLs. */
export interface EarlierPages {
  readonly deleted: readonly string[]
  readonly kept: readonly string[]
}

/**
 * A folder of pages. Each page has a file. `index.ndjson` has a line for each, and lists exactly the files that runs have left in the folder.
 *
 * Pages of a run replace those of an earlier one. Of a page with an error status nothing is written: the file that it had stays, or is
 * deleted if the page is gone. What did not come is deleted only where {@link PageFolder.judgeEarlier} was told that it can be.
 *
 * The name of a file depends on the URLs in the folder alone, and not on the order of pages.
 */
export class PageFolder {
  readonly #folder: string
  readonly #indexPath: string
  readonly #isFaulty: FolderOptions['isFaulty']
  readonly #wantsOriginals: boolean
  readonly #names = new FileNames((file) => this.#isForeign(file))
  readonly #index: ReturnType<typeof openLineFile>
  /** Indexes of runs that were killed. */
  readonly #leftIndexes: readonly string[]
  /** Files of earlier runs, by URL. */
  readonly #earlier = new Map<string, string>()
  /** URLs whose file has the text of an error page, or was not saved as it is. */
  readonly #faulty = new Set<string>()
  readonly #files = new Map<string, string>()
  /** Files of pages that are files themselves. */
  readonly originals: OriginalFiles
  readonly #gone = new Set<string>()
  readonly #lacking = new Set<string>()
  #deletesOthers = false
  #isOpen = true

  constructor(folder: string, { isFaulty, wantsOriginals = false }: FolderOptions) {
    this.#folder = folder
    this.#isFaulty = isFaulty
    this.#wantsOriginals = wantsOriginals
    this.#indexPath = join(folder, 'index.ndjson')
    this.#leftIndexes = listLeft(this.#indexPath)
    this.originals = new OriginalFiles(folder, findStartMs(this.#leftIndexes))
    this.#index = openLineFile(this.#indexPath)
  }

  /** Opens a folder, which is made where it is missing, in steps of a line of its index each. @throws NoFileError, Error of the file system */
  static *open(folder: string, options: FolderOptions): Generator<void, PageFolder, void> {
    const pages = new PageFolder(folder, options)
    try {
      yield* pages.#readEarlier()
      return pages
    } catch (error) {
      pages.#index.discard()
      throw error
    }
  }

  /** Number of pages of this run. */
  get size(): number {
    return this.#files.size
  }

  /** Pages that came unchanged and without their text, and whose file is missing: they are to be read again. */
  get lacking(): readonly string[] {
    return [...this.#lacking]
  }

  hasEarlier(url: string): boolean {
    return this.#earlier.has(url)
  }

  /** Finds the file of a page; undefined for one of which nothing is written. It is written before {@link PageFolder.add}. */
  place({ url, sourceURL, verdict, isUnread }: FolderPage): PlacedPage | undefined {
    if (verdict === 'gone') for (const one of [url, sourceURL]) this.#gone.add(one)
    if (verdict !== 'page') return undefined
    const file = this.#earlier.get(url) ?? this.#names.nameFor(url)
    const path = pathIn(this.#folder, file)
    if (!isUnread || this.#hasTextOf(url, path)) return { url, file, path }
    this.#lacking.add(url)
    return undefined
  }

  /** Adds a page whose file is there to the index. @param line what the index has of it */
  add({ url, file }: PlacedPage, line: Readonly<Record<string, unknown>>): void {
    this.#lacking.delete(url)
    this.#files.set(url, file)
    this.#index.add({ url, file, ...line, original: this.originals.lineOf(url, line['original']) })
  }

  /**
   * Judges the pages of earlier runs that did not come, when all others have.
   *
   * @param left pages of which the site says that they have left their URL: they are deleted
   * @param deletesOthers true to delete those as well of which it says nothing
   */
  judgeEarlier(left: ReadonlySet<string>, deletesOthers: boolean): EarlierPages {
    this.#deletesOthers = deletesOthers
    for (const url of left) this.#gone.add(url)
    const others = [...this.#earlier.keys()].filter((url) => !this.#files.has(url))
    // Where no page came, the folder stays as it is.
    const deleted = this.#files.size === 0 ? [] : others.filter((url) => this.#isDeleted(url))
    const lost = new Set(deleted)
    return { deleted, kept: others.filter((url) => !lost.has(url)) }
  }

  /** Counts the pages whose names have something that no run wrote. */
  countRenamed(): number {
    const own = new Set(this.#files.values())
    const plain = settleNames(this.#files.keys())
    return [...plain].filter(([url, file]) => file !== this.#files.get(url) && !own.has(file) && this.#isForeign(file))
      .length
  }

  /** Returns the file of each page of this run, by URL: when it has ended, under its final name. */
  get files(): ReadonlyMap<string, string> {
    return this.#files
  }

  /** Deletes what can go, and writes the index. Synchronous, so that it can be called at exit. Further calls do nothing. */
  close(): void {
    runNow(this.finish())
  }

  /**
   * Does what {@link PageFolder.close} does in steps of a file or a line each, between which others can have the thread. Where the index
   * cannot be written, such as on a full disk, what it has is left to the next run, as a killed one leaves it.
   */
  *finish(): Generator<void, void, void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      yield* this.#finish()
    } catch (error) {
      if (existsSync(this.#index.path)) this.#index.leave()
      throw error
    }
  }

  *#finish(): Generator<void, void, void> {
    // No page came: the folder stays as it is.
    if (this.#files.size === 0) {
      this.#index.close()
      return
    }
    const kept = new Map<string, string>()
    for (const [url, file] of this.#earlier) {
      if (this.#files.has(url)) continue
      if (this.#isDeleted(url)) removeFile(this.#folder, file)
      else {
        kept.set(url, file)
        this.originals.keepEarlier(url)
      }
      yield
    }
    for (const url of this.#earlier.keys()) {
      this.originals.removeEarlier(url, (file) => removeFile(this.#folder, file))
      yield
    }
    const own = new Set(this.#files.keys())
    yield* this.#keepLines(kept)
    const moved = this.#names.hasCollided ? yield* this.#moveFiles() : undefined
    if (moved?.size) {
      const settled = openLineFile(this.#indexPath)
      try {
        for (const line of readIndexNow(this.#index.path)) {
          const file = moved.get(line.url)
          const original = file === undefined ? line.original : (this.originals.of(line.url) ?? line.original)
          settled.add({ ...line, file: file ?? line.file, original })
          yield
        }
      } catch (error) {
        settled.discard()
        throw error
      }
      this.#index.discard()
      settled.close()
    } else this.#index.close()
    for (const url of this.#files.keys()) if (!own.has(url)) this.#files.delete(url)
    for (const index of this.#leftIndexes) rmSync(index, { force: true })
    if (this.#leftIndexes.length > 0) removePartialPages(this.#folder)
  }

  /**
   * Tests whether a path has something that no run wrote. One that was killed may have written a page that no index names yet, which begins
   * with front matter.
   */
  #isForeign(file: string): boolean {
    if (!isTaken(this.#folder, file)) return false
    return this.#leftIndexes.length === 0 || !startsWithFrontMatter(pathIn(this.#folder, file))
  }

  /** Gives the files of pages the names that depend on their URLs alone. @returns the new names of those that have moved */
  *#moveFiles(): Generator<void, ReadonlyMap<string, string>, void> {
    const own = new Set(this.#files.values())
    const names = settleNames(this.#files.keys(), (file) => !own.has(file) && this.#isForeign(file))
    const moved = new Map([...names].filter(([url, file]) => this.#files.get(url) !== file))
    const waiting = [...moved].flatMap(([url, file]) => {
      const from = pathIn(this.#folder, this.#files.get(url) ?? file)
      const between = `${from}.${randomUUID()}.partial`
      // One that was deleted by hand stays so.
      if (!existsSync(from)) return []
      renameSync(from, between)
      return [[between, pathIn(this.#folder, file)] as const]
    })
    for (const [between, to] of waiting) {
      renameSync(between, to)
      yield
    }
    for (const [url, file] of moved) this.#files.set(url, file)
    this.originals.move(moved)
    return moved
  }

  /** Tests whether the file of a page may have its text. After a run that was killed, a page may be newer than its file. */
  #hasTextOf(url: string, path: string): boolean {
    return this.#leftIndexes.length === 0 && !this.#faulty.has(url) && existsSync(path) && this.originals.isWhole(url)
  }

  #isDeleted(url: string): boolean {
    return this.#gone.has(url) || (this.#deletesOthers && !this.#lacking.has(url))
  }

  /** Adds the lines of pages whose files stay to the index, and those of another run that has ended meanwhile. */
  *#keepLines(kept: Map<string, string>): Generator<void, void, void> {
    const waiting = new Map(kept)
    for (const index of this.#listIndexes())
      for (const line of readIndexNow(index)) {
        const { url, file } = line
        const isOfOther = !this.#earlier.has(url) && !this.#files.has(url) && this.#names.reserve(url, file)
        if (isOfOther) kept.set(url, file)
        if (isOfOther || waiting.get(url) === file) {
          this.#index.add(line)
          waiting.delete(url)
        }
        this.#replaceOther(line)
        yield
      }
    for (const [url, file] of kept) this.#files.set(url, file)
  }

  /** Deletes the file that another run has given a page of this one meanwhile: it has the name that the page would get. */
  #replaceOther({ url, file, original }: IndexedFile): void {
    const own = this.#files.get(url)
    if (own === undefined || own === file || this.#earlier.has(url)) return
    if (!this.#names.reserve(url, file) || isBarred(this.#folder, file)) return
    rmSync(pathIn(this.#folder, file), { force: true })
    this.originals.removeOther(file, original)
  }

  #listIndexes(): string[] {
    return [...(existsSync(this.#indexPath) ? [this.#indexPath] : []), ...this.#leftIndexes]
  }

  /**
   * Reads the file of each URL from the indexes of earlier runs, and keeps these names for their pages: another page must not replace one
   * that comes later, unchanged and without its text. A file that no page of the URL can have is not one of trawl's, nor is what is below a link.
   *
   * @throws NoFileError for an index that has something else: it would be replaced
   */
  *#readEarlier(): Generator<void, void, void> {
    for (const index of this.#listIndexes()) {
      let isIndex = index !== this.#indexPath || statSync(index).size === 0
      for (const line of readIndexNow(index)) {
        isIndex = true
        yield
        const { url, file } = line
        if (isBarred(this.#folder, file) || !this.#names.reserve(url, file)) continue
        this.#earlier.set(url, file)
        this.originals.keep(url, file, line.original)
        if (this.#isFaulty(line) || (this.#wantsOriginals && lacksOriginal(line))) this.#faulty.add(url)
      }
      if (!isIndex)
        throw new NoFileError(
          `${index} is no list of the pages of a folder, and would be replaced: name another folder`,
        )
    }
  }
}

/** Lists the temporary indexes of runs that were killed: one of a process that lives may still be written. */
function listLeft(indexPath: string): string[] {
  const folder = dirname(indexPath)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const found = /^index\.ndjson\.(?:(\d+)\.)?[\da-f-]{36}\.partial$/.exec(name)
    const path = join(folder, name)
    return found === null || isOfLivingProcess(Number(found[1] ?? 0), path) ? [] : [path]
  })
}

/** Finds the time at which the first of these files was begun. Milliseconds; undefined if there is none. */
function findStartMs(paths: readonly string[]): number | undefined {
  const times = paths.map((path) => {
    const { birthtimeMs = 0, mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {}
    // Some file systems do not know it.
    return birthtimeMs || mtimeMs
  })
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Tests whether the process that made a file or folder lives. */
export function isOfLivingProcess(pid: number, path: string): boolean {
  if (pid === 0) return false
  // A container gives its program the same number each time: what was written before this process began is of an earlier one.
  if (pid === process.pid) return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= performance.timeOrigin
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Deletes the temporary files of pages that a run which was killed has left. */
function removePartialPages(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (isPartialPage(basename(name))) rmSync(join(folder, name), { force: true })
}

/** Tests for the name of a page while it is written, which an id stands for, or follows. */
function isPartialPage(name: string): boolean {
  const [before, end] = [name.slice(0, -PARTIAL_CHARACTERS), name.slice(-PARTIAL_CHARACTERS)]
  return /^[\da-f-]{36}\.partial$/.test(end) && (before === '' || before.endsWith('.md.'))
}

/** Characters of an id and the extension of what is not whole. */
const PARTIAL_CHARACTERS = 44

function startsWithFrontMatter(path: string): boolean {
  try {
    return /^---\n(?:url|title): "/.test(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}

/** Deletes a file of an earlier run, and the folders that it leaves empty. */
function removeFile(folder: string, file: string): void {
  const parts = file.split('/')
  rmSync(pathIn(folder, file), { force: true })
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    try {
      rmdirSync(join(folder, ...parts.slice(0, depth)))
    } catch {
      // It has other files.
      return
    }
  }
}
