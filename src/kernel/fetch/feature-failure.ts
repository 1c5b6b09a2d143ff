import { TrawlError } from '../../base/errors.js'
import { shortenText } from '../../base/text/cut-text.js'

/** Maximum length of the reason of a failure: what a feature throws may be of any length. Characters. */
const MAX_REASON = 1_000

/** Creates the error of a feature of the caller that has failed. A failure of which it says that it may pass keeps its code, and is retried. */
export function failFeature(
  name: string,
  reason: string,
  { url, cause }: { readonly url: string; readonly cause?: unknown },
): TrawlError {
  const known = readCause(cause)
  const { code, retryAfterMs } = known.error?.retry ? known.error : { code: 'FEATURE_FAILED' as const }
  const message = `feature \`${name}\` failed: ${shortenText(reason, MAX_REASON)}`
  return new TrawlError(code, message, { url, cause: known.cause, retryAfterMs })
}

/** Reads what a feature has thrown. A proxy may throw in its turn when it is asked: nobody is to meet it as a cause. */
function readCause(cause: unknown): { readonly cause?: unknown; readonly error?: TrawlError } {
  try {
    return { cause, error: cause instanceof TrawlError ? cause : undefined }
  } catch {
    return {}
  }
}
