import { checkArgument, nonEmptyString, type Rule } from '../../base/runtime/check-options.js'
import { FileNames } from '../../base/folder/file-names.js'
import { isTaken, pathIn } from '../../base/folder/file-place.js'
import { replaceFile } from '../../base/folder/replace-file.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { Document } from '../../kernel/page/document.js'
import { writePageFile } from './folder/page-file.js'

/** A page that was written. */
export interface WrittenPage {
  readonly url: string
  /** Path of its file in the folder, with `/`. */
  readonly file: string
}

/** Allows what `for await` reads. */
const JOB_RULE: Rule = {
  allowed: 'a job, or another source of documents for `for await`',
  accepts: (value) =>
    typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value),
}

/**
 * Writes the pages of a job as Markdown files with front matter, under the names that a mirror gives them, for a folder that is written
 * once. Files that are there stay as they are: a page whose name is taken gets another one. Error pages are left out.
 *
 * @param job a job, or any other documents
 * @param folder path of the folder, which is made where it is missing
 * @throws the error of the job's loop; Error of the file system
 * @example
 * await writePages(engine.crawl({ url: 'https://example.com/docs/' }), './docs')
 */
export async function writePages(job: AsyncIterable<Document>, folder: string): Promise<WrittenPage[]> {
  checkArgument('writePages(job, folder)', job, JOB_RULE)
  checkArgument('writePages(job, folder)', folder, nonEmptyString('the path of a folder'))
  const names = new FileNames((file) => isTaken(folder, file))
  const written: WrittenPage[] = []
  for await (const page of job) {
    const { url, statusCode } = page.metadata
    if (!isSuccessStatus(statusCode) || page.markdown === undefined) continue
    const file = names.nameFor(url)
    await replaceFile(pathIn(folder, file), writePageFile(page))
    written.push({ url, file })
  }
  return written
}
