import { withTimeout } from '../../base/concurrency/deadline.js'
import { onAbort } from '../../base/concurrency/on-abort.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import { hashBody, hashOf } from '../../base/store/checksum.js'
import type { LinkedSheet, SheetText } from '../../base/text/linked-sheet.js'
import { isWebUrl, parseUrl, withoutFragment } from '../../base/url.js'
import { planOutline } from '../../content/digest/digest.js'
import { kindOfMedia } from '../../content/extract/styles/media-query.js'
import { readImports } from '../../content/extract/styles/read-imports.js'
import type { EngineInternals, FeatureSteps } from '../../kernel/engine/feature.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { relate } from '../../kernel/frontier/scope/site-relation.js'
import type { FeaturePage } from '../../kernel/page/feature-page.js'
import type { PageInternals } from '../../kernel/page/feature-steps.js'
import { findSheetLinks, MAX_START, type SheetAddress } from './find-links.js'
import { SheetMemory, type SheetTexts } from './sheet-memory.js'

/** Bounds on the style sheets of one page. */
const limits = {
  /** Maximum number of links, and of imports beside them that are requested for a page. */
  sheets: 8,
  /** Maximum size of a sheet. Bytes. */
  sheetBytes: 524_288,
  /** Maximum size of all sheets of a page. Bytes. */
  pageBytes: 2_097_152,
  /** Maximum time that a page waits for its sheets, and share of its timeout. Milliseconds. */
  waitMs: 3000,
  share: 0.25,
  /** Requests at once. A browser sends six to a host. */
  atOnce: 4,
} as const

/** Part of linked style sheets in the plan of a page. */
export interface SheetSlice {
  /** Product token of the crawler, where the job obeys robots.txt. */
  readonly obeysAs?: string
  /** Set where the job leaves time between requests: one is sent after the other. */
  readonly isSlow?: true
}

type Page = FeaturePage<SheetSlice>

/** The search for the sheets of one page. */
interface Search {
  readonly page: Page
  readonly internals: PageInternals
  readonly memory: SheetMemory
  /** Begin of the keys of sheets: what distinguishes requests for the same URL. */
  readonly variant: string
  /** Imports that may still be requested. */
  imports: number
}

/** The step that finds the sheets of pages, with the memory of an engine. */
export class SheetFinder implements FeatureSteps<SheetSlice> {
  readonly #engine: Pick<EngineInternals, 'robots' | 'now'>
  readonly #memory: SheetMemory
  /** Memories of jobs of which nothing may be kept: they last as long as the plan of the job. */
  readonly #ofPlans = new WeakMap<object, SheetMemory>()

  constructor({ robots, now, closing }: EngineInternals) {
    this.#engine = { robots, now }
    this.#memory = new SheetMemory(now)
    onAbort(closing, () => this.#memory.close())
    if (closing.aborted) this.#memory.close()
  }

  /** @throws the signal's reason. A sheet that cannot be had is left out, whatever the reason */
  async findSheets(page: Page, internals: PageInternals): Promise<readonly LinkedSheet[] | undefined> {
    const { fetched, isForLinks, plan } = internals
    const hasComputed = (fetched.unseen ?? fetched.browserWaitMs) !== undefined
    // Of an outline, what is hidden does not count.
    if (hasComputed || isForLinks || !/html|^$/i.test(page.contentType ?? '') || planOutline(plan.digest))
      return undefined
    const start = Buffer.from(page.body.buffer, page.body.byteOffset, Math.min(page.body.byteLength, MAX_START))
    if (!start.includes('stylesheet') && !start.includes('@import')) return undefined
    const own = new URL(page.finalUrl)
    const links = findSheetLinks(start, page.finalUrl)
      .filter(({ url }) => isOfSite(url, own))
      .slice(0, limits.sheets)
    if (links.length === 0) return undefined
    const search = this.#begin(page, internals)
    const keys = links.map(({ url }) => `${search.variant} ${withoutFragment(url).href}`)
    const unknown = links.filter((_, at) => search.memory.get(keys[at] ?? '') === undefined)
    const loaded =
      unknown.length === 0 ? new Map<string, SheetTexts>() : await internals.lend(this.#loadAll(search, unknown))
    let left: number = limits.pageBytes
    return links.flatMap(({ href }, at) => {
      const texts = search.memory.get(keys[at] ?? '') ?? loaded.get(href) ?? []
      left -= texts.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
      return texts.length === 0 || left < 0 ? [] : [{ href, texts }]
    })
  }

  #begin(page: Page, internals: PageInternals): Search {
    const { fetch, zeroDataRetention } = internals.plan
    const { headers, headerScope, recorder = '', proxy = '', skipTlsVerification } = fetch
    const ofCaller = page.isForOneCaller ? hashOf(JSON.stringify([headers, headerScope])) : ''
    return {
      page,
      internals,
      memory: zeroDataRetention ? this.#memoryOf(internals.plan) : this.#memory,
      variant: [ofCaller, recorder, proxy, String(skipTlsVerification)].join(' '),
      imports: limits.sheets,
    }
  }

  #memoryOf(plan: object): SheetMemory {
    const known = this.#ofPlans.get(plan) ?? new SheetMemory(this.#engine.now)
    this.#ofPlans.set(plan, known)
    return known
  }

