import { ActionError, type TrawlError } from '../../base/errors.js'
import { openDeadline } from '../../base/concurrency/deadline.js'
import type { JobTools } from './job-tools.js'

/**
 * Maximum total length of the `data:` URLs of screenshots that a job's ledger stores: enough for the first few dozen
 * failed pages. Characters.
 */
const MAX_LENGTH = 4 * 1024 * 1024
/** Longest time that a media sink may take for one screenshot. */
const PUBLISH_TIMEOUT_MS = 10_000

/**
 * Publishes the screenshot that an error carries, and returns its URL. Without a media sink this is a `data:` URL; then
 * only the first screenshots of a job are stored. Undefined when the error carries none. Never rejects.
 */
export type SaveErrorSnapshot = (
  error: TrawlError | undefined,
  url: string,
  signal: AbortSignal,
) => Promise<string | undefined>

/** Creates the function that saves the error screenshots of one job. */
export function createErrorSnapshots({
  publishMedia,
}: {
  readonly publishMedia: JobTools['publishMedia']
}): SaveErrorSnapshot {
  let left = MAX_LENGTH
  return async (error, url, signal) => {
    if (!(error instanceof ActionError) || !error.picture || left <= 0) return undefined
    const file = { kind: 'screenshot', ...error.picture, pageUrl: error.url ?? url } as const
    using deadline = openDeadline(url, PUBLISH_TIMEOUT_MS, signal)
    const kept = await publishMedia(file, deadline.signal)
    left -= kept.url.length
    return left < 0 ? undefined : kept.url
  }
}
