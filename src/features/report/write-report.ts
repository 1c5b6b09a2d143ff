import { basename, join } from 'node:path'
import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { LedgerRow } from '../../kernel/ledger/ledger.js'
import type { Document } from '../../kernel/page/document.js'
import { checkArgument, nonEmptyString } from '../../base/runtime/check-options.js'
import { LinkGraph } from './link-graph.js'
import { loadView } from './load-view.js'
import { ReportPages } from './report-pages.js'
import { PartWriter } from './part-writer.js'
import {
  type PackedDocument,
  ROWS_PER_BLOCK,
  type PackedBoilerplate,
  type PageStory,
  type RowStory,
} from './report-data.js'
import { describeJobFacts, describePageFacts, type FirstFacts } from './report-facts.js'
import { ReportFile } from './report-file.js'
import type { ReportedJob } from './reported-job.js'
import { StoryBlocks } from './story-blocks.js'
import { countWords } from '../../base/text/words-in.js'
import { cutText } from '../../base/text/cut-text.js'

/** Documents read at once. */
const DOCUMENTS_PER_READ = 100

/** Options of `writeReport()`. */
export interface WriteReportOptions {
  /** Aborting it rejects the promise with its reason; no file is left, and an earlier report stays. */
  signal?: AbortSignal
}

/** A report that was written. */
export interface WrittenReport {
  /** Path of the report. */
  readonly file: string
  /** Paths of the files beside it that have the contents of further pages; empty for most reports. */
  readonly parts: readonly string[]
  /** Number of URLs that it lists. */
  readonly pages: number
}

/**
 * Writes a report about a job as one HTML file: outcomes, the tree of the site, templates, slow pages, redirects and broken
 * links, duplicates, and for each page what was decided, its Markdown, and what was left out. It needs no network, runs no
 * script of a page, and can be read while the job runs. The contents of more than 20,000 pages, or of more than 48 MB,
 * are in files in a folder beside it.
 *
 * A page shows its HTML beside its Markdown if the job has format `rawHtml` or `html`, and what was left out with `trace`.
 *
 * @param source a job, a job of {@link readStoredJob}, or a single document
 * @param file path of the report: `report.html`. An earlier one is replaced, and keeps its permissions; a symbolic link keeps its target
 * @throws TypeError for an invalid argument; the reason of `signal`; TrawlError `LEDGER_ERROR`; Error of the file system
 * @example
 * const job = engine.crawl({ url: 'https://example.com', limit: 100 })
 * await job.finished()
 * await writeReport(job, 'report.html')
 * @see docs/guides/report.md
 */
export async function writeReport(
  source: ReportedJob | Document,
  file: string,
  { signal }: WriteReportOptions = {},
): Promise<WrittenReport> {
  checkArgument('writeReport(source, file)', file, nonEmptyString("the path of a file, such as 'report.html'"))
  checkArgument('writeReport(source, file)', source, { allowed: 'a job or a document', accepts: isReportable })
  if (signal !== undefined) {
    checkArgument('writeReport(source, file, { signal })', signal, {
      allowed: 'an AbortSignal',
      accepts: (value) => value instanceof AbortSignal,
    })
  }
  const job = 'urls' in source ? source : undefined
  const facts = job
    ? describeJobFacts(job, await job.status({ limit: 0 }), Date.now())
    : describePageFacts(source as Document, Date.now())
  const list = new ReportPages(facts.startedAtMs)
  await using report = await ReportFile.create(file)
  const rows = new StoryBlocks('row', (text) => report.append(text), ROWS_PER_BLOCK)
  for await (const row of job ? job.urls() : [toRow(source as Document, facts.startedAtMs)]) {
    if (list.add(row)) await rows.add(toRowStory(row))
    await yieldIfHeld()
    signal?.throwIfAborted()
  }
  await rows.end()
  list.resolve()
  return await writeDocuments({
    documents: job ? readDocuments(job) : [source as Document],
    facts,
    list,
    report,
    signal,
  })
}

interface ReportParts {
  readonly documents: AsyncIterable<Document> | Iterable<Document>
  readonly facts: FirstFacts
  readonly list: ReportPages
  readonly report: ReportFile
  readonly signal: AbortSignal | undefined
}

/** Writes the contents of pages, and then the list of all pages. */
async function writeDocuments({ documents, facts, list, report, signal }: ReportParts): Promise<WrittenReport> {
  const graph = new LinkGraph(list)
  const boilerplate = new BoilerplateTable()
  const places: PackedDocument[] = []
  const view = await loadView()
  const partsFolder = `${basename(report.path).replace(/\.html?$/i, '')}-pages`
  await using writer = new PartWriter({ report, view, list, folder: join(report.path, '..', partsFolder) })
  for await (const document of documents) {
    const { sourceURL, url, title = '', learntBoilerplate } = document.metadata
    const page = list.find(sourceURL) ?? list.find(url)
    await yieldIfHeld()
    signal?.throwIfAborted()
    if (page === undefined) continue
    graph.add(page, document)
    boilerplate.add(page, listTexts(learntBoilerplate) ?? [])
    const names = [page, title, await countWordsInTurns(document.markdown ?? '')] as const
    places.push([...names, ...(await writer.add(names, toPageStory(document)))])
  }
  const wholeFacts = { ...facts, partsFolder, partsId: writer.id, unlisted: list.unlisted, linksFrom: graph.linksFrom }
  const parts = await writer.finish(wholeFacts)
  await report.finish(view, wholeFacts, {
    texts: list.texts.list(),
    pages: list.pages,
    documents: places,
    referrers: graph.listReferrers(),
    orphans: list.orphans,
    boilerplate: boilerplate.list(),
  })
  await writer.deleteEarlier()
  return { file: report.path, parts, pages: list.pages.length }
}

