import type { Page, Request, Response } from 'playwright'
import { followSignals } from '../../../base/concurrency/deadline.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { TOO_MANY_REQUESTS } from '../../../base/http/statuses.js'
import { type GrowthReport, pageFunction } from '../injected/page-functions.js'
import { isNavigation } from '../page/browser-errors.js'
import type { ListGrowth } from '../../../kernel/fetch/fetched-page.js'
import { settlePage } from '../navigation/settle-page.js'
import type { AnswerRecorder } from './record-answers.js'
import { ACTION_SETTLE_MS, pause, type RenderTask } from './render-task.js'

/** Rounds that bring nothing new, after which a list is not asked for more. */
const MAX_IDLE_ROUNDS = 2
/** Maximum number of controls that are operated. */
const MAX_PANELS = 50
/** Time after a step in which its request begins, and limit of the wait for its answer. Milliseconds. */
const EFFECT_MS = 50
const MAX_ANSWER_MS = 10_000
/**
 * Share of the page's time that is left for reading it, its minimum in milliseconds, and its maximum. In between it is a
 * multiple of the time that one look at the list took, which grows with the list and with the load of the machine.
 */
const RESERVED_SHARE = 0.2
const MAX_RESERVED_SHARE = 0.6
const MIN_RESERVED_MS = 2_000
const RESERVED_LOOKS = 30

const steps = ['next', 'further', 'end'] as const

/** Types of requests that may bring rows. */
const relevant: ReadonlySet<string> = new Set(['xhr', 'fetch', 'script', 'document'])

/**
 * Tests for a request of the page's script to its own site that was refused or failed. Those to others are measurements and
 * advertisements. A site may answer 404 or 400 for a part behind the last one.
 */
function isFailure(response: Response, pageUrl: string): boolean {
  const { hostname } = new URL(response.url())
  const ofPage = new URL(pageUrl).hostname
  const isOwn = hostname === ofPage || hostname.endsWith(`.${ofPage}`) || ofPage.endsWith(`.${hostname}`)
  const status = response.status()
  const isRefused = status >= 500 || status === TOO_MANY_REQUESTS || status === 403
  return isOwn && isRefused && /^(?:xhr|fetch)$/.test(response.request().resourceType())
}

/** Requests of a page that may bring rows. */
interface WatchedRequests extends Disposable {
  /** Those that are not answered. */
  readonly pending: Set<Request>
  /** True once one was refused or failed. */
  hasFailed: boolean
}

function watchRequests(page: Page): WatchedRequests {
  const pending = new Set<Request>()
  const onRequest = (request: Request): unknown => relevant.has(request.resourceType()) && pending.add(request)
  const onEnd = (request: Request): unknown => pending.delete(request)
  const onResponse = (response: Response): unknown => isFailure(response, page.url()) && (watched.hasFailed = true)
  const watched: WatchedRequests = {
    pending,
    hasFailed: false,
    [Symbol.dispose]: () => {
      page
        .off('request', onRequest)
        .off('requestfinished', onEnd)
        .off('requestfailed', onEnd)
        .off('response', onResponse)
    },
  }
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd).on('response', onResponse)
  return watched
}

/** Limits of the growth of a list, and what records the answers to the page's requests meanwhile. */
interface ExpandOptions {
  /** Number of rows after which the list is not asked for more. */
  readonly maxRows: number
  /** Set to stop once it has a series of answers. */
  readonly recorder?: AnswerRecorder
}

/** The time in which a list grows, which ends when only the time for reading the page is left. */
interface GrowthTime extends Disposable {
  readonly signal: AbortSignal
  /** Time that is left for growing; 0 or less when it is up. Milliseconds. */
  leftMs(): number
  /** Awaits a look at the list, and reserves more time for reading if it took long. */
  look<Answer>(looking: () => Promise<Answer>): Promise<Answer>
}

function boundGrowth(leftMs: () => number, parent: AbortSignal): GrowthTime {
  const wholeMs = leftMs()
  const follower = followSignals(parent)
  let reservedMs = Math.max(MIN_RESERVED_MS, wholeMs * RESERVED_SHARE)
  let timer: NodeJS.Timeout | undefined
  const time: GrowthTime = {
    signal: follower.signal,
    leftMs: () => leftMs() - reservedMs,
    async look(looking) {
      const askedAtMs = performance.now()
      const answer = await looking()
      const neededMs = (performance.now() - askedAtMs) * RESERVED_LOOKS
      reservedMs = Math.max(reservedMs, Math.min(wholeMs * MAX_RESERVED_SHARE, neededMs))
      startTimer()
      return answer
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      follower[Symbol.dispose]()
    },
  }
  startTimer()
  return time

  function startTimer(): void {
    clearTimeout(timer)
    timer = setTimeout(() => follower.abort(undefined), Math.max(1, time.leftMs()))
  }
}

