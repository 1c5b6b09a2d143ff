import { createHash } from 'node:crypto'
import type { ListRow } from './page-list.js'

/** Returns the identity of a row that nothing but all of its values identifies. */
export const keyOfFields = (item: ListRow): string =>
  createHash('sha256').update(JSON.stringify(item)).digest('base64url').slice(0, 22)

/** Leaves out rows that are the same as one before; rows that only have the same key keep it with a number. */
export function dropRepeated(items: readonly ListRow[], keys: readonly string[]): { items: ListRow[]; keys: string[] } {
  const seen = new Map<string, { texts: Set<string> }>()
  const kept = { items: [] as ListRow[], keys: [] as string[] }
  for (const [at, item] of items.entries()) {
    const key = keys[at] ?? ''
    const text = JSON.stringify(item)
    if (text === '{}') continue
    const before = seen.get(key)
    if (before?.texts.has(text) === true) continue
    const number = before === undefined ? '' : `#${before.texts.size + 1}`
    if (before === undefined) seen.set(key, { texts: new Set([text]) })
    else before.texts.add(text)
    kept.items.push(item)
    kept.keys.push(key + number)
  }
  return kept
}
