import { untilAborted } from '../../base/concurrency/until-aborted.js'
import type { Digest } from '../../content/digest/digest.js'
import type { ObtainedPage } from './obtain-page.js'
import type { PageContext } from './page-context.js'
import { saveCurrent } from './page-snapshot.js'

const UNCACHED = 'the page could not be cached in time'
const UNSAVED = 'The page’s snapshot could not be stored in time.'

/** Stores a page that was fetched: the raw page in the cache, and its snapshot. @returns warnings of what failed */
export function rememberPage(
  context: PageContext,
  obtained: ObtainedPage,
  digest: Digest,
): Promise<readonly (string | undefined)[]> {
  // The document is complete by now. If a store does not answer, the page waits for its deadline and gets a warning.
  const untilDeadline = (storing: Promise<string | undefined>, late: string): Promise<string | undefined> =>
    untilAborted(storing, context.deadline.signal).catch(() => late)
  return Promise.all([
    obtained.remember && untilDeadline(obtained.remember(), UNCACHED),
    obtained.cached.page || !context.plan.snapshot
      ? undefined
      : untilDeadline(saveCurrent(context, obtained.page, digest), UNSAVED),
  ])
}
