import { messageOf } from '../errors.js'
import type { Store } from '../store/store.js'
import { type Snapshot, type SnapshotPlan, snapshotKey } from './snapshot.js'

/** What is known of how a page was. */
export interface SnapshotFinding {
  /** The last snapshot; absent when there is none. */
  readonly snapshot?: Snapshot
  /** Why that is not known. */
  readonly warning?: string
}

/** The page’s last snapshot, where it is to be compared. Never rejects. */
export async function recallSnapshot(
  sourceURL: string,
  plan: SnapshotPlan | undefined,
  store: Store,
): Promise<SnapshotFinding> {
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

/** A store of the host's own may give back anything. */
function readSnapshot(facts: unknown, body: Uint8Array | undefined): Snapshot | undefined {
  const takenAtMs = typeof facts === 'object' && facts !== null && 'takenAtMs' in facts ? facts.takenAtMs : undefined
  if (typeof takenAtMs !== 'number' || Number.isNaN(new Date(takenAtMs).getTime()) || !body) return undefined
  return { takenAtMs, markdown: new TextDecoder().decode(body) }
}
