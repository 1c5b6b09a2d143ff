import { createHash } from 'node:crypto'
import type { ListRow } from './page-list.js'

/** Key of a template whose rows nothing but all of their values identifies. */
export const TEXT_KEY = 'text'

/** Returns the identity of a row that nothing but all of its values identifies. */
export const keyOfFields = (item: ListRow): string => hashText(JSON.stringify(item))

/** Returns a short name of a text. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/**
 * Leaves out rows that are the same as one before. Different rows may have the same key.
 *
 * @param written the values of each row as the page writes them: values that are understood alike may be different.
 *   @default the values of the row
 */
export function dropRepeated(
  items: readonly ListRow[],
  keys: readonly string[],
  written: readonly string[] = items.map((item) => JSON.stringify(item)),
): { items: ListRow[]; keys: string[] } {
  const seen = new Set<string>()
  const kept = { items: [] as ListRow[], keys: [] as string[] }
  for (const [at, item] of items.entries()) {
    const key = keys[at] ?? ''
    if (Object.keys(item).length === 0) continue
    const identity = `${key} ${written[at] ?? ''}`
    if (seen.has(identity)) continue
    seen.add(identity)
    kept.items.push(item)
    kept.keys.push(key)
  }
  return kept
}
