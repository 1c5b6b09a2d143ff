import { isObject } from '../../collections/is-object.js'
import type { RequestIssue } from '../../errors.js'

/** Maximum nesting of options: `scrapeOptions.location.country`. What is deeper is data, such as a schema. */
const MAX_DEPTH = 3

/**
 * Finds objects of which no option was read, because they are no objects of options: a `Promise` that was not awaited or a
 * `Map`. They have no properties of their own, so that a schema takes them for an object without options.
 *
 * @param given value that was checked
 * @param read copy that the check made
 * @param path of the value in the request
 */
export function findUnread(given: unknown, read: unknown, path: readonly string[] = []): RequestIssue[] {
  if (given === read || path.length > MAX_DEPTH || !isObject(given) || !isObject(read)) return []
  const names = Object.keys(read)
  if (names.length > 0) return names.flatMap((name) => findUnread(given[name], read[name], [...path, name]))
  const kind = Object.prototype.toString.call(given).slice('[object '.length, -1)
  if (kind === 'Object') return []
  return [{ code: 'invalid_type', path, message: describe(kind) }]
}

function describe(kind: string): string {
  const fault = `a ${kind} is not an object of options`
  return kind === 'Promise' ? `${fault}: await it` : fault
}
