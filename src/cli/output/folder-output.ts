import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Document, judgeStatus } from '../../index.js'
import { makeFolder } from '../make-folder.js'
import { FileNames, settleNames } from '../../base/folder/file-names.js'
import { isBarred, isTaken, pathIn } from '../../base/folder/file-place.js'
import { openLineFile } from './line-file.js'
import type { Output, Written } from './output.js'
import { readIndexNow } from './read-index.js'
import { countItems } from './summary.js'

/** Settings of a folder. */
interface FolderOptions {
  /** True if the Markdown already has front matter, because `--formats` asks for it; otherwise a short one is added. */
  readonly hasFrontMatter: boolean
  /** True for the pages of a job; a single page is added to those of earlier runs. @default false */
  readonly replaces?: boolean
}

/**
 * Opens a folder for pages. Each page is a Markdown file. `index.ndjson` has everything else: the file of each URL, its
 * metadata and the fields of other formats. It lists exactly the files that runs have left in the folder.
 *
 * The pages of a job replace those of an earlier run, and files of pages that it did not give are deleted, unless the job may not have
 * seen its whole site: see {@link SiteCoverage}. Of a page with an error status nothing is written: the file that it had stays, or is
 * deleted if the page is gone. A page that `--since` finds unchanged comes without its Markdown: its file stays as it is.
 *
 * The name of a file depends on the URLs in the folder alone, and not on the order of pages.
 */
export const openFolder = (folder: string, options: FolderOptions): Output<Document> =>
  new FolderOutput(folder, options)

class FolderOutput implements Output<Document> {
  readonly destination: string
  readonly #folder: string
  readonly #indexPath: string
  readonly #hasFrontMatter: boolean
  readonly #replaces: boolean
  readonly #names = new FileNames((file) => this.#isForeign(file))
  readonly #index: ReturnType<typeof openLineFile>
  /** Indexes of runs that were killed. */
  readonly #leftIndexes: readonly string[]
  /** Files of earlier runs, by URL. */
  readonly #earlier = new Map<string, string>()
  /** URLs whose file has the text of an error page, as earlier versions wrote them. */
  readonly #faulty = new Set<string>()
  readonly #files = new Map<string, string>()
  readonly #gone = new Set<string>()
  readonly #lacking = new Set<string>()
  #deletesOthers = false
  #isOpen = true

  constructor(folder: string, { hasFrontMatter, replaces = false }: FolderOptions) {
    this.#folder = folder
    this.#hasFrontMatter = hasFrontMatter
    this.#replaces = replaces
    this.#indexPath = join(folder, 'index.ndjson')
    this.destination = `${join(folder, '/')}, listed in its index.ndjson`
    this.#leftIndexes = listLeft(this.#indexPath)
    this.#index = openLineFile(this.#indexPath)
    this.#readEarlier()
  }

