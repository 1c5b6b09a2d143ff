import { messageOf, TrawlError } from '../../base/errors.js'
import { type Follower, withTimeout } from '../../base/concurrency/deadline.js'
import { onAbort } from '../../base/concurrency/on-abort.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { UrlCandidate, LedgerRow } from '../../kernel/ledger/ledger.js'
import type { ScrapedPage } from '../../kernel/page/pipeline.js'
import type { CrawlMemory, RememberedCrawl } from '../../kernel/job/crawl/crawl-memory.js'
import type { Deliveries, DeliveringJob } from '../../kernel/job/delivery/deliveries.js'
import type { MemoryPlan } from './plan-memory.js'
import { canRecordLinks, headKey, type PageRecord } from './crawl-record.js'
import { CrawlRecorder } from './crawl-recorder.js'
import {
  indexPages,
  listRecordedJobs,
  loadCrawl,
  loadLastCrawl,
  type RecordedCrawl,
  type RecordedPages,
  withoutLinks,
} from './load-crawl.js'
import { DeliveryLog } from './delivery-log.js'
import { readUndelivered, withUndelivered } from './undelivered.js'
import { listLinks } from '../../kernel/job/discovery/judge-links.js'
import type { JobContext } from '../../kernel/job/job-context.js'
import type { KnownPage } from '../../kernel/page/known-page.js'
import { createKnownPage } from './create-known-page.js'
import { isInMemory } from '../../base/store/stores/memory.js'
import { boundStore } from '../../base/store/bound-store.js'
import type { Store } from '../../base/store/store.js'
import { SitemapDates } from './sitemap-dates.js'
import { parseUrl, isUrl } from '../../base/url.js'

/** Timeout for the snapshot store to read or write a record. Milliseconds. */
const STORE_TIMEOUT_MS = 120_000
/** Timeout for one call of the store. Milliseconds. */
const CALL_TIMEOUT_MS = 30_000
/** Time in which the record of a crawl that was cancelled is written. Milliseconds. */
const CANCELLED_TIMEOUT_MS = 1000
/** Time after which a page that no crawl has reached is dropped from the record. */
const MAX_AGE_MS = 365 * 24 * 60 * 60 * 1000
/** Pages of the previous crawl that are admitted at once. */
const BATCH_SIZE = 200
/** Metadata recorded for the document of a page that has not changed. */
const RECORDED_METADATA = 'title description language canonicalUrl contentType noindex nofollow'.split(' ')

const ASKED_OTHERWISE =
  '`since`: the previous crawl requested its pages with other options (headers, actions, profile, `mobile`, `location`, `proxy`, `blockAds`, ' +
  '`skipTlsVerification` or `use`), so that every page is fetched.'

const DISTRUSTED =
  '`since`: in the previous crawl, pages had changed whose sitemap dates had not: the dates are ignored, and every page is asked for.'

const describeByDate = ({ lastmod }: LedgerRow, { scrapedAtMs }: PageRecord): string =>
  `the sitemap says that the page was last changed at ${lastmod}, and it was scraped after that, at ${new Date(scrapedAtMs).toISOString()}`

const describeUnread = (error: unknown): string =>
  `The record of the previous crawl could not be read: ${messageOf(error)}.`

const describeLost = (lost: number, parts: number): string =>
  `\`since\`: the record of the previous crawl is damaged: ${lost} of its ${parts} parts cannot be read, and the pages in them are new.`

/** Limits the time in which a record is written, and more so once the crawl has been cancelled. */
function limitWriting(cancelled: AbortSignal): Follower {
  const limit = withTimeout(new AbortController().signal, STORE_TIMEOUT_MS, () => new Error('the store was too slow'))
  let timer: NodeJS.Timeout | undefined
  const hurry = (): void => {
    timer = setTimeout(() => limit.abort(new Error('the crawl was cancelled')), CANCELLED_TIMEOUT_MS)
  }
  if (cancelled.aborted) hurry()
  else onAbort(cancelled, hurry)
  return {
    signal: limit.signal,
    abort: (reason) => limit.abort(reason),
    [Symbol.dispose]: () => {
      cancelled.removeEventListener('abort', hurry)
      clearTimeout(timer)
      limit[Symbol.dispose]()
    },
  }
}

/** Entry of a page in the record, or `isGone` for a page that answered 404 or 410. */
interface RecordedPage {
  readonly entry?: PageRecord
  readonly isGone?: true
}

