import { ActionError, type TrawlError } from '../errors.js'
import { openDeadline } from '../concurrency/deadline.js'
import type { JobTools } from './job-tools.js'

/** Characters of pictures that a job's ledger keeps: enough to see what went wrong with the first few dozen pages. */
const MAX_LENGTH = 4 * 1024 * 1024
/** How long a sink may take for one. Milliseconds. */
const MAX_MS = 10_000

/**
 * Keeps the picture that an error carries, and gives back its URL. Where there is no sink for files that is the
 * picture itself: then only the first pictures of a job are kept. Never rejects.
 */
export type SaveErrorSnapshot = (
  error: TrawlError | undefined,
  url: string,
  signal: AbortSignal,
) => Promise<string | undefined>

/** Makes what keeps the pictures of a job's failures. */
export function createErrorSnapshots({ publishMedia }: Pick<JobTools, 'publishMedia'>): SaveErrorSnapshot {
  let room = MAX_LENGTH
  return async (error, url, signal) => {
    if (!(error instanceof ActionError) || !error.picture || room <= 0) return undefined
    const file = { kind: 'screenshot', ...error.picture, pageUrl: error.url ?? url } as const
    using deadline = openDeadline(url, MAX_MS, signal)
    const kept = await publishMedia(file, deadline.signal)
    room -= kept.url.length
    return room < 0 ? undefined : kept.url
  }
}
