import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolderNow } from '../../base/folder/make-folder-now.js'
import { PageFolder, runNow } from '../../base/folder/page-folder.js'
import type { IndexedFile } from '../../base/folder/read-index-now.js'
import { type Document, judgeStatus } from '../../index.js'
import type { Output, WaitingFiles, Written } from './output.js'
import { countItems } from './summary.js'
import { removeWaiting } from './waiting-files.js'

/** Settings of a folder. */
interface FolderOptions {
  /** True if the Markdown already has front matter, because `--formats` asks for it; otherwise a short one is added. */
  readonly hasFrontMatter: boolean
  /** True for the pages of a job; a single page is added to those of earlier runs. @default false */
  readonly replaces?: boolean
  /** True if files are saved beside their pages. @default false */
  readonly wantsOriginals?: boolean
  /** Folder in which files wait until their pages are written: it is deleted in the end. @default none */
  readonly waiting?: WaitingFiles
}

/**
 * Opens a folder for pages: see {@link PageFolder}. Each page is a Markdown file, and its line in `index.ndjson` has everything else: its
 * metadata and the fields of other formats.
 *
 * Files of pages that a job did not give are deleted, unless it may not have seen its whole site: see {@link SiteCoverage}. A page that
 * `--since` finds unchanged comes without its Markdown: its file stays as it is.
 */
export function openFolder(
  folder: string,
  { hasFrontMatter, replaces = false, wantsOriginals, waiting }: FolderOptions,
): Output<Document> {
  const isFaulty = ({ metadata }: IndexedFile): boolean => judgeStatus(metadata?.statusCode ?? 200) !== 'page'
  let hasEnded = false
  const pages = runNow(PageFolder.open(folder, { isFaulty, wantsOriginals }))
  return {
    destination: `${join(folder, '/')}, listed in its index.ndjson`,
    async write(document): Promise<Written> {
      const { markdown = '', ...rest } = document
      const { url, sourceURL, statusCode } = document.metadata
      const isUnread = isLeftOut(document)
      const verdict = isRemoved(document) ? 'gone' : judgeStatus(statusCode)
      const placed = pages.place({ url, sourceURL, verdict, isUnread })
      if (!placed) return 'omitted'
      await pages.originals.save(placed, document, isUnread)
      const head = hasFrontMatter ? '' : `${printFrontMatter(document)}\n`
      const isWritten = !isUnread && replaceFile(placed.path, `${head}${markdown.trimEnd()}\n`)
      pages.add(placed, rest)
      return isWritten ? 'written' : 'unchanged'
    },
    hasEarlier: (url) => pages.hasEarlier(url),
    lacking: () => pages.lacking,
    complete(left, gaps) {
      hasEnded = true
      if (!replaces || pages.size === 0) return []
      const { deleted, kept } = pages.judgeEarlier(left, gaps.length === 0)
      const moved = deleted.filter((url) => left.has(url)).length
      const count = (items: readonly string[]): string => `${countItems(items.length, 'page')} of an earlier run`
      const { lacking } = pages
      const renamed = pages.countRenamed()
      return [
        ...(deleted.length === 0 ? [] : [`Deleted: ${count(deleted)}${moved === 0 ? '' : `, ${moved} gone or moved`}`]),
        ...(kept.length === 0 ? [] : [`Kept: ${count(kept)}${listGaps(gaps)}`]),
        ...(renamed === 0
          ? []
          : [`Named otherwise: ${countItems(renamed, 'page')}, whose names have files that no run wrote`]),
        ...(lacking.length === 0
          ? []
          : [`Missing: ${countItems(lacking.length, 'page')}, unchanged and without a file, could not be read`]),
      ]
    },
    describeFiles: () => describeFiles(pages.originals),
    close() {
      pages.close()
      if (waiting && (hasEnded || !waiting.isKept)) removeWaiting(waiting)
    },
  }
}

/** Most warnings about files that the summary has. */
const MAX_WARNINGS = 5

/** Says how many files were saved, and which were not. */
function describeFiles({ size, warnings }: PageFolder['originals']): string[] {
  const more = warnings.length - MAX_WARNINGS
  return [
    ...(size === 0 ? [] : [`Files: ${size} beside the Markdown of their pages`]),
    ...warnings.slice(0, MAX_WARNINGS),
    ...(more > 0 ? [`${countItems(more, 'further file')} not saved`] : []),
  ]
}

/** Lists the reasons for which files stay, at the end of a line. */
const listGaps = (gaps: readonly string[]): string => (gaps.length === 0 ? '' : `, because ${gaps.join('; ')}`)

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
 * {@link openPartialFile}.
 *
 * @returns false for a file that has this text, which stays as it is
 */
function replaceFile(path: string, text: string): boolean {
  const partial = `${path}.${randomUUID()}.partial`
  makeFolderNow(dirname(path))
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
