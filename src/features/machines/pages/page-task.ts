import type { ErrorCode } from '../../../base/errors.js'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { constants, deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import { ActionError, TrawlError } from '../../../base/errors.js'
import type { DropPlan } from '../../../content/digest/drop-plan.js'
import type { FetchedPage, LeftPage } from '../../../kernel/fetch/fetched-page.js'
import { keepLeftPages, leftPagesOf } from '../../../kernel/fetch/http/left-page.js'
import type { LastSeen } from '../../../kernel/fetch/fetcher.js'
import type { ScreenshotImage } from '../../../kernel/fetch/screenshot-options.js'
import type { ScrapePlan } from '../../../kernel/plan/scrape-plan.js'
import type { Document } from '../../../kernel/page/document.js'
import type { PageReading } from '../../../kernel/page/pipeline.js'
import type { ScrapedPage } from '../../../kernel/page/scraped-page.js'

/** A page of an order, without its plan. */
export interface OrderedPage {
  readonly kind: 'scrape' | 'read'
  readonly url: string
  readonly sourceURL: string
  readonly lastSeen?: LastSeen
  /** Prediction of the job for the page: see `RenderingPredictor`. */
  readonly predicted?: 'http' | 'browser'
  /** True where the job stores the version of the page for later crawls. */
  readonly wantsVersion: boolean
}

/** A page for another engine: to be scraped, or to be read for the engine that makes its document. */
export interface ScrapeOrder extends OrderedPage {
  readonly plan: ScrapePlan
}

/** A page for another engine: to be scraped or read, or to be converted again by the one that has it. */
export type PageOrder = ScrapeOrder | { readonly kind: 'convert'; readonly scrapeId: string; readonly drop: DropPlan }

/** The data of a scraped page. */
export type ScrapedFacts = Omit<ScrapedPage, 'convertAgain' | 'toLastSeen'> & { readonly version: LastSeen | undefined }

/** Resources that scraping a page has used, and results of its rendering. */
export interface PageUse {
  readonly requests: number
  readonly bytes: number
  readonly browserMs: number
  /** True when a browser added text, false when it did not. */
  readonly gained: readonly boolean[]
  /** True when the text of the page was in its HTML. */
  readonly isPlain: boolean
}

/** The data of an error. */
interface ErrorData {
  readonly code: ErrorCode
  readonly message: string
  readonly url?: string
  readonly retryAfterMs?: number
  /** Pages that led on to the one that failed. */
  readonly leftPages?: readonly LeftPage[]
  /** Members of an {@link ActionError}. */
  readonly action?: { readonly index: number; readonly picture?: ActionError['picture'] }
}

/** The answer to an order. */
export type PageAnswer =
  | { readonly kind: 'page'; readonly page: ScrapedFacts; readonly use: PageUse }
  | { readonly kind: 'read'; readonly reading: PageReading; readonly use: PageUse }
  | { readonly kind: 'error'; readonly error: ErrorData; readonly use: PageUse }
  | { readonly kind: 'document'; readonly document: Document }
  /** The worker cannot do it: it has no browser, or no longer has the page. It may have sent requests nevertheless. */
  | { readonly kind: 'declined'; readonly use?: PageUse }

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Maximum size of a message before it is compressed. Bytes. */
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Largest message that is unpacked at once, packed and unpacked: half a millisecond. The thread pool takes twice the processor
 * time for a page of 30 KB.
 */
const [MAX_LENGTH_AT_ONCE, MAX_BYTES_AT_ONCE] = [64 * 1024, 256 * 1024]

/** Packs a message, or a part of one, as text, in the thread pool. @throws RangeError when it is too large */
export async function packMessage(message: unknown): Promise<string> {
  const bytes = serialize(message)
  if (bytes.length > MAX_BYTES) throw new RangeError(`the message has ${bytes.length} bytes, of ${MAX_BYTES} at most`)
  const packed = await deflate(bytes, { level: constants.Z_BEST_SPEED })
  return packed.toString('base64')
}

/** Reverses {@link packMessage}, of an engine of the same version. @throws RangeError when it is too large */
export async function unpackMessage(text: string): Promise<unknown> {
  const packed = Buffer.from(text, 'base64')
  const bytes = inflateAtOnce(packed) ?? (await inflate(packed, { maxOutputLength: MAX_BYTES }))
  return deserialize(bytes)
}

/** Reverses {@link packMessage} of an answer. @throws RangeError when it is too large */
export async function unpackAnswer(text: string): Promise<PageAnswer> {
  const answer = (await unpackMessage(text)) as PageAnswer
  return answer.kind === 'read' ? { ...answer, reading: detachReading(answer.reading) } : answer
}

/** @returns undefined for a large message, and for one that is damaged */
function inflateAtOnce(packed: Buffer): Buffer | undefined {
  if (packed.length > MAX_LENGTH_AT_ONCE) return undefined
  try {
    return inflateRawSync(packed, { maxOutputLength: MAX_BYTES_AT_ONCE })
  } catch {
    return undefined
  }
}

/** Copies the bytes of a page, which would keep the whole message in memory as well. */
function detachReading(reading: PageReading): PageReading {
  const { body, actions, captures, ...facts } = reading.page
  const page: FetchedPage = {
    ...facts,
    body: copyBytes(body),
    actions: actions && {
      ...actions,
      screenshots: actions.screenshots.map(detachImage),
      pdfs: actions.pdfs.map(copyBytes),
    },
    captures: captures?.screenshot ? { ...captures, screenshot: detachImage(captures.screenshot) } : captures,
  }
  const cached = { ...reading.cached, page: reading.cached.page && page }
  return { ...reading, page, cached }
}

const copyBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

const detachImage = (image: ScreenshotImage): ScreenshotImage => ({ ...image, bytes: copyBytes(image.bytes) })

/** The format of {@link packMessage} and the versions of trawl, as text: engines of the same one understand each other. */
export const messageVersion = (trawl: string): string => `trawl/${trawl} v10.${serialize(0)[1]}`

/** @param requested URL of the page */
export function toErrorData(error: TrawlError, requested: string): ErrorData {
  const { code, message, url, retryAfterMs } = error
  const leftPages = leftPagesOf(error, requested)
  const data = { code, message, url, retryAfterMs, leftPages: leftPages.length > 0 ? leftPages : undefined }
  if (!(error instanceof ActionError)) return data
  const { index, picture } = error
  return { ...data, action: picture ? { index, picture } : { index } }
}

/** Reverses {@link toErrorData}. */
export function toError(
  { code, message, url, retryAfterMs, leftPages, action }: ErrorData,
  requested: string,
): TrawlError {
  const options = { url, retryAfterMs }
  const error = action ? new ActionError(message, { ...options, ...action }) : new TrawlError(code, message, options)
  return keepLeftPages(error, requested, leftPages)
}
