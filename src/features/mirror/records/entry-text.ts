import { isObject } from '../../../base/collections/is-object.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type { MirrorEntry, MirrorHead } from '../mirror-record.js'

/** Takes a stored value as an entry; undefined for a damaged one. */
export function toEntry(value: unknown): MirrorEntry | undefined {
  const isEntry = isObject(value) && typeof value['key'] === 'string' && typeof value['digest'] === 'string'
  return isEntry ? (value as unknown as MirrorEntry) : undefined
}

/** Takes a stored value as a head; undefined for a damaged one. */
export const toHead = (value: unknown): MirrorHead | undefined =>
  isObject(value) && typeof value['run'] === 'number' ? (value as unknown as MirrorHead) : undefined

/** Reads a stored entry. @throws Error for a damaged one */
export function readEntry(text: string): MirrorEntry {
  const entry = toEntry(parseJson(text))
  if (!entry) throw new Error('an entry of a mirror is damaged')
  return entry
}

/** Reads a stored head; undefined for none. @throws SyntaxError for a damaged one */
export const readHead = (text: string | undefined): MirrorHead | undefined =>
  text === undefined ? undefined : toHead(parseJson(text))
