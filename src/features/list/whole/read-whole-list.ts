import { compact } from '../../../base/collections/compact.js'
import { followSignals } from '../../../base/concurrency/deadline.js'
import type { Digest } from '../../../content/digest/digest.js'
import type { PageList } from '../../../content/extract/list/page-list.js'
import type { FetchedPage } from '../../../kernel/fetch/fetched-page.js'
import type { EngineInternals, FeatureSteps } from '../../../kernel/engine/feature.js'
import type { FeaturePage } from '../../../kernel/page/feature-page.js'
import type { PageInternals } from '../../../kernel/page/feature-steps.js'
import { type FollowedPages, followPages, type ListPage, type PageReader } from './follow-pages.js'
import type { ListEnding, ListStep, WholeList, WholeListPlan } from './list-ending.js'
import { createListTasks, type ListTasks } from './list-tasks.js'
import { type ListContext, nextInHeader, readFurtherPage, withinTime } from './read-further-page.js'
import { describeGrowth, type ListReading, readInBrowser } from './read-in-browser.js'
import { RowMerger } from './row-merger.js'
import type { NextPage } from '../../../content/extract/pagination/find-next-page.js'

/**
 * Share of a page's timeout that reading its list may not use, at most {@link MAX_RESERVED_MS}. It is left for the other
 * formats, so that a long list costs the page only a part of its rows.
 */
const RESERVED_SHARE = 0.15
const MAX_RESERVED_MS = 5_000

/** Opens the steps of an engine. */
export function openWholeLists(engine: EngineInternals): FeatureSteps<WholeListPlan, WholeList, never> {
  const tasks = createListTasks(engine)
  return { enrich: (page, internals) => readWholeList(page, internals, tasks) }
}

/**
 * Reads the list of a page to its end, with format `list` and `all: true`. Returns undefined where the page has no list,
 * or is not to be followed.
 *
 * @throws the signal's reason; never because of a further page
 */
async function readWholeList(
  { slice: { maxRows }, signal }: FeaturePage<WholeListPlan>,
  { plan, deadline, fetched, digest, requests }: PageInternals,
  tasks: ListTasks,
): Promise<WholeList | undefined> {
  const { timeoutMs } = plan.fetch
  using time = followSignals(signal)
  // The page itself may have taken most of its time.
  const leftMs = Math.max(0, deadline.leftMs() - Math.min(timeoutMs * RESERVED_SHARE, MAX_RESERVED_MS))
  const stop = deadline.clock.after(leftMs, () => time.abort(new Error('the `timeout` of the page was nearly up')))
  try {
    const context = { plan, maxRows, deadline, requests, tasks }
    const reading = await readSources(context, fetched, digest, time.signal)
    signal.throwIfAborted()
    return reading && describe(reading)
  } finally {
    stop()
  }
}

/** Reads a list from one source after the other, until one of them brings it to its end. */
async function readSources(
  context: ListContext,
  page: FetchedPage,
  digest: Digest | undefined,
  signal: AbortSignal,
): Promise<ListReading | undefined> {
  const { maxRows, requests } = context
  const { lists: [first] = [], nextPage } = digest ?? {}
  const rows = first && new RowMerger(first, maxRows)
  const start: ListPage = { url: page.url, list: first, next: nextPage ?? nextInHeader(page) }
  const followed = rows && (await followPages(start, rows, createReader(context, page, signal)))
  const heading = first?.heading
  if (rows && followed && isDecided(followed)) return { ...followed, rows, heading }
  const found = rows && first && (await readData(context, page, { first, rows }, signal))
  const steps = [...(followed?.steps ?? []), ...(found?.steps ?? [])]
  const trouble = found?.trouble !== undefined && { stoppedBy: found.trouble }
  if (rows && (found?.end ?? found?.stoppedBy) !== undefined) return { ...found, rows, heading, steps }
  if (rows && page.growth) return { rows, heading, steps, ...describeGrowth(rows, page.growth) }
  if (page.growth || !mayGrow(page) || !requests.mayUseBrowser) return rows && { rows, heading, steps, ...trouble }
  return await readInBrowser(context, { page, rows, heading, steps }, signal)
}