/** Reads the record of the previous crawl, and writes that of this crawl for the next one. */
export class RecordMemory implements CrawlMemory {
  readonly #crawl: RememberedCrawl<MemoryPlan>
  readonly #recorder = new CrawlRecorder()
  readonly #dates = new SitemapDates()
  #previous: RecordedCrawl | undefined
  #known: RecordedPages | undefined
  /** Keys of rows that are in the record. */
  readonly #recorded = new Set<string>()
  /** Keys of rows whose pages are gone. */
  readonly #gone = new Set<string>()
  /** URLs of pages whose documents are still to be delivered, by the keys of their rows, until the record is written. */
  readonly #awaited = new Map<string, string>()
  /** Keys of rows whose documents were delivered before they were awaited, or after the record was written. */
  readonly #delivered = new Set<string>()
  /** True until the record is written. */
  #isOpen = false
  /** The last addition to the written record, which the next one waits for. */
  #settled: Promise<void> = Promise.resolve()
  /** Keys of rows that were fetched although their sitemap date had not changed. */
  readonly #samples = new Set<string>()
  /** Resolves when the site has given the first of them. Pages that are like it wait, since it may prove all dates wrong. */
  #firstSample: Promise<void> | undefined
  /** Its key, once a page has come, which is then compared. The answer may fail, and the page come at a retry. */
  #firstKey: string | undefined
  /** True when a page was taken as unchanged because of its date. */
  #hasByDate = false

  constructor(crawl: RememberedCrawl<MemoryPlan>) {
    this.#crawl = crawl
  }

