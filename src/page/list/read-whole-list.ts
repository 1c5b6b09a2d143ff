import { followSignals } from '../../concurrency/deadline.js'
import type { Digest } from '../../digest/digest.js'
import type { FetchedPage, ListGrowth } from '../../fetch/fetched-page.js'
import { FETCHER_CHOICES } from '../../fetch/fetcher.js'
import type { ObtainedPage } from '../obtain-page.js'
import type { PageContext } from '../page-context.js'
import { type FollowedPages, followPages, type ListPage, type PageReader } from './follow-pages.js'
import { guessNextPage } from './guess-next-page.js'
import type { ListStep } from '../../ledger/attempt.js'
import type { ListEnding, WholeList } from './list-ending.js'
import { type FurtherPage, type FurtherRequest, nextInHeader, readFurtherPage } from './read-further-page.js'
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

/** The rows of a list from all sources, and how they end. */
interface ListReading extends FollowedPages {
  readonly rows: RowMerger
  readonly heading: string | undefined
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
  const steps = followed?.steps ?? []
  if (rows && page.growth) return { rows, heading, steps, ...describeGrowth(rows, page.growth) }
  if (page.growth || !mayGrow(page) || !mayUseBrowser(context)) return rows && { rows, heading, steps }
  return await readInBrowser(context, { page, rows, heading, steps }, signal)
}

/** Tests whether the pages of a list have decided how it ends: by evidence, or because they are not to be read. */
const isDecided = ({ end, stoppedBy, steps }: FollowedPages): boolean =>
  end !== undefined || stoppedBy !== undefined || steps.some(({ added }) => added > 0)

/** Tests for a web page with scripts, which may load more. */
const mayGrow = ({ contentType = 'text/html', body }: FetchedPage): boolean =>
  /html/iu.test(contentType) && Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('<script')

/** The list as its pages deliver it. */
interface PlainList extends Pick<ListReading, 'heading' | 'steps'> {
  readonly page: FetchedPage
  /** Undefined if the page has no list. */
  readonly rows: RowMerger | undefined
}

/** Reads the list of the page in a browser, where it grows. */
async function readInBrowser(
  context: PageContext,
  { page: { url }, rows: known, heading, steps }: PlainList,
  signal: AbortSignal,
): Promise<ListReading | undefined> {
  const maxRows = context.plan.list?.maxRows ?? 0
  // Without the template of the first page, because the list in the browser has more to choose the fields by.
  const answer = await read(context, { url, expand: { maxRows } }, signal)
  if (typeof answer === 'string') return known && { rows: known, heading, steps, stoppedBy: answer }
  const { list, fetched } = answer
  if (!list || known?.isIn(list) === false)
    return known && { rows: known, heading, steps, stoppedBy: 'The list is not in the page of the browser.' }
  const rows = new RowMerger(list, maxRows)
  const added = Math.max(0, rows.items.length - (known?.items.length ?? 0))
  const step: ListStep = { how: 'browser', url, evidence: 'the page itself', added }
  const growth = { ...fetched.growth, ...(list.end !== undefined && { end: list.end }) }
  return { rows, heading: list.heading ?? heading, steps: [...steps, step], ...describeGrowth(rows, growth) }
}

function describeGrowth(rows: RowMerger, { end, stoppedBy }: Pick<ListGrowth, 'end' | 'stoppedBy'>): ListEnding {
  if (rows.hasTotal) return { end: `all ${rows.items.length} entries` }
  if (rows.isFull) return { stoppedBy: rows.whyFull }
  return end === undefined ? { stoppedBy: growthEndings[stoppedBy ?? 'idle'] } : { end }
}

const growthEndings = {
  idle: 'Two attempts to load more in the browser brought nothing new, and the page does not say that the list ends.',
  most: 'The list has more rows than `most`.',
  timeout: 'The list was still growing when the `timeout` of the page was nearly up.',
  bytes: 'The list was still growing when it reached the limit of bytes of a page.',
  navigation: 'The page went to another document while it loaded more of the list.',
} as const

const mayUseBrowser = ({ plan, tools }: PageContext): boolean =>
  tools.fetchers.browser !== undefined && FETCHER_CHOICES[plan.fetch.fetcher ?? 'auto'].allowsBrowser

/** Reads a further page. @returns the reason if it has no answer @throws the reason of the page's own signal */
async function read(context: PageContext, request: FurtherRequest, signal: AbortSignal): Promise<FurtherPage | string> {
  try {
    return await readFurtherPage(context, request, signal)
  } catch {
    // The signal has aborted: nothing else is thrown.
    context.deadline.signal.throwIfAborted()
    return 'The `timeout` of the page was nearly up.'
  }
}

function createReader(context: PageContext, first: FetchedPage, signal: AbortSignal): PageReader {
  let latest = first
  return {
    async read({ url }, rows) {
      if (new URL(url).origin !== new URL(first.url).origin) return `The next page, ${url}, is on another site.`
      const request = { url, template: rows.template }
      const answer = await read(context, request, signal)
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

/** Compares the end of a list with the total that its pages state. */
function checkTotal({ total, hasTotal, items }: RowMerger, { end, stoppedBy }: ListEnding): ListEnding {
  if (end === undefined) return { stoppedBy: stoppedBy ?? 'The pages do not say whether the list goes on.' }
  if (total === undefined || hasTotal) return { end }
  return { stoppedBy: `The page states ${total} entries, and ${items.length} were found.` }
}
