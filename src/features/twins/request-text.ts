import { isSuccessStatus, transientStatuses } from '../../base/http/statuses.js'
import type { FeatureFile, FeaturePage } from '../../kernel/page/feature-page.js'

/** Maximum size of a text. Bytes. */
const MAX_BYTES = 2_097_152
const TEXT_TYPE = /^\s*text\/(?:markdown|x-markdown|plain)\s*(?:;|$)/i

/** A text of a site. */
interface SiteText {
  /** URL after redirects. */
  readonly url: string
  readonly body: Uint8Array
}

/**
 * A text; or `none` if the site has answered that there is none; `failed` if it has not answered; `refused` if it was not to be
 * asked.
 */
export type TextAnswer = SiteText | 'none' | 'failed' | 'refused'

/**
 * Requests a text of the origin of a page once, by the rules of the page's job. An answer of another origin is none.
 *
 * @throws the signal's reason
 */
export async function requestText(
  page: FeaturePage,
  url: string,
  accept: string,
  signal: AbortSignal,
): Promise<TextAnswer> {
  const isWanted = (file: FeatureFile): boolean =>
    TEXT_TYPE.test(file.contentType ?? '') && new URL(file.url).origin === new URL(url).origin
  try {
    const answer = await page.fetch(url, { headers: { accept }, maxBytes: MAX_BYTES, signal, isWanted })
    if ('refused' in answer) return 'refused'
    if ('file' in answer) return { url: answer.file.url, body: answer.file.body }
    const { statusCode } = answer
    if (isSuccessStatus(statusCode)) return 'none'
    return statusCode >= 400 && statusCode < 500 && !transientStatuses.has(statusCode) ? 'none' : 'failed'
  } catch {
    signal.throwIfAborted()
    return 'failed'
  }
}
