import { messageOf } from '../errors.js'
import type { Store } from '../store/store.js'
import { type Snapshot, type SnapshotPlan, snapshotKey } from './snapshot.js'

/** Keeps a page as it is now, in place of the snapshot before. Gives back a warning when that failed. */
export async function keepSnapshot(
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
    return `The page’s snapshot could not be kept: ${messageOf(error)}.`
  }
}