/** Tests whether the pages of a list have decided how it ends: by evidence, or because they are not to be read. */
const isDecided = ({ end, stoppedBy, steps }: FollowedPages): boolean =>
  end !== undefined || stoppedBy !== undefined || steps.some(({ added }) => added > 0)

/** Tests for a web page with scripts, which may load more. */
const mayGrow = ({ contentType = 'text/html', body }: FetchedPage): boolean =>
  /html/iu.test(contentType) && Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('<script')

/** Rows from the data of a page. */
interface EmbeddedRows extends FollowedPages {
  /** Reason for which the data could not be read. The list may go on elsewhere. */
  readonly trouble?: string
}

/** Reads the rows from the data that the page embeds. Returns undefined if it has none. */
async function readData(
  context: ListContext,
  page: FetchedPage,
  { first: { items, keys, fields, template }, rows }: { first: PageList; rows: RowMerger },
  signal: AbortSignal,
): Promise<EmbeddedRows | undefined> {
  const list = { items, keys, fields, template }
  const found = await withinTime(context, signal, context.tasks.listInData({ ...page, list }, signal))
  if (found === undefined) return undefined
  if (typeof found === 'string') return { steps: [], trouble: found }
  const step: ListStep = { how: 'data', url: page.url, evidence: found.evidence, added: rows.addRows(found) }
  if (rows.isFull) return { steps: [step], stoppedBy: rows.whyFull }
  const end = rows.hasTotal ? `all ${rows.entries} entries` : found.end
  return { steps: [step], end }
}

function createReader(context: ListContext, first: FetchedPage, signal: AbortSignal): PageReader {
  let latest = first
  return {
    async read({ url }, rows) {
      if (new URL(url).origin !== new URL(first.url).origin) return `The next page, ${url}, is on another site.`
      const request = { url, template: rows.template }
      const answer = await withinTime(context, signal, readFurtherPage(context, request, signal))
      if (typeof answer !== 'string') latest = answer.fetched
      return answer
    },
    async guess({ url, list }) {
      const goesOn = list?.more !== undefined || (list?.total !== undefined && list.items.length < list.total)
      const guessed = goesOn ? guessNextPage(url, list.items.length) : undefined
      return guessed ?? (await withinTime(context, signal, context.tasks.nextPage(latest, signal)))
    },
  }
}

function describe({ rows, heading, steps, ...ending }: ListReading): WholeList {
  const { end, stoppedBy, lostPage } = checkTotal(rows, ending)
  return {
    steps,
    list: compact({
      items: rows.items,
      fields: rows.fields,
      complete: end !== undefined,
      pagesRead: 1 + steps.filter(({ how }) => how === 'pages').length,
      how: steps.findLast(({ added }) => added > 0)?.how ?? ('page' as const),
      stoppedBy,
      lostPage,
      heading,
    }),
  }
}

/** Compares the end of a list with the rows that were left out, and with the total that its pages state. */
function checkTotal(rows: RowMerger, { end, stoppedBy, lostPage }: ListEnding): ListEnding {
  const { total, hasTotal, entries } = rows
  if (rows.isCut) return { stoppedBy: rows.whyFull }
  if (end === undefined) return { stoppedBy: stoppedBy ?? 'The pages do not say whether the list goes on.', lostPage }
  if (total === undefined || hasTotal) return { end }
  return { stoppedBy: `The page states ${total} entries, and ${entries} were found.` }
}

const PAGE_NAMES = /^(?:page|p|pg|paged|pagenumber|page_number|pageno|seite|pagina)$/iu
const OFFSET_NAMES = /^(?:offset|start|from|skip|first|begin|startindex|start_index)$/iu

/**
 * Guesses the URL of the next page of a list from that of the current one: a page number is increased by one, an offset by
 * the number of rows. For a page that states that its list goes on, and has no link.
 */
function guessNextPage(url: string, rows: number): NextPage | undefined {
  const next = new URL(url)
  for (const [name, value] of next.searchParams) {
    const step = PAGE_NAMES.test(name) ? 1 : OFFSET_NAMES.test(name) ? rows : 0
    if (step === 0 || !/^\d{1,9}$/u.test(value)) continue
    next.searchParams.set(name, String(Number(value) + step))
    return { url: next.href, evidence: `the parameter \`${name}\` of the URL` }
  }
  return undefined
}