  async write(document: Document): Promise<Written> {
    const { markdown = '', ...rest } = document
    const { url, sourceURL, statusCode } = document.metadata
    const answer = isRemoved(document) ? 'gone' : judgeStatus(statusCode)
    if (answer === 'gone') for (const one of [url, sourceURL]) this.#gone.add(one)
    if (answer !== 'page') return 'omitted'
    const file = this.#earlier.get(url) ?? this.#names.nameFor(url)
    const path = pathIn(this.#folder, file)
    const isUnread = isLeftOut(document)
    if (isUnread && !this.#hasTextOf(url, path)) {
      this.#lacking.add(url)
      return 'omitted'
    }
    const head = this.#hasFrontMatter ? '' : `${printFrontMatter(document)}\n`
    const isWritten = !isUnread && replaceFile(path, `${head}${markdown.trimEnd()}\n`)
    this.#lacking.delete(url)
    this.#files.set(url, file)
    this.#index.add({ url, file, ...rest })
    return isWritten ? 'written' : 'unchanged'
  }

  hasEarlier(url: string): boolean {
    return this.#earlier.has(url)
  }

  lacking(): readonly string[] {
    return [...this.#lacking]
  }

  complete(left: ReadonlySet<string>, gaps: readonly string[]): readonly string[] {
    if (!this.#replaces || this.#files.size === 0) return []
    this.#deletesOthers = gaps.length === 0
    for (const url of left) this.#gone.add(url)
    const others = [...this.#earlier.keys()].filter((url) => !this.#files.has(url))
    const lost = others.filter((url) => this.#isDeleted(url))
    const moved = lost.filter((url) => left.has(url)).length
    const count = (pages: number): string => `${countItems(pages, 'page')} of an earlier run`
    const { size } = this.#lacking
    const renamed = this.#countRenamed()
    return [
      ...(lost.length === 0 ? [] : [`Deleted: ${count(lost.length)}${moved === 0 ? '' : `, ${moved} gone or moved`}`]),
      ...(lost.length === others.length ? [] : [`Kept: ${count(others.length - lost.length)}${listGaps(gaps)}`]),
      ...(renamed === 0
        ? []
        : [`Named otherwise: ${countItems(renamed, 'page')}, whose names have files that no run wrote`]),
      ...(size === 0 ? [] : [`Missing: ${countItems(size, 'page')}, unchanged and without a file, could not be read`]),
    ]
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    // No page came: the folder stays as it is.
    if (this.#files.size === 0) return this.#index.close()
    const kept = new Map<string, string>()
    for (const [url, file] of this.#earlier) {
      if (this.#files.has(url)) continue
      if (this.#isDeleted(url)) removeFile(this.#folder, file)
      else kept.set(url, file)
    }
    this.#keepLines(kept)
    const moved = this.#names.hasCollided ? this.#moveFiles() : undefined
    if (moved?.size) {
      const settled = openLineFile(this.#indexPath)
      for (const line of readIndexNow(this.#index.path))
        settled.add({ ...line, file: moved.get(line.url) ?? line.file })
      this.#index.discard()
      settled.close()
    } else this.#index.close()
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

  /** Counts the pages whose names have something that no run wrote. */
  #countRenamed(): number {
    const own = new Set(this.#files.values())
    const plain = settleNames(this.#files.keys())
    return [...plain].filter(([url, file]) => file !== this.#files.get(url) && !own.has(file) && this.#isForeign(file))
      .length
  }

  /** Gives the files of pages the names that depend on their URLs alone. @returns the new names of those that have moved */
  #moveFiles(): ReadonlyMap<string, string> {
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
    for (const [between, to] of waiting) renameSync(between, to)
    return moved
  }

  /** Tests whether the file of a page may have its text. After a run that was killed, a page may be newer than its file. */
  #hasTextOf(url: string, path: string): boolean {
    return this.#leftIndexes.length === 0 && !this.#faulty.has(url) && existsSync(path)
  }

  #isDeleted(url: string): boolean {
    return this.#gone.has(url) || (this.#deletesOthers && !this.#lacking.has(url))
  }

  /** Adds the lines of pages whose files stay to the index. */
  #keepLines(kept: Map<string, string>): void {
    const waiting = new Map(kept)
    for (const index of this.#listIndexes())
      for (const line of readIndexNow(index)) {
        if (waiting.get(line.url) !== line.file) continue
        this.#index.add(line)
        waiting.delete(line.url)
      }
    for (const [url, file] of kept) this.#files.set(url, file)
  }

  #listIndexes(): string[] {
    return [...(existsSync(this.#indexPath) ? [this.#indexPath] : []), ...this.#leftIndexes]
  }

  /**
   * Reads the file of each URL from the indexes of earlier runs, and keeps these names for their pages: another page must not replace one
   * that comes later, unchanged and without its Markdown. A file that no page of the URL can have is not one of trawl's, nor is what is below a link.
   */
  #readEarlier(): void {
    for (const index of this.#listIndexes())
      for (const { url, file, metadata } of readIndexNow(index)) {
        if (isBarred(this.#folder, file) || !this.#names.reserve(url, file)) continue
        this.#earlier.set(url, file)
        if (judgeStatus(metadata?.statusCode ?? 200) !== 'page') this.#faulty.add(url)
      }
  }
}

/** Lists the reasons for which files stay, at the end of a line. */
const listGaps = (gaps: readonly string[]): string => (gaps.length === 0 ? '' : `, because ${gaps.join('; ')}`)

/** Lists the temporary indexes of runs that were killed: one of a process that lives may still be written. */
function listLeft(indexPath: string): string[] {
  const folder = dirname(indexPath)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => {
      const found = /^index\.ndjson\.(?:(\d+)\.)?[\da-f-]{36}\.partial$/.exec(name)
      return found !== null && !isOfLivingProcess(Number(found[1] ?? 0))
    })
    .map((name) => join(folder, name))
}

function isOfLivingProcess(pid: number): boolean {
  // A container gives its program the same number each time.
  if (pid === 0 || pid === process.pid) return false
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
    if (/\.md\.[\da-f-]{36}\.partial$/.test(name)) rmSync(join(folder, name), { force: true })
}

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

/** Tests whether a page has no Markdown because it has not changed since the earlier crawl. */
const isLeftOut = ({ markdown, changeTracking }: Document): boolean =>
  markdown === undefined && changeTracking?.changeStatus === 'same'

/** Tests whether the site says of a page of the earlier crawl that there is none any more. */
const isRemoved = ({ changeTracking }: Document): boolean => changeTracking?.changeStatus === 'removed'

/** Formats a short front matter. JSON strings are valid YAML, whatever they contain. */
function printFrontMatter({ metadata: { url, title, statusCode } }: Document): string {
  const titleLine = title === undefined ? [] : [`title: ${JSON.stringify(title)}`]
  return ['---', `url: ${JSON.stringify(url)}`, ...titleLine, `statusCode: ${statusCode}`, '---', ''].join('\n')
}

/**
 * Writes a file under a temporary name first, so that it is complete or absent. It is synchronous for the reason of
 * {@link openLineFile}.
 *
 * @returns false for a file that has this text, which stays as it is
 */
function replaceFile(path: string, text: string): boolean {
  const partial = `${path}.${randomUUID()}.partial`
  makeFolder(dirname(path))
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  try {
    writeFileSync(partial, text, { flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
  return true
}
