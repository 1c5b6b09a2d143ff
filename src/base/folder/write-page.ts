import { readFile } from 'node:fs/promises'
import { type FolderPage, PageFolder } from './page-folder.js'
import { type MarkdownPage, writePageFile } from './page-file.js'
import { replaceFile } from './replace-file.js'

/** Page as a job gives it. */
interface GivenPage extends MarkdownPage {
  readonly metadata: MarkdownPage['metadata'] & { readonly sourceURL: string; readonly statusCode: number }
  readonly changeTracking?: { readonly changeStatus: string }
}

/** Verdict of a status on a page. */
type Judge = (statusCode: number) => FolderPage['verdict']

/** Outcome of a page: `omitted` for one that is gone or could not be read, `textless` for one without Markdown. */
type PageOutcome = 'written' | 'unchanged' | 'omitted' | 'textless'

/** Opens a folder of pages, in steps. @param wantsOriginals true if files are saved beside their pages */
export const openPages = (folder: string, judge: Judge, wantsOriginals = false): ReturnType<typeof PageFolder.open> =>
  PageFolder.open(folder, { isFaulty: ({ metadata }) => judge(metadata?.statusCode ?? 200) !== 'page', wantsOriginals })

/**
 * Writes a page to its file, unless that has the same text, and adds it to the index. A page that `since` finds unchanged comes without its
 * Markdown: its file stays as it is.
 *
 * @throws Error of the file system
 */
export async function writePage(pages: PageFolder, page: GivenPage, judge: Judge): Promise<PageOutcome> {
  const { markdown, ...rest } = page
  const { url, sourceURL, statusCode } = page.metadata
  const status = page.changeTracking?.changeStatus
  const isUnread = markdown === undefined && status === 'same'
  const verdict = status === 'removed' ? 'gone' : judge(statusCode)
  if (verdict === 'page' && markdown === undefined && !isUnread) return 'textless'
  const placed = pages.place({ url, sourceURL, verdict, isUnread })
  if (!placed) return 'omitted'
  await pages.originals.save(placed, page, isUnread)
  const isWritten = !isUnread && (await writeText(placed.path, writePageFile(page)))
  pages.add(placed, rest)
  return isWritten ? 'written' : 'unchanged'
}

/** @returns false for a file that has this text, which stays as it is */
async function writeText(path: string, text: string): Promise<boolean> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return false
  await replaceFile(path, text)
  return true
}
