import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Document } from '../../index.js'
import { makeFolder } from '../make-folder.js'
import { FileNames, settleNames } from './file-names.js'
import { openLineFile } from './line-file.js'
import type { Output } from './output.js'
import { readIndexNow } from './read-index.js'
import { countItems } from './summary.js'

/**
 * Opens a folder for pages. Each page is a Markdown file. `index.ndjson` has everything else: the file of each URL, its
 * metadata and the fields of other formats. It lists exactly the files that runs have left in the folder.
 *
 * The pages of a job replace those of an earlier run, and files of pages that it did not give are deleted. A job that is stopped deletes
 * nothing, and so does one with a page that failed, because others may be found by its links alone. A page that `--since` finds unchanged
 * comes without its Markdown: its file stays as it is. One that it finds gone loses its file.
 *
 * The name of a file depends on the URLs in the folder alone, and not on the order of pages.
 *
 * @param hasFrontMatter true if the Markdown already has front matter, because `--formats` asks for it; otherwise a
 * short one is added
 * @param replaces true for the pages of a job; a single page is added to those of earlier runs
 */
export function openFolder(folder: string, hasFrontMatter: boolean, replaces = false): Output<Document> {
  const indexPath = join(folder, 'index.ndjson')
  const index = openLineFile(indexPath)
  const names = new FileNames()
  const earlier = readEarlierFiles(indexPath, names)
  const files = new Map<string, string>()
  /** URLs of earlier pages that the site says are gone. */
  const gone = new Set<string>()
  let deletesOthers = false
  let isOpen = true
  const pathOf = (file: string): string => join(folder, ...file.split('/'))
  return {
    write: async (document) => {
      const { markdown = '', ...rest } = document
      const { url } = document.metadata
      if (isGone(document)) {
        gone.add(url)
        return
      }
      const file = earlier.get(url) ?? names.nameFor(url)
      const path = pathOf(file)
      const head = hasFrontMatter ? '' : `${printFrontMatter(document)}\n`
      if (!isLeftOut(document) || !existsSync(path)) replaceFile(path, `${head}${markdown.trimEnd()}\n`)
      files.set(url, file)
      index.add({ url, file, ...rest })
    },
    omits: isGone,
    complete: (hasFailures) => {
      if (!replaces || files.size === 0) return []
      deletesOthers = !hasFailures
      const others = [...earlier.keys()].filter((url) => !files.has(url))
      const lost = deletesOthers ? others.length : others.filter((url) => gone.has(url)).length
      return [
        ...(lost === 0 ? [] : [`Deleted: ${countItems(lost, 'page')} of an earlier run`]),
        ...(lost === others.length
          ? []
          : [
              `Kept: ${countItems(others.length - lost, 'page')} of an earlier run, because pages failed by whose links they may be found`,
            ]),
      ]
    },
    close: () => {
      if (!isOpen) return
      isOpen = false
      // No page came: the folder stays as it is.
      if (files.size === 0) return index.close()
      const kept = new Map<string, string>()
      for (const [url, file] of earlier) {
        if (files.has(url)) continue
        if (deletesOthers || gone.has(url)) removeFile(folder, file)
        else kept.set(url, file)
      }
      if (kept.size > 0)
        for (const line of readIndexNow(indexPath)) if (kept.get(line.url) === line.file) index.add(line)
      for (const [url, file] of kept) files.set(url, file)
      const moved = names.hasCollided ? moveFiles(files, pathOf) : undefined
      if (!moved?.size) return index.close()
      const settled = openLineFile(indexPath)
      for (const line of readIndexNow(index.path)) settled.add({ ...line, file: moved.get(line.url) ?? line.file })
      index.discard()
      settled.close()
    },
    destination: `${join(folder, '/')}, listed in its index.ndjson`,
  }
}

/**
 * Reads the file of each URL from the index of the last run, and keeps these names for their pages: another page must not replace one
 * that comes later, unchanged and without its Markdown. A file that no page of the URL can have is not one of trawl's.
 */
function readEarlierFiles(index: string, names: FileNames): ReadonlyMap<string, string> {
  const earlier = new Map<string, string>()
  if (existsSync(index))
    for (const { url, file } of readIndexNow(index)) if (names.reserve(url, file)) earlier.set(url, file)
  return earlier
}

/** Gives the files of pages the names that depend on their URLs alone. @returns the new names of those that have moved */
function moveFiles(files: ReadonlyMap<string, string>, pathOf: (file: string) => string): ReadonlyMap<string, string> {
  const moved = new Map([...settleNames(files.keys())].filter(([url, file]) => files.get(url) !== file))
  const waiting = [...moved].flatMap(([url, file]) => {
    const from = pathOf(files.get(url) ?? file)
    const between = `${from}.${randomUUID()}.partial`
    // One that was deleted by hand stays so.
    if (!existsSync(from)) return []
    renameSync(from, between)
    return [[between, pathOf(file)] as const]
  })
  for (const [between, to] of waiting) renameSync(between, to)
  return moved
}

/** Deletes a file of an earlier run, and the folders that it leaves empty. */
function removeFile(folder: string, file: string): void {
  const parts = file.split('/')
  rmSync(join(folder, ...parts), { force: true })
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
const isGone = ({ changeTracking }: Document): boolean => changeTracking?.changeStatus === 'removed'

/** Formats a short front matter. JSON strings are valid YAML, whatever they contain. */
function printFrontMatter({ metadata: { url, title, statusCode } }: Document): string {
  const titleLine = title === undefined ? [] : [`title: ${JSON.stringify(title)}`]
  return ['---', `url: ${JSON.stringify(url)}`, ...titleLine, `statusCode: ${statusCode}`, '---', ''].join('\n')
}

/**
 * Writes a file under a temporary name first, so that it is complete or absent. It is synchronous for the reason of
 * {@link openLineFile}.
 */
function replaceFile(path: string, text: string): void {
  const partial = `${path}.${randomUUID()}.partial`
  makeFolder(dirname(path))
  try {
    writeFileSync(partial, text, { flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