/**
 * Opens the parts of a page that load when a control is clicked, and makes its list load more until it ends: see
 * {@link ListGrowth}. Stops early enough for the page to be read before its deadline.
 */
export async function expandPage(task: RenderTask, { maxRows, recorder }: ExpandOptions): Promise<ListGrowth> {
  const { opened, options } = task
  const { page, world } = opened
  using time = boundGrowth(options.leftMs, options.signal)
  const { signal } = time
  const documents = opened.documents.answers.length
  using requests = watchRequests(page)
  const readList = () => time.look(() => untilAborted(world.call(pageFunction('readList'), undefined), signal))
  let state: GrowthReport = { rows: 0, added: 0, length: 0 }
  let rounds = 0
  let idleRounds = 0
  let end: string | undefined
  try {
    // The page was scrolled, and draws what is in view now.
    await untilLoaded()
    for (let panels = 0; panels < MAX_PANELS && time.leftMs() > 0; panels++) {
      if (!(await untilAborted(world.call(pageFunction('openNextPanel'), undefined), signal))) break
      await untilLoaded()
    }
    recorder?.start()
    requests.hasFailed = false
    state = await readList()
    ;({ end } = state)
    // Evidence of the end is tried once: a button may be gone while it loads, and a virtual list may load more at its end.
    while (idleRounds < (end === undefined ? MAX_IDLE_ROUNDS : 1)) {
      const stoppedBy = findLimit()
      if (stoppedBy) return { rows: state.rows, rounds, stoppedBy }
      rounds += 1
      const hasGrown = await growOnce()
      requests.hasFailed &&= !hasGrown
      idleRounds = hasGrown ? 0 : idleRounds + 1
      if (opened.documents.answers.length > documents) return { rows: 0, rounds, stoppedBy: 'navigation' }
      // Scrolled on, the page may no longer show it.
      end = state.end ?? (hasGrown ? undefined : end)
      if (hasGrown && end === undefined && recorder && (await untilAborted(recorder.hasSeries(), signal)))
        return { rows: state.rows, rounds, stoppedBy: 'answers', answers: recorder.answers }
    }
    if (end !== undefined && !requests.hasFailed) return { rows: state.rows, rounds, end }
    return { rows: state.rows, rounds, stoppedBy: requests.hasFailed ? 'failed' : 'idle' }
  } catch (error) {
    options.signal.throwIfAborted()
    // What was collected so far is in the page.
    if (signal.aborted) return { rows: state.rows, rounds, stoppedBy: 'timeout' }
    if (page.isClosed() || !isNavigation(error)) throw error
    // The rows so far are gone with their document.
    return { rows: 0, rounds, stoppedBy: 'navigation' }
  }

  function findLimit(): 'most' | 'timeout' | 'bytes' | undefined {
    if (state.rows >= maxRows) return 'most'
    return time.leftMs() <= 0 ? 'timeout' : state.length > options.limits.bodyBytes / 2 ? 'bytes' : undefined
  }

  /** Makes one attempt to load more. Returns true if there are new rows. */
  async function growOnce(): Promise<boolean> {
    const before = state.rows
    for (const step of steps) {
      const done = await untilAborted(world.call(pageFunction('growList'), step), signal)
      await untilLoaded()
      state = await readList()
      if (state.rows > before) return true
      if (done === 'clicked' || time.leftMs() <= 0) return false
    }
    return false
  }

  /** Waits until the effects of a step have come: its requests, and what the page makes of their answers. */
  async function untilLoaded(): Promise<void> {
    const until = performance.now() + Math.min(MAX_ANSWER_MS, Math.max(0, time.leftMs()))
    do {
      await pause(EFFECT_MS, signal)
      while (requests.pending.size > 0 && performance.now() < until) await pause(EFFECT_MS / 2, signal)
      await settlePage({ ...task.settling, signal, maxMs: ACTION_SETTLE_MS })
      // On a busy machine, a request is reported late.
    } while (requests.pending.size > 0 && performance.now() < until)
    requests.pending.clear()
  }
}

/** Sentences for lists that were not read to their end. */
const stopWarnings = {
  most: 'The list is longer than the maximum of rows: `expand` has stopped there.',
  timeout: 'The list was still growing when the time of the page was nearly up: use a longer `timeout`.',
  bytes: 'The list was still growing when it reached the limit of bytes of a page.',
  navigation: 'The page went to another document while `expand` loaded more of it.',
  failed: 'A request by which the page loads more of its list failed, so that `expand` has only a part of it.',
  idle: undefined,
  answers: undefined,
} as const

/** Returns the warning for a list that was not read to its end. */
export const warnOfGrowth = ({ stoppedBy }: ListGrowth): string | undefined =>
  stoppedBy === undefined ? undefined : stopWarnings[stoppedBy]
