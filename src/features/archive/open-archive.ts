import { followSignals } from '../../base/concurrency/deadline.js'
import { readReason } from '../../base/http/reason-phrase.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import { parseUrl, withoutCredentials, withoutFragment } from '../../base/url.js'
import { checkCall, checkScrapeOptions } from '../../kernel/options/check.js'
import type { CallOptions } from '../../kernel/engine/engine-surface.js'
import type { EngineParts } from '../../kernel/engine/entry-points.js'
import type { Document } from '../../kernel/page/document.js'
import { parsePage } from '../../kernel/page/pipeline.js'
import { estimatePageCredits } from '../../kernel/plan/page-credits.js'
import { planScrape } from '../../kernel/plan/scrape/plan-scrape.js'
import { createJudge } from './archive-filters.js'
import { type ArchiveOptions, checkArchiveOptions, checkSources } from './archive-options.js'
import { ArchiveReader, describePlace } from './archive-run.js'
import type { ArchivedCapture } from './read/capture.js'
import { readArchive } from './read/read-archive.js'

/** Pages for each thread: while one is digested, the next is read and its document is made. */
const PAGES_PER_THREAD = 3

/** Creates the call that reads archives. */
export const createArchiveCall =
  ({ settings, capabilities, pageTools, jobTools, closing }: EngineParts) =>
  (given: unknown, options: ArchiveOptions = {}, call: CallOptions = {}): ArchiveReader => {
    const sources = checkSources(given)
    const { signal: own } = checkCall(call)
    closing.throwIfAborted()
    own?.throwIfAborted()
    const { reading, page } = checkArchiveOptions(options)
    const plan = planScrape(checkScrapeOptions(page, capabilities), settings)
    const { wireBytes, bodyBytes } = settings.limits
    const { scheme = 'https' } = reading
    const estimate = estimatePageCredits(plan)
    const { signal } = followSignals(closing, ...(own ? [own] : []))
    pageTools.prepare()
    return new ArchiveReader({
      open: (until) =>
        readArchive(sources, { judge: createJudge(reading.filters), wireBytes, bodyBytes, scheme, signal: until }),
      pagesAtOnce: Math.max(2, PAGES_PER_THREAD * settings.threads),
      signal,
      async makeDocument(capture, until) {
        const fetched = toPage(capture, settings.now())
        const make = async () => ({ document: await parsePage(fetched, plan, pageTools, until) })
        return describeDocument((await jobTools.credits.charge(estimate, until, make)).document, capture)
      },
    })
  }

/** Makes a page of a response, as if it had been fetched at its time. */
function toPage(capture: ArchivedCapture, nowMs: number): FetchedPage {
  const { statusCode, statusText, headers, contentType, body, problems } = capture
  const parsed = parseUrl(capture.url)
  const url = parsed ? withoutFragment(withoutCredentials(parsed)).href : capture.url
  return {
    url,
    redirects: [],
    statusCode,
    error: isSuccessStatus(statusCode) ? undefined : readReason(statusCode, statusText),
    headers,
    contentType,
    // A buffer of its own can be handed to a thread without a copy.
    body: body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body),
    fetcher: 'archive',
    fetchedAtMs: capture.timeMs ?? nowMs,
    warnings: problems.length === 0 ? undefined : [`The record is not whole: ${problems.join('; ')}.`],
  }
}

/** Adds to a document where its page was archived, and when. */
const describeDocument = (document: Document, capture: ArchivedCapture): Document => ({
  ...document,
  metadata: { ...document.metadata, sourceURL: capture.url, archive: describePlace(capture) },
})
