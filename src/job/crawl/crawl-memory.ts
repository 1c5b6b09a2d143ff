import { messageOf, TrawlError } from '../../errors.js'
import { untilAborted } from '../../concurrency/until-aborted.js'
import type { UrlCandidate, LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import type { MemoryPlan } from '../../plan/crawl-plan.js'
import { canRecordLinks, type PageRecord } from '../../snapshot/crawl-record.js'
import { CrawlRecorder } from '../../snapshot/crawl-recorder.js'
import {
  indexPages,
  loadCrawl,
  loadLastCrawl,
  type RecordedCrawl,
  type RecordedPages,
} from '../../snapshot/load-crawl.js'
import { listLinks } from '../discovery/crawl-links.js'
import type { JobContext } from '../job-strategy.js'
import { type KnownPage, knowPage } from '../../page/known-page.js'
import { SitemapDates } from './sitemap-dates.js'

/** How long the store may take for a record. Milliseconds. */
const MAX_MS = 120_000
/** A page that no crawl has come to for so long is forgotten. Milliseconds. */
const FORGET_MS = 365 * 24 * 60 * 60 * 1000
/** Pages of the crawl before that are looked for at once. */
const BATCH = 200
/** Metadata that are remembered of a page, for the document that is given when it has not changed. */
const REMEMBERED = 'title description language canonicalUrl contentType noindex nofollow'.split(' ')

const ASKED_OTHERWISE =
  '`since`: the crawl before asked for its pages otherwise (headers, actions, profile, `mobile`, `location`, `proxy`, `blockAds` ' +
  'or `skipTlsVerification`), so that every page is fetched.'

/** What a page left for the record: its entry, or that it is gone. */
export interface RecordedPage {
  readonly entry?: PageRecord
  readonly isGone?: true
}

/** What a crawl remembers of the one before it, and leaves for the next. */
export class CrawlMemory {
  readonly #plan: () => MemoryPlan
  readonly #start: string
  readonly #keyOf: (url: string) => string
  readonly #recorder = new CrawlRecorder()
  readonly #dates = new SitemapDates()
  #previous: RecordedCrawl | undefined
  #known: RecordedPages | undefined
  /** Rows that stand in the record, those of pages that are gone, and those looked at although their date had not changed. */
  readonly #noted = new Set<string>()
  readonly #gone = new Set<string>()
  readonly #samples = new Set<string>()

  constructor(plan: () => MemoryPlan, start: string, keyOf: (url: string) => string) {
    this.#plan = plan
    this.#start = start
    this.#keyOf = keyOf
  }

  /**
   * Looks for the crawl before.
   *
   * @throws TrawlError `BAD_REQUEST` when `since` names a job that left no record
   */
  async begin(stage: JobContext): Promise<void> {
    const { tag, since } = this.#plan()
    const isNamed = since !== undefined && since !== 'last'
    try {
      const { snapshots } = stage
      const opening = async (): Promise<void> => {
        this.#previous = isNamed ? await loadCrawl(since, snapshots) : await loadLastCrawl(this.#start, tag, snapshots)
        if (since === undefined || !this.#previous) return
        if (this.#previous.head.askedAs === this.#plan().askedAs) {
          this.#known = await indexPages(this.#previous, this.#keyOf, snapshots)
        } else stage.warn(ASKED_OTHERWISE)
      }
      await untilAborted(opening(), AbortSignal.any([stage.signal, AbortSignal.timeout(MAX_MS)]))
    } catch (error) {
      stage.signal.throwIfAborted()
      stage.warn(`What the crawl before left could not be read: ${messageOf(error)}.`)
      return
    }
    if (this.#previous || since === undefined) return
    if (isNamed) {
      const message = `\`since\`: no record of job ${since} is kept: it left none, or it was forgotten for newer ones`
      throw new TrawlError('BAD_REQUEST', message)
    }
    stage.warn(`\`since\`: no earlier crawl of ${this.#start} is remembered, so that every page is new.`)
  }

  /** Notes the date that a sitemap gives for a page. */
  seeDate({ lastmod }: UrlCandidate, stage: JobContext): void {
    if (lastmod !== undefined) this.#dates.see(lastmod, stage.now())
  }

  /** What the crawl before knows of a page, where that may spare it; asked when its turn has come. */
  async recall(row: LedgerRow, stage: JobContext): Promise<KnownPage | undefined> {
    const record = await this.#known?.find(row.key)
    if (!record?.links) return undefined
    const sourceURL = row.sources?.[0]?.url ?? row.url
    return knowPage(record, sourceURL, stage.now(), this.#tellByDate(row, record))
  }

  #tellByDate({ key, lastmod }: LedgerRow, { scrapedAtMs }: PageRecord): string | undefined {
    if (lastmod === undefined || !this.#dates.tellUnchanged(lastmod, scrapedAtMs)) return undefined
    if (this.#samples.has(key)) return undefined
    if (this.#dates.takeSample()) {
      this.#samples.add(key)
      return undefined
    }
    const before = new Date(scrapedAtMs).toISOString()
    return `the sitemap says that the page was last changed at ${lastmod}, and it was scraped after that, at ${before}`
  }

  /** By what the text of an unchanged page is compared with that of others. */
  async similarityOf(row: LedgerRow): Promise<string | undefined> {
    return (await this.#known?.find(row.key))?.similarity
  }

  /** Takes a page of an earlier process into the record. */
  async restore(row: LedgerRow, { entry, isGone }: RecordedPage): Promise<void> {
    if (isGone) this.#gone.add(row.key)
    if (!entry || this.#noted.has(row.key)) return
    this.#noted.add(row.key)
    await this.#recorder.add(entry)
  }

  /** Takes a page that came in into the record, and gives back what was taken. */
  async note(
    row: LedgerRow,
    page: ScrapedPage,
    gaveDocument: boolean,
    stage: JobContext,
  ): Promise<RecordedPage | undefined> {
    const { metadata } = page.document
    const { statusCode } = metadata
    const isGone = statusCode === 404 || statusCode === 410
    if (isGone) this.#gone.add(row.key)
    if (isGone) return { isGone }
    if (statusCode < 200 || statusCode > 299 || this.#noted.has(row.key)) return undefined
    const before = await this.#known?.find(row.key)
    const text = page.unchanged === undefined ? page.fingerprint : before
    const isOther = text?.exact !== undefined && before?.exact !== undefined && text.exact !== before.exact
    if (this.#samples.has(row.key) && isOther && this.#dates.doubt()) {
      stage.warn(
        `The sitemap dates of ${row.foundOn ?? row.url} do not tell which pages have changed: they are not believed.`,
      )
    }
    const { bodyHash, validators } = page.see()
    const recorded = listLinks(page).map(({ url, nofollow }) => ({ url, ...(nofollow && { nofollow }) }))
    this.#noted.add(row.key)
    const entry: PageRecord = {
      url: row.url,
      ...(metadata.url === row.url ? {} : { finalUrl: metadata.url }),
      statusCode,
      depth: row.depth,
      gaveDocument,
      scrapedAtMs: page.fetchedAtMs,
      seenAtMs: stage.now(),
      bodyHash,
      ...(text?.exact !== undefined && { exact: text.exact }),
      ...(text?.similarity !== undefined && { similarity: text.similarity }),
      ...(validators?.etag !== undefined && { etag: validators.etag }),
      ...(validators?.lastModified !== undefined && { lastModified: validators.lastModified }),
      ...(row.lastmod !== undefined && { lastmod: row.lastmod }),
      metadata: Object.fromEntries(
        REMEMBERED.flatMap((name) => {
          const value = metadata[name]
          return typeof value === 'string' || typeof value === 'boolean' ? [[name, value]] : []
        }),
      ),
      ...(canRecordLinks(recorded) && { links: recorded }),
    }
    await this.#recorder.add(entry)
    return { entry }
  }

  /** Admits the pages that the crawl before saw and this one did not, as far as the crawl's rules let them. */
  async admitHidden(refuse: (url: URL, depth: number) => Refusal | undefined, stage: JobContext): Promise<void> {
    if (!this.#plan().tracks || !this.#previous) return
    let found: UrlCandidate[] = []
    for await (const { url, depth, gaveDocument } of this.#previous.pages()) {
      stage.signal.throwIfAborted()
      if (!gaveDocument || !URL.canParse(url)) continue
      const key = this.#keyOf(url)
      if ((await stage.row(key)) || refuse(new URL(url), depth)) continue
      found.push({ key, url, via: 'previous', depth })
      if (found.length < BATCH) continue
      await stage.admit(found)
      found = []
      await stage.awaitRoom()
    }
    await stage.admit(found)
  }

  /** Writes the record. What this crawl did not come to, or in vain, stands in it as the crawl before left it. */
  async write(stage: JobContext): Promise<void> {
    const writing = async (): Promise<void> => {
      for await (const page of this.#previous?.pages() ?? [])
        if (await this.#isLeft(page, stage)) await this.#recorder.add(page)
      const { tag, askedAs } = this.#plan()
      const name = { start: this.#start, tag, askedAs, jobId: stage.jobId }
      await this.#recorder.write(name, stage.now(), stage.snapshots)
    }
    await untilAborted(writing(), AbortSignal.timeout(MAX_MS)).catch((error: unknown) => {
      stage.warn(`What the next crawl is to compare with could not be kept: ${messageOf(error)}.`)
    })
  }

  async #isLeft({ url, seenAtMs }: PageRecord, stage: JobContext): Promise<boolean> {
    if (!URL.canParse(url) || stage.now() - seenAtMs > FORGET_MS) return false
    const key = this.#keyOf(url)
    if (this.#noted.has(key) || this.#gone.has(key)) return false
    // It stands in the record under another URL.
    return (await stage.row(key))?.refusal?.reason !== 'DUPLICATE'
  }
}
