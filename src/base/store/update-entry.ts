import type { Store, StoredEntry } from './store.js'

/** Changes an entry: by `Store.update` where the store has it, so that no change of another process is lost. */
export async function updateEntry(
  store: Store,
  key: string,
  change: (entry: StoredEntry | undefined) => StoredEntry,
): Promise<void> {
  if (store.update) await store.update(key, change)
  else await store.set(key, change(await store.get(key)))
}
