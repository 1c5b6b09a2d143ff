import type { RowReader } from '../../ledger/ledger.js'
import type { FeatureRunner } from '../../page/page-context.js'
import type { Robots } from '../../frontier/robots/robots.js'
import type { LedgerRow } from '../../ledger/ledger.js'
import { cutLongUrl } from '../../frontier/duplicates/same-page.js'
import { urlToString, type UrlLike, withScheme, parseUrl } from '../../../base/url.js'
import type { UnseenUrl } from '../job.js'
import { InvalidRequestError, printSeen, toTrawlError } from '../../../base/errors.js'
import type { RobotsFailure } from '../../frontier/robots/robots.js'
import type { Refusal } from '../../ledger/ledger.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'

/**
 * Explains what a job knows about a URL, or would decide about it. Undefined for a string that is no URL.
 *
 * @throws InvalidRequestError for anything but a string or a `URL`
 */
export async function explainUrl(
  given: UrlLike,
  ledger: RowReader,
  { strategy, startUrl }: { readonly strategy: JobStrategy; readonly startUrl: string | undefined },
  { robots, features }: { readonly robots: Robots; readonly features: FeatureRunner },
): Promise<LedgerRow | UnseenUrl | undefined> {
  const url = urlToString(given)
  if (typeof url !== 'string') {
    const message = `${printSeen(given)} is not a string, and not a URL`
    throw new InvalidRequestError([{ code: 'invalid_type', path: ['url'], message }])
  }
  const asked = parseAsked(url, startUrl)
  if (!asked) return undefined
  const row = await ledger.row(strategy.keyOf(asked))
  // A copy, because the ledger keeps changing its own row.
  if (row && !row.abridged) return { ...row }
  const verdict = (await strategy.crawl?.judge(asked, robots)) ?? (await askFeatures(asked.href, strategy, features))
  if (row) {
    // An abridged row has the reason without a message. If the rules give the same reason again, their message is used.
    const isSame = verdict && 'reason' in verdict && verdict.reason === row.refusal?.reason
    return { ...row, url: cutLongUrl(asked.href), refusal: isSame ? verdict : row.refusal }
  }
  if (!verdict) return { outcome: 'unseen', url }
  if ('reason' in verdict) return { outcome: 'unseen', url, refusal: verdict }
  return { outcome: 'unseen', url, failure: { code: verdict.code, error: verdict.message } }
}

/** Parses the URL that a job is asked about: a path is one of the site of its start URL. */
export const parseAsked = (asked: string, startUrl: string | undefined): URL | undefined =>
  asked.startsWith('/') && startUrl !== undefined ? parseUrl(asked, withScheme(startUrl)) : parseUrl(withScheme(asked))

/** Time for the features when a URL is explained. Milliseconds. */
const MAX_WAIT_MS = 30_000

async function askFeatures(
  url: string,
  { plan }: JobStrategy,
  features: JobTools['features'],
): Promise<Refusal | RobotsFailure | undefined> {
  try {
    return (await features.refuse({ url, plan: plan.page, signal: AbortSignal.timeout(MAX_WAIT_MS) }))?.refusal
  } catch (error) {
    const { code, message } = toTrawlError(error)
    return { code, message }
  }
}
