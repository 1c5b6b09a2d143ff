import { messageOf } from '../../base/errors.js'
import type { Store } from '../../base/store/store.js'
import { type Snapshot, type SnapshotPlan, snapshotKey } from './snapshot.js'

/** Stores a snapshot of a page in place of the one before. @returns a warning when that failed */
export async function saveSnapshot(
  sourceURL: string,
  { takenAtMs, markdown }: Snapshot,
  plan: SnapshotPlan,
  store: Store,
): Promise<string | undefined> {
  try {
    const bodies = { markdown: new TextEncoder().encode(markdown) }
    await store.set(snapshotKey(sourceURL, plan.tag), { facts: { takenAtMs }, bodies })
    return undefined
  } catch (error) {
    return `The page’s snapshot could not be stored: ${messageOf(error)}.`
  }
}
