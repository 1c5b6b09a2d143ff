import { type TrawlError, toTrawlError } from '../../../base/errors.js'
import type { PageTools } from '../../../kernel/page/page-context.js'
import { OrderReader } from './page-order.js'
import {
  packMessage,
  type PageAnswer,
  type PageOrder,
  type PageUse,
  type ScrapeOrder,
  toErrorData,
} from './page-task.js'
import { readPage, scrapePage } from '../../../kernel/page/pipeline.js'
import type { ScrapedPage } from '../../../kernel/page/scraped-page.js'

/** Size of the raw pages that are kept to be converted again. Bytes. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024
/** Time for which a page is kept. Its job waits for the samples of other pages for some ten seconds. Milliseconds. */
const KEPT_MS = 120_000
/** Longest answer that is sent, compressed. The owner scrapes a page with a longer one itself. Characters. */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024

interface KeptPage {
  readonly page: ScrapedPage
  readonly untilMs: number
}

/** Scrapes and reads pages that other engines order. */
export class PageServer {
  readonly #tools: PageTools
  /** Pages that may be converted again, by their `scrapeId`, oldest first. */
  readonly #kept = new Map<string, KeptPage>()
  #keptBytes = 0
  readonly #orders = new OrderReader()
  /** Pages that are being scraped, that were scraped, and those of them that have failed. */
  readonly counts = { active: 0, done: 0, failed: 0 }

  constructor(tools: PageTools) {
    this.#tools = tools
  }

  /** Answers an order. Never rejects. @returns undefined when the signal has aborted it */
  async handle(payload: string, signal: AbortSignal): Promise<string | undefined> {
    this.counts.active += 1
    let answer: PageAnswer = { kind: 'declined' }
    try {
      answer = await this.#answer(await this.#orders.read(payload), signal)
      if (signal.aborted) return undefined
      const packed = await packMessage(answer)
      return packed.length > MAX_ANSWER_LENGTH ? await packMessage(decline(answer)) : packed
    } catch {
      return signal.aborted ? undefined : await packMessage(decline(answer))
    } finally {
      this.counts.active -= 1
    }
  }

  /** Forgets the pages. */
  close(): void {
    this.#kept.clear()
    this.#keptBytes = 0
  }

  async #answer(order: PageOrder, signal: AbortSignal): Promise<PageAnswer> {
    if (order.kind !== 'convert') return this.#scrape(order, signal)
    const { page } = this.#kept.get(order.scrapeId) ?? {}
    if (!page) return { kind: 'declined' }
    return { kind: 'document', document: await page.convertAgain(order.drop, signal) }
  }

  async #scrape(order: ScrapeOrder, signal: AbortSignal): Promise<PageAnswer> {
    const { kind, url, sourceURL, plan, lastSeen, predicted, wantsVersion } = order
    const gained: boolean[] = []
    const use = { requests: 0, bytes: 0, browserMs: 0, gained, isPlain: false }
    const request = {
      url,
      sourceURL,
      lastSeen,
      meter: {
        sent: () => void (use.requests += 1),
        received: (bytes: number) => void (use.bytes += bytes),
        rendered: (forMs: number) => void (use.browserMs += forMs),
      },
      rendering: {
        predict: () => predicted,
        record: (_: string, hasGained: boolean) => void gained.push(hasGained),
        recordPlain: () => void (use.isPlain = true),
      },
    }
    try {
      const page = await (kind === 'read' ? readPage : scrapePage)(request, plan, this.#tools, signal)
      this.counts.done += 1
      if ('digest' in page) return { kind: 'read', reading: page, use }
      const { drop } = plan.digest
      if (drop && page.shared?.[drop.feature]) this.#keep(page)
      const { convertAgain: _, toLastSeen, ...data } = page
      return { kind: 'page', page: { ...data, version: wantsVersion ? await toLastSeen() : undefined }, use }
    } catch (thrown) {
      const error = toTrawlError(thrown, url)
      if (signal.aborted || isOwn(error, use)) return { kind: 'declined', use }
      this.counts.done += 1
      this.counts.failed += 1
      return { kind: 'error', error: toErrorData(error, url), use }
    }
  }

  #keep(page: ScrapedPage): void {
    const nowMs = performance.now()
    this.#kept.set(page.document.metadata.scrapeId, { page, untilMs: nowMs + KEPT_MS })
    this.#keptBytes += page.rawBytes
    for (const [scrapeId, { page: oldest, untilMs }] of this.#kept) {
      if (untilMs > nowMs && this.#keptBytes <= MAX_KEPT_BYTES) break
      this.#kept.delete(scrapeId)
      this.#keptBytes -= oldest.rawBytes
    }
  }
}

/** Makes an answer that only tells what was used. */
const decline = (answer: PageAnswer): PageAnswer =>
  answer.kind === 'document' ? { kind: 'declined' } : { use: answer.use, kind: 'declined' }

/** Errors that this machine may be the reason of, and not the page. */
const OWN_ERRORS: ReadonlySet<string> = new Set([
  'ENGINE_CLOSED',
  'SCRAPE_NO_BROWSER',
  'SCRAPE_BROWSER_ERROR',
  'SCRAPE_PROXY_ERROR',
  'SCRAPE_PROXY_SELECTION_ERROR',
])

/** Errors of a network, unless the site has answered before. */
const NETWORK_ERRORS: ReadonlySet<string> = new Set([
  'SCRAPE_ADDRESS_REFUSED',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SITE_ERROR',
  'SCRAPE_SSL_ERROR',
])

/** Tests for an error that may be of this machine, and not of the page: another one may scrape it. */
const isOwn = ({ code }: TrawlError, { bytes }: PageUse): boolean =>
  OWN_ERRORS.has(code) || (bytes === 0 && NETWORK_ERRORS.has(code))
