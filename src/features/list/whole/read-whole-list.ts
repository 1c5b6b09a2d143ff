import { followSignals } from '../../../base/concurrency/deadline.js'
import type { Digest } from '../../../content/digest/digest.js'
import type { PageList } from '../../../content/extract/list/page-list.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { FETCHER_CHOICES } from '../../fetch/fetcher.js'
import type { ObtainedPage } from '../obtain-page.js'
import type { PageContext } from '../page-context.js'
import { type FollowedPages, followPages, type ListPage, type PageReader } from './follow-pages.js'
import { guessNextPage } from './guess-next-page.js'
import type { ListStep } from '../../ledger/attempt.js'
import type { ListEnding, WholeList } from './list-ending.js'
import { nextInHeader, readFurtherPage, withinTime } from './read-further-page.js'
import { describeGrowth, type ListReading, readInBrowser } from './read-in-browser.js'
import { RowMerger } from './row-merger.js'

/**
 * Share of a page's timeout that reading its list may not use, at most {@link MAX_RESERVED_MS}. It is left for the other
 * formats, so that a long list costs the page only a part of its rows.
 */
const RESERVED_SHARE = 0.15
const MAX_RESERVED_MS = 5_000

/**
 * Reads the list of a page to its end, with format `list` and `all: true`. Returns undefined where the page has no list,
 * or is not to be followed.
 *
 * @throws the signal's reason; never because of a further page
 */
export async function readWholeList(
  context: PageContext,
  { page, siteResponse }: ObtainedPage,
  digest: Digest,
): Promise<WholeList | undefined> {
  const { request, plan, deadline } = context
  if (!plan.list) return undefined
  const { timeoutMs } = plan.fetch
  using time = followSignals(deadline.signal)
  const stop = deadline.clock.after(timeoutMs - Math.min(timeoutMs * RESERVED_SHARE, MAX_RESERVED_MS), () =>
    time.abort(new Error('the `timeout` of the page was nearly up')),
  )
  request.further?.end(request.url, siteResponse)
  try {
    const reading = await readSources(context, page, digest, time.signal)
    deadline.signal.throwIfAborted()
    return reading && describe(reading)
  } finally {
    stop()
  }
}

/** Reads a list from one source after the other, until one of them brings it to its end. */
async function readSources(
  context: PageContext,
  page: FetchedPage,
  { lists: [first] = [], nextPage }: Digest,
  signal: AbortSignal,
): Promise<ListReading | undefined> {
  const maxRows = context.plan.list?.maxRows ?? 0
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
  if (page.growth || !mayGrow(page) || !mayUseBrowser(context)) return rows && { rows, heading, steps, ...trouble }
  return await readInBrowser(context, { page, rows, heading, steps }, signal)
}

/** Tests whether the pages of a list have decided how it ends: by evidence, or because they are not to be read. */
const isDecided = ({ end, stoppedBy, steps }: FollowedPages): boolean =>
  end !== undefined || stoppedBy !== undefined || steps.some(({ added }) => added > 0)

/** Tests for a web page with scripts, which may load more. */
const mayGrow = ({ contentType = 'text/html', body }: FetchedPage): boolean =>
  /html/iu.test(contentType) && Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('<script')

const mayUseBrowser = ({ plan, tools }: PageContext): boolean =>
  tools.fetchers.browser !== undefined && FETCHER_CHOICES[plan.fetch.fetcher ?? 'auto'].allowsBrowser

/** Rows from the data of a page. */
interface EmbeddedRows extends FollowedPages {
  /** Reason for which the data could not be read. The list may go on elsewhere. */
  readonly trouble?: string
}

/** Reads the rows from the data that the page embeds. Returns undefined if it has none. */
async function readData(
  context: PageContext,
  page: FetchedPage,
  { first: { items, keys, fields, template }, rows }: { first: PageList; rows: RowMerger },
  signal: AbortSignal,
): Promise<EmbeddedRows | undefined> {
  const list = { items, keys, fields, template }
  const found = await withinTime(context, signal, context.tools.listInData({ ...page, list }, signal))
  if (found === undefined) return undefined
  if (typeof found === 'string') return { steps: [], trouble: found }
  const step: ListStep = { how: 'data', url: page.url, evidence: found.evidence, added: rows.addRows(found) }
  if (rows.isFull) return { steps: [step], stoppedBy: rows.whyFull }
  const end = rows.hasTotal ? `all ${rows.entries} entries` : found.end
  return { steps: [step], ...(end !== undefined && { end }) }
}

function createReader(context: PageContext, first: FetchedPage, signal: AbortSignal): PageReader {
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
      return (
        (goesOn ? guessNextPage(url, list.items.length) : undefined) ?? (await context.tools.nextPage(latest, signal))
      )
    },
  }
}

function describe({ rows, heading, steps, ...ending }: ListReading): WholeList {
  const { end, stoppedBy } = checkTotal(rows, ending)
  return {
    steps,
    list: {
      items: rows.items,
      fields: rows.fields,
      complete: end !== undefined,
      pagesRead: 1 + steps.filter(({ how }) => how === 'pages').length,
      how: steps.findLast(({ added }) => added > 0)?.how ?? 'page',
      ...(stoppedBy !== undefined && { stoppedBy }),
      ...(heading !== undefined && { heading }),
    },
  }
}

/** Compares the end of a list with the rows that were left out, and with the total that its pages state. */
function checkTotal(rows: RowMerger, { end, stoppedBy }: ListEnding): ListEnding {
  const { total, hasTotal, entries } = rows
  if (rows.isCut) return { stoppedBy: rows.whyFull }
  if (end === undefined) return { stoppedBy: stoppedBy ?? 'The pages do not say whether the list goes on.' }
  if (total === undefined || hasTotal) return { end }
  return { stoppedBy: `The page states ${total} entries, and ${entries} were found.` }
}