  /**
   * Loads the record of the previous crawl.
   *
   * @throws TrawlError `BAD_REQUEST` when `since` names a job that left no record
   */
  async load(context: JobContext): Promise<void> {
    this.#isOpen = true
    const { tag, since } = this.#crawl.slice
    const isNamed = since !== undefined && since !== 'last'
    let isLost = false
    try {
      const snapshots = boundStore(context.tools.snapshots, { timeoutMs: CALL_TIMEOUT_MS })
      const opening = async (): Promise<void> => {
        this.#previous = isNamed
          ? await loadCrawl(since, snapshots)
          : await loadLastCrawl(this.#crawl.start, tag, snapshots)
        if (since === undefined) return
        if (!this.#previous) {
          isLost = (await listRecordedJobs(this.#crawl.start, tag, snapshots)).length > 0
          return
        }
        if (this.#previous.head.hasFalseDates === true) {
          this.#dates.distrust()
          context.warn(DISTRUSTED)
        }
        if (this.#previous.head.askedAs === this.#crawl.slice.askedAs) {
          this.#known = await indexPages(this.#previous, (url) => this.#crawl.keyOf(url), snapshots)
          const lost = this.#known.lostParts
          if (lost > 0) context.warn(describeLost(lost, this.#previous.head.parts))
        } else context.warn(ASKED_OTHERWISE)
      }
      await untilAborted(opening(), AbortSignal.any([context.signal, AbortSignal.timeout(STORE_TIMEOUT_MS)]))
    } catch (error) {
      context.signal.throwIfAborted()
      context.warn(describeUnread(error))
      return
    }
    if (this.#previous || since === undefined) return
    if (isNamed) {
      const message = `\`since\`: no record of job ${since} is stored: it left none, it is damaged, or newer records have replaced it`
      throw new TrawlError('BAD_REQUEST', message)
    }
    const fault = isLost
      ? `the records of earlier crawls of ${this.#crawl.start} are damaged or were deleted`
      : `no earlier crawl of ${this.#crawl.start} is recorded`
    const advice = isInMemory(context.tools.snapshots)
      ? " Records are in memory and end with the engine: `createEngine({ snapshots: './snapshots' })` keeps them."
      : ''
    context.warn(`\`since\`: ${fault}, so that every page is new.${advice}`)
  }

  /** Id of the crawl whose unchanged pages are not read again. */
  get previousJobId(): string | undefined {
    return this.#known && this.#previous?.jobId
  }

  /** Adds the date of a page in a sitemap. */
  addSitemapDate({ lastmod }: UrlCandidate, context: JobContext): void {
    if (lastmod !== undefined) this.#dates.add(lastmod, context.tools.now())
  }

  /** Finds what the previous crawl recorded about a page, which may make its fetch unnecessary. */
  async recall(row: LedgerRow, context: JobContext): Promise<KnownPage | undefined> {
    if (!this.#known) return undefined
    const record = await untilAborted(this.#find(row, context), context.signal)
    if (!record?.links) return undefined
    const sourceURL = row.sources?.[0]?.url ?? row.url
    const known = (unchanged?: string): KnownPage => createKnownPage(record, sourceURL, context.tools.now(), unchanged)
    const isUnchanged = (): boolean =>
      row.lastmod !== undefined && this.#dates.isUnchanged(row.lastmod, record.scrapedAtMs)
    if (!isUnchanged() || this.#samples.has(row.key)) return known()
    if (this.#firstSample) await untilAborted(this.#firstSample, context.signal)
    if (!isUnchanged()) return known()
    const sample = this.#dates.takeSample(record.byDate === true || !this.#previous?.head.hasByDate)
    if (sample === undefined) return known(describeByDate(row, record))
    this.#samples.add(row.key)
    if (sample === 'further') return known()
    let end = (): void => undefined
    this.#firstSample = new Promise((resolve) => (end = resolve))
    const onAnswer = (page: ScrapedPage | undefined): void => {
      try {
        if (page && isSuccessStatus(page.document.metadata.statusCode)) {
          this.#firstKey = row.key
          this.#compareDate(row, record, page, context)
        }
      } finally {
        end()
      }
    }
    return { ...known(), onAnswer }
  }

  /** Learns from a fetched page whether the dates of its site tell what has changed. */
  #compareDate(row: LedgerRow, before: PageRecord | undefined, page: ScrapedPage, context: JobContext): void {
    if (row.lastmod === undefined || before === undefined) return
    const { exact } = (page.unchanged === undefined ? page.fingerprint : before) ?? {}
    if (exact === undefined || before.exact === undefined) return
    if (!this.#dates.compare(row.lastmod, before.scrapedAtMs, exact !== before.exact)) return
    const { unchecked } = this.#dates
    const missed =
      unchecked === 0
        ? ''
        : ` By then, ${unchecked} were taken as unchanged: the next crawl with \`since\` asks for them.`
    context.warn(
      `The sitemap dates of ${row.foundOn ?? row.url} do not show which pages have changed, and are ignored.${missed}`,
    )
  }

  /** Finds the recorded similarity hash of an unchanged page. */
  async similarityOf(row: LedgerRow, context: JobContext): Promise<string | undefined> {
    return (await this.#find(row, context))?.similarity
  }

  /** Finds a page of the previous record. When it cannot be read any more, all further pages are new ones. */
  async #find({ key }: LedgerRow, context: JobContext): Promise<PageRecord | undefined> {
    try {
      return await this.#known?.find(key)
    } catch (error) {
      this.#known = undefined
      context.warn(describeUnread(error))
      return undefined
    }
  }

  /** Adds a page of an earlier process to the record. */
  async restore(row: LedgerRow, recorded: unknown): Promise<void> {
    const { entry, isGone } = recorded as RecordedPage
    if (isGone) this.#gone.add(row.key)
    if (isGone || entry?.gaveDocument) this.#await(row)
    if (!entry || this.#recorded.has(row.key)) return
    this.#hasByDate ||= entry.byDate === true
    this.#recorded.add(row.key)
    await this.#recorder.add(entry)
  }

  /** Adds a fetched page to the record. @returns what was added */
  async record(
    row: LedgerRow,
    page: ScrapedPage,
    gaveDocument: boolean,
    context: JobContext,
  ): Promise<RecordedPage | undefined> {
    const { metadata } = page.document
    const { statusCode } = metadata
    const isGone = statusCode === 404 || statusCode === 410
    if (isGone) this.#gone.add(row.key)
    if (isGone && gaveDocument) this.#await(row)
    if (isGone) return { isGone }
    if (!isSuccessStatus(statusCode) || this.#recorded.has(row.key)) return undefined
    // The caller has the document of an unchanged page from an earlier crawl.
    if (gaveDocument && page.unchanged === undefined) this.#await(row)
    const before = await this.#find(row, context)
    const text = page.unchanged === undefined ? page.fingerprint : before
    // A page that was taken as unchanged was not compared, and the first sample was before.
    const byDate = page.fetcher === 'record'
    this.#hasByDate ||= byDate
    if (!byDate && row.key !== this.#firstKey) this.#compareDate(row, before, page, context)
    const { bodyHash, validators } = await page.toLastSeen()
    const recorded = listLinks(page).map(({ url, nofollow }) => ({ url, nofollow }))
    this.#recorded.add(row.key)
    const entry: PageRecord = {
      url: row.url,
      finalUrl: metadata.url === row.url ? undefined : metadata.url,
      statusCode,
      depth: row.depth,
      gaveDocument,
      scrapedAtMs: page.fetchedAtMs,
      seenAtMs: context.tools.now(),
      bodyHash,
      exact: text?.exact,
      similarity: text?.similarity,
      etag: validators?.etag,
      lastModified: validators?.lastModified,
      lastmod: row.lastmod,
      byDate: byDate || undefined,
      metadata: Object.fromEntries(
        RECORDED_METADATA.flatMap((name) => {
          const value = metadata[name]
          return typeof value === 'string' || typeof value === 'boolean' ? [[name, value]] : []
        }),
      ),
      // Without its links, a page is read again by the next crawl: the site may permit by then what it denies now.
      links: !page.refused && canRecordLinks(recorded) ? recorded : undefined,
    }
    await this.#recorder.add(entry)
    return { entry }
  }

  #await({ key, url }: LedgerRow): void {
    if (!this.#delivered.delete(key)) this.#awaited.set(key, url)
  }

  follow(job: DeliveringJob): Deliveries {
    return new DeliveryLog(job, {
      keyOf: (url) => this.#crawl.keyOf(url),
      deliver: (key) => {
        if (!this.#awaited.delete(key)) this.#delivered.add(key)
      },
      settle: ({ id, snapshots }, isWhole) => this.#settle(id, snapshots, isWhole),
    })
  }

  async #settle(jobId: string, store: Store, isWhole: boolean): Promise<void> {
    if (this.#isOpen || (!isWhole && this.#delivered.size === 0)) return
    const snapshots = boundStore(store, { timeoutMs: CALL_TIMEOUT_MS })
    // What cannot be written is read, and delivered, again by the next crawl.
    this.#settled = this.#settled.then(() => this.#strike(jobId, snapshots, isWhole)).catch(() => undefined)
    await this.#settled
  }

  /** Strikes delivered pages off the list of the record of a job. */
  async #strike(jobId: string, store: Store, isWhole: boolean): Promise<void> {
    const delivered = [...this.#delivered]
    const head = await store.get(headKey(jobId))
    const list = head && (await readUndelivered(head))
    if (head && (list ? list.urls.length > 0 : isWhole)) {
      const { urls, gone } = list ?? { urls: [], gone: [] }
      const left = isWhole ? [] : urls.filter((url) => !this.#delivered.has(this.#crawl.keyOf(url)))
      if (left.length < urls.length) await store.set(headKey(jobId), await withUndelivered(head, { urls: left, gone }))
    }
    for (const key of delivered) this.#delivered.delete(key)
  }

  /** Admits pages of the previous crawl that this one did not find, if the crawl's rules allow them. */
  async admitUnlinked(context: JobContext): Promise<void> {
    if (!this.#crawl.slice.findsRemoved || !this.#previous) return
    let found: UrlCandidate[] = []
    const snapshots = boundStore(context.tools.snapshots, { signal: context.signal, timeoutMs: CALL_TIMEOUT_MS })
    for await (const { url, depth, gaveDocument } of this.#previous.pages(snapshots)) {
      context.signal.throwIfAborted()
      const parsed = gaveDocument ? parseUrl(url) : undefined
      if (!parsed) continue
      const key = this.#crawl.keyOf(url)
      if ((await context.ledger.row(key)) || this.#crawl.refuse(parsed, depth)) continue
      found.push({ key, url, via: 'previous', depth })
      if (found.length < BATCH_SIZE) continue
      await context.admit(found)
      found = []
      await context.awaitCapacity()
    }
    await context.admit(found)
  }

  /** Writes the record. Entries of pages that this crawl did not reach or could not fetch are copied from the previous record. */
  async write(context: JobContext, cancelled: AbortSignal): Promise<void> {
    const { tag, askedAs } = this.#crawl.slice
    const isSameQuestion = this.#previous?.head.askedAs === askedAs
    using limit = limitWriting(cancelled)
    const snapshots = boundStore(context.tools.snapshots, { signal: limit.signal, timeoutMs: CALL_TIMEOUT_MS })
    const writing = async (): Promise<void> => {
      const gone: string[] = []
      for await (const page of this.#previous?.pages(snapshots) ?? []) {
        if (!(await this.#isCarriedOver(page, context))) continue
        await this.#recorder.add(isSameQuestion ? page : withoutLinks(page))
        if (this.#gone.has(this.#crawl.keyOf(page.url))) gone.push(page.url)
      }
      // A document that is delivered from now on is struck off the list.
      const urls = [...this.#awaited.values()]
      const name = { start: this.#crawl.start, tag, askedAs, jobId: context.id }
      const dates = {
        hasFalseDates: this.#dates.areProvedFalse || undefined,
        hasByDate: this.#hasByDate || undefined,
      }
      this.#delivered.clear()
      this.#isOpen = false
      this.#awaited.clear()
      await this.#recorder.write({ ...name, ...dates }, context.tools.now(), { urls, gone }, snapshots)
    }
    this.#settled = untilAborted(writing(), limit.signal).catch((error: unknown) => {
      context.warn(`The record for the next crawl could not be written: ${messageOf(error)}.`)
    })
    await this.#settled
  }

  async #isCarriedOver({ url, seenAtMs }: PageRecord, context: JobContext): Promise<boolean> {
    if (!isUrl(url) || context.tools.now() - seenAtMs > MAX_AGE_MS) return false
    const key = this.#crawl.keyOf(url)
    if (this.#recorded.has(key)) return false
    if (this.#gone.has(key)) return this.#awaited.has(key)
    // A duplicate is in the record under its other URL.
    return (await context.ledger.row(key))?.refusal?.reason !== 'DUPLICATE'
  }
}
