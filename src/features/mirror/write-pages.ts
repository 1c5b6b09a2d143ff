import { isTurnOver, yieldTurn } from '../../base/concurrency/yield-turn.js'
import { anyBoolean, checkArgument, checkOptions, type Rule } from '../../base/runtime/check-options.js'
import type { EarlierPages } from '../../base/folder/page-folder.js'
import { type CoverageStatus, judgeStatus, SiteCoverage } from '../../kernel/job/site-coverage.js'
import type { LedgerRow } from '../../kernel/ledger/ledger.js'
import type { Document } from '../../kernel/page/document.js'
import { FOLDER_RULE } from './folder/folder-record.js'
import { openPages, writePage } from '../../base/folder/write-page.js'

/** Settings of {@link writePages}. */
export interface WritePagesOptions {
  /**
   * Delete the files of earlier runs whose pages the job did not find, as `--output` of the command line does: all of them, also those of
   * another site, unless the job may not have seen its whole site. Without it only those are deleted that are gone: by 404, 410 or a redirect.
   * @default false
   */
  prune?: boolean
}

/** A page that a folder has. */
export interface WrittenPage {
  readonly url: string
  /** Path of its file in the folder, with `/`. */
  readonly file: string
  /** Path of the file that the page itself is, such as a PDF: with format `original`. */
  readonly original?: string
}

/** Result of {@link writePages}. */
export interface WrittenPages {
  /** Pages that came, with their files. */
  readonly pages: readonly WrittenPage[]
  /** URLs of pages of earlier runs whose files were deleted. */
  readonly removed: readonly string[]
  /** URLs of pages of earlier runs that did not come, and whose files stay. */
  readonly kept: readonly string[]
  /** URLs of pages that came without Markdown because they are unchanged (`since`), and whose file is missing, or outdated as it could not be saved. */
  readonly missing: readonly string[]
  /** Reasons why the job may not have seen its whole site: nothing was deleted for not being found. Empty without `prune`. */
  readonly gaps: readonly string[]
  /** Pages that came without Markdown, because another format was asked for; files of pages (`original`) that could not be saved. Sentences. */
  readonly warnings: readonly string[]
}

/** A source of documents. Of a job, also its end and its rows. */
interface PageSource extends AsyncIterable<Document> {
  finished?(): Promise<CoverageStatus>
  urls?(): AsyncIterable<LedgerRow>
}

/** Allows what `for await` reads. */
const JOB_RULE: Rule = {
  allowed: 'a job, or another source of documents for `for await`',
  accepts: (value) =>
    typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value),
}

/** Runs steps, and lets others have the thread in between. */
async function runInTurns<Result>(steps: Generator<void, Result, void>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (isTurnOver()) await yieldTurn()
  }
}

/**
 * Writes the pages of a job as Markdown files with front matter, under the names that a mirror gives them, and a line for each in
 * `index.ndjson`, as `--output` of the command line does. Pages of an earlier run are replaced; error pages are left out. Files that no
 * run wrote stay as they are: a page whose name is taken gets another one. With format `original`, files such as PDF are saved beside their
 * pages, from a `media` folder or from the document.
 *
 * @param job a job, or any other documents
 * @param folder path of the folder, which is made where it is missing
 * @throws the error of the job's loop; Error of the file system, or for an `index.ndjson` that has something else
 * @example
 * await writePages(engine.crawl({ url: 'https://example.com/docs/' }), './docs')
 */
export async function writePages(
  job: PageSource,
  folder: string,
  options: WritePagesOptions = {},
): Promise<WrittenPages> {
  checkArgument('writePages(job, folder)', job, JOB_RULE)
  checkArgument('writePages(job, folder)', folder, FOLDER_RULE)
  checkOptions('writePages', options, { prune: anyBoolean })
  const pages = await runInTurns(openPages(folder, judgeStatus))
  let earlier: EarlierPages = { deleted: [], kept: [] }
  let gaps: readonly string[] = []
  let textless = 0
  try {
    for await (const page of job) if ((await writePage(pages, page, judgeStatus)) === 'textless') textless += 1
    const coverage = new SiteCoverage((url) => pages.hasEarlier(url))
    if (job.urls) for await (const row of job.urls()) coverage.add(row)
    const { prune = false } = options
    if (prune)
      gaps = job.finished && job.urls ? coverage.gaps(await job.finished()) : ['the documents are not those of a job']
    earlier = pages.judgeEarlier(coverage.left, prune && gaps.length === 0)
  } finally {
    await runInTurns(pages.finish())
  }
  return {
    pages: Array.from(pages.files, ([url, file]) => ({ url, file, original: pages.originals.of(url)?.path })),
    removed: earlier.deleted.toSorted(),
    kept: earlier.kept.toSorted(),
    missing: pages.lacking,
    gaps,
    warnings: [...(textless === 0 ? [] : [describeTextless(textless)]), ...pages.originals.warnings],
  }
}

const describeTextless = (count: number): string =>
  `${count} ${count === 1 ? 'page was' : 'pages were'} not written, because no Markdown was asked for: add \`markdown\` to \`formats\`.`