const isReportable = (source: unknown): boolean =>
  typeof source === 'object' && source !== null && ('urls' in source || 'metadata' in source)

async function* readDocuments(job: ReportedJob): AsyncGenerator<Document, void, void> {
  for (let skip = 0; ;) {
    const { data, next } = await job.status({ skip, limit: DOCUMENTS_PER_READ })
    yield* data
    skip += data.length
    if (next === undefined || data.length === 0) return
  }
}

/** Creates the row of a document that is no part of a job. */
function toRow({ metadata, warning }: Document, nowMs: number): LedgerRow {
  const { sourceURL: url, url: finalUrl, statusCode, creditsUsed: credits } = metadata
  const attempt = { startedAtMs: nowMs, endedAtMs: nowMs, statusCode }
  const row = { key: url, url, via: 'seed', depth: 0, outcome: 'done', attempts: [attempt], foundAtMs: nowMs } as const
  return { ...row, credits, finalUrl: finalUrl === url ? undefined : finalUrl, warning }
}

/** Maximum different texts. */
const MAX_TEXTS = 1000
/** Maximum pages that are listed for one text. */
const MAX_PAGES = 10

/** Repeated texts that were left out of pages, each with the pages. */
class BoilerplateTable {
  readonly #texts = new Map<string, { count: number; readonly pages: number[] }>()

  /** Adds the texts of a page. */
  add(page: number, texts: readonly string[]): void {
    for (const text of texts) {
      const known = this.#texts.get(text)
      if (known) {
        known.count += 1
        if (known.pages.length < MAX_PAGES) known.pages.push(page)
      } else if (this.#texts.size < MAX_TEXTS) this.#texts.set(text, { count: 1, pages: [page] })
    }
  }

  /** Lists the texts, those of most pages first. */
  list(): PackedBoilerplate[] {
    return [...this.#texts]
      .map(([text, { count, pages }]): PackedBoilerplate => [text, count, pages])
      .toSorted(([, one], [, other]) => other - one)
  }
}

/** Characters counted between two looks at the time: a million letters beyond ASCII take 40 ms. */
const SLICE_LENGTH = 2 ** 16

/** Counts the words and numbers of a text of any length: the event loop goes on between its parts. */
export async function countWordsInTurns(text: string): Promise<number> {
  let words = 0
  for (let start = 0, end = 0; start < text.length; start = end) {
    if (start > 0) await yieldIfHeld()
    end = start + SLICE_LENGTH
    // Not between the halves of a character.
    if (LOW_SURROGATE.test(text.charAt(end))) end += 1
    words += countWords(text.slice(start, end))
    if (ENDS_IN_WORD.test(text.slice(end - 2, end)) && BEGINS_IN_WORD.test(text.slice(end, end + 2))) words -= 1
  }
  return words
}

const LOW_SURROGATE = /[\uDC00-\uDFFF]/
const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u
const BEGINS_IN_WORD = /^[\p{L}\p{N}_]/u

/** Limits of what a report has of one page. Characters. */
const MAX_MARKDOWN_LENGTH = 200_000
const MAX_HTML_LENGTH = 400_000
const MAX_PICTURE_LENGTH = 1_000_000
const MAX_FIELD_LENGTH = 20_000

/** Describes how a URL was found, and what was decided. */
function toRowStory({ sources, place, ...row }: LedgerRow): RowStory {
  void [sources, place]
  return row
}

/** Lists texts of a feature that may not be there. */
const listTexts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? (value as string[]) : undefined

/** Selects what a report shows of a document. */
function toPageStory(document: Document): PageStory {
  const { markdown, html, rawHtml, trace, fidelity, warning, metadata, ...formats } = document
  // Its format may not be there.
  const { screenshot, ...others }: Readonly<Record<string, unknown>> = formats
  const { learntBoilerplate, ...facts } = metadata
  const cut: string[] = []
  const bound = (name: string, text: string, length: number): string => {
    if (text.length > length) cut.push(name)
    return cutText(text, length)
  }
  const page = rawHtml ?? html
  const hasPicture =
    typeof screenshot === 'string' && screenshot.startsWith('data:image/') && screenshot.length <= MAX_PICTURE_LENGTH
  const fields = Object.entries({ ...facts, ...others })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, bound(name, printValue(value), MAX_FIELD_LENGTH)] as const)
  return {
    markdown: markdown === undefined ? undefined : bound('markdown', markdown, MAX_MARKDOWN_LENGTH),
    html: page === undefined ? undefined : bound('html', page, MAX_HTML_LENGTH),
    isWhole: page === undefined ? undefined : rawHtml !== undefined,
    picture: hasPicture ? screenshot : undefined,
    trace,
    boilerplate: listTexts(learntBoilerplate),
    fidelity,
    warning,
    fields,
    cut,
  }
}

const printValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
