import { InvalidRequestError, type RequestIssue } from '../errors.js'
import { findMedia } from './keep-nothing.js'

/** What a request for a job is checked against beside itself. */
export interface EngineFacts {
  /** Whether files of pages are kept somewhere. */
  readonly hasMedia: boolean
  /** Why no crawl can go by what this job left; undefined when one can, or when only the store of snapshots knows. */
  findSinceFault(jobId: string): string | undefined
}

type Checked = Parameters<typeof findMedia>[0] & {
  readonly zeroDataRetention?: boolean | undefined
  readonly since?: string | undefined
  readonly scrapeOptions?: Parameters<typeof findMedia>[0] | undefined
}

/**
 * Refuses what is sound by itself, and cannot be done by this engine.
 *
 * @throws InvalidRequestError with every problem found
 */
export function refuseForEngine(request: Checked, { hasMedia, findSinceFault }: EngineFacts): void {
  const { since, scrapeOptions, zeroDataRetention } = request
  const fault = since === undefined || since === 'last' ? undefined : findSinceFault(since)
  const kept =
    zeroDataRetention === true && hasMedia
      ? [...findMedia(request, []), ...findMedia(scrapeOptions ?? {}, ['scrapeOptions'])]
      : []
  const issues: RequestIssue[] = [
    ...(fault === undefined ? [] : [{ code: 'custom', path: ['since'], message: fault }]),
    ...kept,
  ]
  if (issues.length > 0) throw new InvalidRequestError(issues)
}
