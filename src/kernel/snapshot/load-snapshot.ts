import { messageOf } from '../../base/errors.js'
import type { Store } from '../../base/store/store.js'
import { type Snapshot, type SnapshotPlan, snapshotKey } from './snapshot.js'

/** The result of loading a snapshot. */
export interface LoadedSnapshot {
  /** The last snapshot; absent when there is none. */
  readonly snapshot?: Snapshot
  /** Set when the snapshot could not be read. */
  readonly warning?: string
}

/** Loads the last snapshot of a page that is to be compared. Never rejects. */
export async function loadSnapshot(
  sourceURL: string,
  plan: SnapshotPlan | undefined,
  store: Store,
): Promise<LoadedSnapshot> {
  if (!plan?.compares) return {}
  try {
    const entry = await store.get(snapshotKey(sourceURL, plan.tag))
    const snapshot = entry && readSnapshot(entry.facts, entry.bodies?.['markdown'])
    return snapshot ? { snapshot } : {}
  } catch (error) {
    const reason = messageOf(error)
    return { warning: `The page’s last snapshot could not be read: ${reason}.` }
  }
}

/** Validates an entry, because a store of the host may return anything. */
function readSnapshot(facts: unknown, body: Uint8Array | undefined): Snapshot | undefined {
  const takenAtMs = typeof facts === 'object' && facts !== null && 'takenAtMs' in facts ? facts.takenAtMs : undefined
  if (typeof takenAtMs !== 'number' || Number.isNaN(new Date(takenAtMs).getTime()) || !body) return undefined
  return { takenAtMs, markdown: new TextDecoder().decode(body) }
}
