import type { PageList } from '../../../content/extract/list/page-list.js'
import type { RecordedAnswer } from '../../../kernel/fetch/fetched-page.js'
import { isComplete } from '../data/map-records.js'
import type { LearntSeries } from '../data/learn-series.js'
import type { NextAnswer } from '../data/answer-series.js'
import { isWebUrl, MAX_URL_CHARACTERS } from '../../../base/url.js'
import type { RequestsForPage } from '../../../kernel/page/feature-steps.js'
import type { ListContext } from './read-further-page.js'
import type { ListEnding, ListStep } from './list-ending.js'
import type { FurtherPlan, PlannedRequest } from '../../../kernel/page/plan-further.js'
import type { RowMerger } from './row-merger.js'

/** A page of the browser whose requests bring the entries of its list. */
interface RecordedPage {
  readonly url: string
  readonly answers: readonly RecordedAnswer[]
  readonly list: PageList
}

/** The end of a list that was continued by requests. */
interface ContinuedAnswers {
  readonly ending: ListEnding
  /** False if the requests could not be continued, so that the browser has to bring the rest. */
  readonly isDone: boolean
}

/** Answers without new rows after which a list is not followed further. */
const MAX_IDLE_ANSWERS = 2

/**
 * Continues the requests by which a page loads its list, over HTTP, until the list ends. Adds their rows and steps to
 * `reading`, so that they are kept when the time is up.
 *
 * @throws the signal's reason
 */
export async function readAnswers(
  context: ListContext,
  { url, answers, list }: RecordedPage,
  { rows, steps }: { readonly rows: RowMerger; readonly steps: ListStep[] },
  signal: AbortSignal,
): Promise<ContinuedAnswers> {
  const { items, keys, fields, template } = list
  const { tasks, requests } = context
  const stop = (stoppedBy: string, isDone: boolean): ContinuedAnswers => ({ ending: { stoppedBy }, isDone })
  const learnt = await tasks.learnSeries({ url, answers, list: { items, keys, fields, template } }, signal)
  if (!learnt) return stop('The requests of the page do not show how the list goes on.', false)
  const { series, last } = learnt
  const shownDenial = await findFirstDenial(requests, learnt.urls, signal)
  if (shownDenial !== undefined) return stop(shownDenial, true)
  const shown = rows.addRows(learnt.rows)
  if (shown > 0)
    steps.push({
      how: 'requests',
      url: last.url,
      evidence: 'recorded in the browser',
      added: shown,
      wasRecorded: true,
    })
  const visited = new Set(learnt.urls)
  let next: NextAnswer = learnt.next
  let { total, unfit } = learnt
  let idle = 0
  let requested = 0
  while (!('end' in next)) {
    if ('stoppedBy' in next) return stop(next.stoppedBy, false)
    const { url: address, evidence } = next
    if (rows.isFull) return stop(rows.whyFull, true)
    if (visited.has(address)) return stop(`The next request, ${address}, was sent before.`, requested > 0)
    const target = new URL(address)
    if (!isWebUrl(target) || target.origin !== new URL(last.url).origin)
      return stop(`The next request, ${address}, is for another site.`, false)
    if (address.length > MAX_URL_CHARACTERS) return stop('The URL of the next request is too long.', false)
    visited.add(address)
    const further = planAnswer(requests.plan(address), url, last.headers)
    const read = await requests.request(further, signal, async (obtained) => {
      const refused = await requests.judge(obtained, signal)
      if (refused !== undefined) return { denial: `${obtained.page.url}: ${refused}` }
      return { answer: await tasks.continueSeries({ url: address, body: obtained.page.body, series }, signal) }
    })
    if (typeof read === 'string') return stop(read, false)
    if (read.denial !== undefined) return stop(read.denial, true)
    const { answer } = read
    if (!answer) return stop(`The answer of ${address} took too long to read.`, false)
    if ('unread' in answer) return stop(answer.unread, false)
    const added = rows.addRows(answer)
    steps.push({ how: 'requests', url: address, evidence, added })
    unfit += answer.unfit
    requested += added
    if (answer.total !== undefined) total = Math.max(total ?? 0, answer.total)
    idle = added === 0 ? idle + 1 : 0
    ;({ next } = answer)
    // Without the session of the page, an API may answer as if it had no entries.
    if ('end' in next && requested === 0) return stop(`${address} brought no new rows.`, false)
    if (idle < MAX_IDLE_ANSWERS || 'end' in next) continue
    // Some sites answer requests behind the last part with the last part.
    const isAll = requested > 0 && countEntries(rows, learnt) === total
    if (!isAll) return stop('Further answers brought no new rows.', requested > 0)
    next = { end: `all ${total} entries` }
  }
  return { ending: checkEnd(next.end, { rows, learnt, unfit, total }), isDone: true }
}

/** Finds the first of some addresses that a feature refuses. @returns the reason */
async function findFirstDenial(
  requests: RequestsForPage,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const url of urls) {
    const denial = await requests.refuse(url, signal)
    if (denial !== undefined) return `${url}: ${denial}`
  }
  return undefined
}

/** Counts the rows that are entries. The others are advertisements, with or without a mark. */
const countEntries = (rows: RowMerger, { series }: LearntSeries): number =>
  Math.min(rows.entries, rows.items.filter((item) => isComplete(series.mapping, item)).length)

/** Compares the end of a list with the total that its answers state. */
function checkEnd(
  end: string,
  read: { rows: RowMerger; learnt: LearntSeries; unfit: number; total: number | undefined },
): ListEnding {
  const { rows, learnt, unfit, total } = read
  if (unfit > 0) return { stoppedBy: `${unfit} entries of the answers could not be read.` }
  const entries = countEntries(rows, learnt)
  if (total === undefined || entries >= total) return { end }
  return { stoppedBy: `The answers state ${total} entries, and ${entries} were found.` }
}

/** Plans a request as the page's script sends it: without the page's cookies, and with those of its profile. */
function planAnswer(
  { cache, fetch, ...further }: PlannedRequest,
  pageUrl: string,
  recorded: RecordedAnswer['headers'],
): FurtherPlan {
  // The headers of the script have no scope: they go where the script sent them.
  const { headers, headerScope: _, prefersBrowser: __, ...fetchPlan } = fetch
  return {
    ...further,
    cache: { ...cache, read: false, write: false },
    fetch: {
      ...fetchPlan,
      fetcher: 'http',
      headers: { ...headers, accept: 'application/json', ...recorded, ...refererOf(pageUrl, further.url) },
    },
  }
}

/** Returns the header that names the page, as browsers send it by default. */
function refererOf(pageUrl: string, url: string): { referer?: string } {
  const { origin, protocol, pathname, search } = new URL(pageUrl)
  const asked = new URL(url)
  if (asked.origin === origin) return { referer: origin + pathname + search }
  return protocol === 'https:' && asked.protocol === 'http:' ? {} : { referer: `${origin}/` }
}
