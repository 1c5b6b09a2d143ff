import { countFailure } from '../../accounting/credits.js'
import type { Document } from '../../page/document.js'
import { toTrawlError } from '../../errors.js'
import type { PlaceLender, UsageMeter } from '../../fetch/fetcher.js'
import type { ScrapeRequest } from '../../page/scrape-request.js'
import type { VisitOutcome } from '../../frontier/politeness.js'
import type { Attempt, Ending, LedgerRow } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'
import { type AttemptResult, attemptPage } from '../../page/attempt-page.js'
import { estimateBytes } from './estimate-bytes.js'
import type { JobStrategy, JobContext } from '../job-strategy.js'
import type { KnownPage } from '../../page/known-page.js'
import { refuseClosed } from './refuse-closed.js'
import type { JobTools } from '../job-tools.js'

/** What a turn came to: an ending, or another try later. */
export interface RowAttempt {
  readonly ending: Ending<Document> | 'retry'
  /** Absent when nothing was tried. */
  readonly attempt?: Attempt
  /** What the site was like. */
  readonly visit: Omit<VisitOutcome, 'delayMs'>
  /** The URL that answered, when it is not the one asked for. */
  readonly finalUrl?: string
  /** The URL of an earlier page with the same, or nearly the same, content. */
  readonly duplicateOf?: string
  /** The page of a document, from which it can be made again. */
  readonly kept?: KeptPage
  /** What the script wants to know of the page when the job goes on in another process. */
  readonly note?: unknown
}

/** A page that gave a document. */
export interface KeptPage {
  readonly page: ScrapedPage
  /** The ending that this document makes. */
  endWith(document: Document): Ending<Document>
}

/** What a turn is to be paid for. Credits. */
export const creditsOf = ({ ending }: RowAttempt): number =>
  ending === 'retry' || ending.outcome === 'skipped' ? 0 : (ending.credits ?? 0)

/** What a site was like that was not asked for anything. */
export const noVisit: RowAttempt['visit'] = { latencyMs: undefined, statusCode: undefined, retryAfterMs: undefined }

/**
 * One try at one row: fetches its page, looks at it, says what becomes of it. Never rejects: a defect, or a cancelled job,
 * fails the page.
 */
export async function attemptRow(
  row: LedgerRow,
  job: {
    script: JobStrategy
    tools: JobTools
    stage: JobContext
    plan: ScrapePlan
    place: PlaceLender
    meter?: UsageMeter | undefined
  },
): Promise<RowAttempt> {
  const { script, tools, stage, plan, place, meter } = job
  const beganAtMs = tools.now()
  let known: KnownPage | undefined
  try {
    const refusal = script.refuse && (await place.wait(script.refuse(row, stage), stage))
    if (refusal) return { ending: { outcome: 'skipped', refusal }, visit: noVisit }
    known = await script.recall?.(row, stage)
  } catch (error) {
    const { code, message } = toTrawlError(error)
    return {
      ending: fail(error),
      attempt: { startedAtMs: beganAtMs, endedAtMs: tools.now(), code, error: message },
      visit: noVisit,
    }
  }

  const request: ScrapeRequest = {
    url: row.url,
    sourceURL: row.sources?.[0]?.url ?? row.url,
    rendering: stage.rendering,
    spending: stage.spending,
    extractors: stage.extractors,
    place,
    admit: () => refuseClosed(row.url, tools),
    ...(meter && { meter }),
    ...(known && { lastSeen: known.lastSeen }),
  }
  const startedAtMs = tools.now()
  const tried: AttemptResult =
    known?.unchanged === undefined
      ? await attemptPage(request, plan, tools, row.attempts.length + 1, stage.signal)
      : { page: known.restore(), retryDelayMs: undefined }
  const { error, retryDelayMs } = tried
  const page = tried.page && known && tried.page.unchanged !== undefined ? known.restore(tried.page) : tried.page
  const endedAtMs = tools.now()
  const screenshot = await stage.keepEvidence(error, row.url, stage.signal)
  const attempt: Attempt = {
    startedAtMs,
    endedAtMs,
    ...(retryDelayMs === undefined ? {} : { retryAtMs: endedAtMs + retryDelayMs }),
    ...(screenshot === undefined ? {} : { screenshot }),
    ...(error ? { code: error.code, error: error.message } : page && describeFetch(page)),
  }
  const visit = error
    ? { latencyMs: endedAtMs - startedAtMs, statusCode: undefined, retryAfterMs: error.retryAfterMs }
    : (page?.visit ?? noVisit)

  if (retryDelayMs !== undefined) return { ending: 'retry', attempt, visit }
  if (error || !page) return { ending: fail(error), attempt, visit }
  const { url: finalUrl } = page.document.metadata
  const moved = finalUrl === row.url ? {} : { finalUrl }
  try {
    return { ...(await reviewPage(row, page, script, stage)), attempt, visit, ...moved }
  } catch (thrown) {
    return { ending: fail(thrown), attempt, visit, ...moved }
  }
}

function fail(thrown: unknown): Ending<Document> {
  const { code, message } = toTrawlError(thrown)
  const credits = countFailure(code)
  return { outcome: 'failed', code, error: message, ...(credits > 0 && { credits }) }
}

const describeFetch = ({
  fetcher,
  fetcherReason,
  blockedBy,
  document,
  unchanged,
  visit,
}: ScrapedPage): Omit<Attempt, 'startedAtMs' | 'endedAtMs'> => ({
  fetcher,
  ...(fetcherReason === undefined ? {} : { fetcherReason }),
  ...(unchanged === undefined || visit?.statusCode !== undefined
    ? { statusCode: (unchanged === undefined ? undefined : visit?.statusCode) ?? document.metadata.statusCode }
    : {}),
  ...(document.metadata.proxyUsed === 'stealth' ? { proxyUsed: 'stealth' } : {}),
  ...(blockedBy === undefined ? {} : { blocks: blockedBy }),
})

async function reviewPage(
  row: LedgerRow,
  page: ScrapedPage,
  script: JobStrategy,
  stage: JobContext,
): Promise<Pick<RowAttempt, 'ending' | 'duplicateOf' | 'kept' | 'note'>> {
  const { refusal, note, ...found } = await script.review(row, page, stage)
  if (refusal) return { ending: { outcome: 'skipped', refusal }, note, ...found }
  const sources = row.sources?.map((source) => source.url) ?? [row.url]
  const endWith = (made: Document): Ending<Document> => {
    const documents = sources.map((sourceURL, index) => {
      const document = script.describe(made, row, sourceURL)
      // A page that is named twice is paid for once.
      const paid = index === 0 ? {} : { creditsUsed: 0 }
      return { ...document, metadata: { ...document.metadata, ...found, ...paid } }
    })
    const { creditsUsed: credits } = made.metadata
    return { outcome: 'done', documents, bytes: estimateBytes(made), credits }
  }
  const ending = endWith(page.document)
  // Of a page that was not read nothing can be made again.
  return page.unchanged === undefined ? { ending, note, ...found, kept: { page, endWith } } : { ending, note, ...found }
}
