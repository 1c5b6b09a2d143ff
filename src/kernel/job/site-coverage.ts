import { isSuccessStatus } from '../../base/http/statuses.js'
import { withoutFragment } from '../../base/url.js'
import { lacksSitemap } from '../frontier/sitemap/sitemap-warnings.js'
import type { LedgerRow, SkipReason } from '../ledger/ledger.js'

/** Verdict of a status on a page: the site has it, it has it no longer, or it says nothing, so that an earlier copy may still be right. */
export type StatusVerdict = 'page' | 'gone' | 'unread'

/** Judges the status of a page, for whoever keeps a copy of it: `page` replaces the copy, `gone` deletes it, `unread` leaves it. */
export function judgeStatus(statusCode: number): StatusVerdict {
  if (isSuccessStatus(statusCode)) return 'page'
  return statusCode === 404 || statusCode === 410 ? 'gone' : 'unread'
}

/** Part of the status of a job that has ended. */
export interface CoverageStatus {
  readonly status: string
  readonly failed: number
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>
  readonly stoppedBy?: string
  readonly error?: string
  readonly warning?: string
}

/** Skip reasons of URLs that are further away than the crawl went. */
const TOO_DEEP: ReadonlySet<SkipReason> = new Set(['DISCOVERY_DEPTH', 'DEPTH_LIMIT'])

/**
 * Judges by the rows of a job how much of its site it has seen: whether a page of an earlier job that this one did not meet may still
 * exist. It keeps no more than the URLs of such pages.
 *
 * @example
 * const coverage = new SiteCoverage((url) => copies.has(url))
 * for await (const row of job.urls()) coverage.add(row)
 * if (coverage.gaps(await job.finished()).length === 0) await deleteUnmet()
 */
export class SiteCoverage {
  readonly #isKnown: (url: string) => boolean
  readonly #left = new Set<string>()
  #unread = 0
  #tooDeep = 0
  #startsLost = 0
  #errorPages = 0

  /** @param isKnown tests for a page of the earlier job, by its URL */
  constructor(isKnown: (url: string) => boolean) {
    this.#isKnown = isKnown
  }

  /** Known pages of which the site says itself that they have left their URL: by 404, 410 or a redirect. */
  get left(): ReadonlySet<string> {
    return this.#left
  }

  /** Number of documents with an error status. */
  get errorPages(): number {
    return this.#errorPages
  }

  /** Adds a row of the ended job. */
  add(row: LedgerRow): void {
    const { url, outcome, refusal, attempts, finalUrl, via, sources } = row
    // A page that an earlier crawl has was not requested, and has no status.
    const answer = attempts.length === 0 ? undefined : judgeStatus(attempts.at(-1)?.statusCode ?? 200)
    const isRead = outcome === 'done' || outcome === 'skipped'
    if (outcome === 'done' && answer !== 'page' && answer !== undefined) this.#errorPages += sources?.length ?? 1
    if (isRead && answer === 'unread') this.#unread += 1
    const isStart = via === 'seed' && refusal?.reason !== 'DUPLICATE'
    if (isStart && !(outcome === 'done' && answer === undefined) && (!isRead || answer !== 'page'))
      this.#startsLost += 1
    if (!this.#isKnown(url)) return
    if (refusal && TOO_DEEP.has(refusal.reason)) this.#tooDeep += 1
    const hasMoved = finalUrl !== undefined && !isSamePage(finalUrl, url)
    if (isRead && (answer === 'gone' || (answer === 'page' && hasMoved))) this.#left.add(url)
  }

  /**
   * Lists the reasons why pages that the job did not meet may exist.
   *
   * @returns parts of a sentence; none if the job has seen all of its scope, so that what it did not meet is not there
   */
  gaps(status: CoverageStatus): string[] {
    return [
      ...listGaps(status, { unread: this.#unread, lacksStart: this.#startsLost > 0 }),
      ...(this.#tooDeep === 0 ? [] : [`${countPages(this.#tooDeep)} of them are deeper than this job went`]),
      ...(lacksSitemap(status.warning ?? '') ? ['a sitemap could not be read'] : []),
    ]
  }
}

/**
 * Lists the reasons that the end of a job gives for pages which it may not have met.
 *
 * @param found what was found about its pages: `unread` ones have an error status that says nothing about whether they exist
 * @returns parts of a sentence
 */
export function listGaps(
  { status, failed, error, skippedByReason, stoppedBy }: CoverageStatus,
  found: { readonly unread: number; readonly lacksStart: boolean },
): string[] {
  const { LIMIT = 0, CANCELLED = 0 } = skippedByReason
  const unread = failed + found.unread
  const failure = `has failed${error === undefined ? '' : `: ${error}`}`
  return [
    ...(status === 'completed' ? [] : [`the job ${status === 'failed' ? failure : `is ${status}`}`]),
    ...(stoppedBy === undefined ? [] : [`\`${stoppedBy}\` stopped the job`]),
    ...(LIMIT === 0 ? [] : [`\`limit\` left ${countPages(LIMIT)} out`]),
    ...(CANCELLED === 0 ? [] : [`${countPages(CANCELLED)} had no turn`]),
    ...(found.lacksStart ? ['a start page gave no page'] : []),
    ...(unread === 0 ? [] : [`${countPages(unread)} could not be read, whose links may lead to others`]),
  ]
}

/** Counts pages in a sentence. */
export const countPages = (pages: number): string => `${pages} ${pages === 1 ? 'page' : 'pages'}`

const isSamePage = (one: string, other: string): boolean =>
  withoutFragment(new URL(one)).href === withoutFragment(new URL(other)).href
