import { compact } from '../../base/collections/compact.js'
import { messageOf } from '../../base/errors.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import type { Digest, DigestPlan } from '../../content/digest/digest.js'
import type { EnrichTools } from '../enrich/format.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { loadSnapshot, type LoadedSnapshot } from '../snapshot/load-snapshot.js'
import { snapshotKey } from '../snapshot/snapshot.js'
import { boundStore } from '../../base/store/bound-store.js'
import type { PageContext } from './page-context.js'

/** Timeout for the store to give a snapshot. Milliseconds. */
const LOAD_TIMEOUT_MS = 10_000

/** Loads the snapshot that a page is compared with; undefined if the plan compares nothing. */
export async function loadPrevious({
  request,
  plan,
  tools,
  deadline,
}: PageContext): Promise<LoadedSnapshot | undefined> {
  const { snapshot } = plan
  if (!snapshot?.compares) return undefined
  const snapshots = boundStore(tools.snapshots, { timeoutMs: LOAD_TIMEOUT_MS })
  return await untilAborted(loadSnapshot(request.sourceURL, snapshot, snapshots), deadline.signal)
}

/** Adds the comparison with a snapshot to the plan of a digest. */
export function trackChanges({ digest, snapshot }: ScrapePlan, previous: LoadedSnapshot | undefined): DigestPlan {
  if (!snapshot) return digest
  const { diff, pieces } = snapshot
  return { ...digest, track: { diff, ...compact({ pieces, previous: previous?.snapshot?.markdown }) } }
}

const UNTRACKED = 'The page took too long to be read whole, so that it was not compared with its last snapshot.'

/** Describes how a page differs from its snapshot, for format `changeTracking`; undefined if it was not compared. */
export function findChanges(previous: LoadedSnapshot | undefined, { tracked }: Digest): EnrichTools['changes'] {
  if (!previous) return undefined
  return compact({
    previousAtMs: previous.snapshot?.takenAtMs,
    isChanged: tracked?.isChanged,
    diff: tracked?.diff,
    texts: tracked?.texts,
    warning: previous.warning ?? (tracked ? undefined : UNTRACKED),
  })
}

/**
 * Saves a snapshot of a page. An error page is not saved: the snapshot before it stays.
 *
 * @returns a warning where that failed
 */
export async function saveCurrent(
  { request, plan, tools }: PageContext,
  { fetchedAtMs, statusCode }: FetchedPage,
  { tracked }: Digest,
): Promise<string | undefined> {
  const { snapshot } = plan
  if (!snapshot || !tracked || !isSuccessStatus(statusCode)) return undefined
  try {
    const bodies = { markdown: new TextEncoder().encode(tracked.markdown) }
    await tools.snapshots.set(snapshotKey(request.sourceURL, snapshot.tag), {
      facts: { takenAtMs: fetchedAtMs },
      bodies,
    })
    return undefined
  } catch (error) {
    return `The page’s snapshot could not be stored: ${messageOf(error)}.`
  }
}
