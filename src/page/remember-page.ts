import { untilAborted } from '../concurrency/until-aborted.js'
import type { Digest } from '../digest/digest.js'
import type { ObtainedPage } from './obtain-page.js'
import type { PageContext } from './page-context.js'
import { saveCurrent } from './page-snapshot.js'

const UNCACHED = 'the page could not be cached in time'
const UNSAVED = 'The page’s snapshot could not be stored in time.'

/** Stores a page that its site gave: the raw page in the cache, and its snapshot. @returns warnings of what failed */
export function rememberPage(
  context: PageContext,
  obtained: ObtainedPage,
  digest: Digest,
): Promise<readonly (string | undefined)[]> {
  // A store that hangs costs the page its time, and not the document, which is finished by now.
  const inTime = (storing: Promise<string | undefined>, late: string): Promise<string | undefined> =>
    untilAborted(storing, context.deadline.signal).catch(() => late)
  return Promise.all([
    obtained.remember && inTime(obtained.remember(), UNCACHED),
    obtained.cached.page ? undefined : inTime(saveCurrent(context, obtained.page, digest), UNSAVED),
  ])
}
