import { join } from 'node:path'
import { type PageFolder, runNow } from '../../base/folder/page-folder.js'
import { openPages, writePage } from '../../base/folder/write-page.js'
import { type Document, judgeStatus } from '../../index.js'
import type { Output, WaitingFiles, Written } from './output.js'
import { countItems } from './summary.js'
import { removeWaiting } from './waiting-files.js'

/** Settings of a folder. */
interface FolderOptions {
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
  { replaces = false, wantsOriginals, waiting }: FolderOptions = {},
): Output<Document> {
  let hasEnded = false
  const pages = runNow(openPages(folder, judgeStatus, wantsOriginals))
  return {
    destination: `${join(folder, '/')}, listed in its index.ndjson`,
    async write(document): Promise<Written> {
      const outcome = await writePage(pages, document, judgeStatus)
      return outcome === 'textless' ? 'omitted' : outcome
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