  /** Loads sheets within the time that a page waits for them. */
  async #loadAll(search: Search, links: readonly SheetAddress[]): Promise<ReadonlyMap<string, SheetTexts>> {
    const { page, internals } = search
    const waitMs = Math.min(limits.waitMs, internals.plan.fetch.timeoutMs * limits.share)
    using limit = withTimeout(page.signal, waitMs)
    const loaded = new Map<string, SheetTexts>()
    const left = [...links]
    const loadNext = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        loaded.set(next.href, await this.#load(search, next.url, limit.signal))
    }
    const { isSlow, obeysAs } = page.slice
    const own = new URL(page.finalUrl)
    const verdict = obeysAs === undefined ? undefined : await this.#engine.robots.judgeCached(own, obeysAs)
    const atOnce = isSlow || verdict?.crawlDelayMs !== undefined ? 1 : limits.atOnce
    await Promise.all(Array.from({ length: atOnce }, loadNext))
    page.signal.throwIfAborted()
    return loaded
  }

  /** Loads a sheet. @param around the sheet that imports it. @default the page links to it. Does not reject */
  async #load(search: Search, address: URL, signal: AbortSignal, around?: URL): Promise<SheetTexts> {
    const { memory, page, internals } = search
    const url = withoutFragment(address)
    const key = `${search.variant} ${url.href}${around ? ' imported' : ''}`
    const known = memory.get(key)
    if (known !== undefined) return known
    // There is no time left to ask for it.
    if (signal.aborted) return []
    try {
      return (await memory.load(key, (until) => this.#request(search, url, until, around), signal)) ?? []
    } catch {
      // What is not in the cache was not asked for, and a page that has ended says nothing of its sheets.
      if (!page.signal.aborted && !internals.isCached) memory.fail(key)
      return []
    }
  }

  /**
   * @returns undefined for a sheet that this page may not request: another may
   * @throws Error for what is no style sheet; TrawlError what requesting it throws; the signal's reason
   */
  async #request(search: Search, url: URL, signal: AbortSignal, around?: URL): Promise<SheetTexts | undefined> {
    const { page, internals } = search
    const site = new URL(page.finalUrl)
    const { obeysAs } = page.slice
    const mayRequest = async (target: URL): Promise<boolean> =>
      isOfSite(target, site) &&
      (obeysAs === undefined || (await this.#engine.robots.judge(target, obeysAs, signal)).allowed)
    const { sheetBytes: maxBytes, waitMs: timeoutMs } = limits
    const answer = await internals.getPart(url.href, { maxBytes, timeoutMs, mayRequest, signal })
    if (answer === undefined) return undefined
    if (!isSheet(answer)) throw new Error('It is no style sheet')
    const own = await shareText(answer.body)
    const imports = around ? [] : readImports(textOf(own))
    const texts: SheetText[] = []
    for (const { href, media } of imports) {
      const target = parseUrl(href, answer.url)
      if (!target || !isOfSite(target, site) || kindOfMedia(media ?? '') === 'none') continue
      if ((search.imports -= 1) < 0) break
      for (const text of await this.#load(search, target, signal, url)) texts.push({ ...text, media })
    }
    // Without what it imports, it would be remembered in part.
    signal.throwIfAborted()
    return [...texts, own]
  }
}

/** True for an address on the site of a page, which a browser would request from it. */
const isOfSite = (url: URL, page: URL): boolean =>
  isWebUrl(url) && (url.protocol === 'https:' || page.protocol === 'http:') && relate(url, page) !== 'elsewhere'

/** True for an answer that browsers take for a style sheet. Some servers name no type. */
const isSheet = ({ statusCode, contentType = '', url }: FetchedPage): boolean =>
  isSuccessStatus(statusCode) &&
  (/^\s*text\/css\b/i.test(contentType) ||
    (/^\s*(?:$|text\/plain|application\/octet-stream)/i.test(contentType) && /\.css(?:$|\?)/i.test(url)))

/** Copies a text into memory that threads share. */
async function shareText(body: Uint8Array): Promise<SheetText> {
  const bytes = new Uint8Array(new SharedArrayBuffer(body.byteLength))
  bytes.set(body)
  return { id: await hashBody(body), bytes }
}

/** Characters in which imports are looked for. */
const MAX_BEGIN = 8192

const textOf = ({ bytes }: SheetText): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_BEGIN)).toString()
