import { createHash } from 'node:crypto'
import type { ListRow } from './page-list.js'

/** Returns the identity of a row that nothing but all of its values identifies. */
export const keyOfFields = (item: ListRow): string =>
  createHash('sha256').update(JSON.stringify(item)).digest('base64url').slice(0, 22)

/** Leaves out rows that are the same as one before. Different rows may have the same key. */
export function dropRepeated(items: readonly ListRow[], keys: readonly string[]): { items: ListRow[]; keys: string[] } {
  const seen = new Set<string>()
  const kept = { items: [] as ListRow[], keys: [] as string[] }
  for (const [at, item] of items.entries()) {
    const key = keys[at] ?? ''
    const text = JSON.stringify(item)
    if (text === '{}') continue
    const identity = `${key} ${text}`
    if (seen.has(identity)) continue
    seen.add(identity)
    kept.items.push(item)
    kept.keys.push(key)
  }
  return kept
}
