import type { MirrorEntry, MirrorHead, MirrorRecord } from '../mirror-record.js'

/** Keeps the record of a mirror in memory, for an engine that keeps nothing else. */
export function memoryRecord(): MirrorRecord {
  const entries = new Map<string, MirrorEntry>()
  let head: MirrorHead | undefined
  return {
    load: async () => ({ head, entries: [...entries.values()] }),
    async save({ put = [], remove = [] }) {
      for (const key of remove) entries.delete(key)
      for (const entry of put) entries.set(entry.key, entry)
    },
    async saveHead(saved) {
      head = saved
    },
  }
}
