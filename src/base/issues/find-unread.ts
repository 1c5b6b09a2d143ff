import { isObject } from '../collections/is-object.js'
import type { RequestIssue } from '../errors.js'

/** Maximum nesting of options: `scrapeOptions.location.country`. What is deeper is data, such as a schema. */
const MAX_DEPTH = 3

/**
 * Kinds of objects whose content is not in their properties. Any other may be a class of the host that names itself with
 * `Symbol.toStringTag`.
 */
const KINDS: ReadonlySet<string> = new Set(
  'Promise Map Set WeakMap WeakSet Date RegExp Error Generator AsyncGenerator'.split(' '),
)

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
  if (!KINDS.has(kind)) return []
  const fault = `${/^[AE]/.test(kind) ? 'an' : 'a'} ${kind} is not an object of options`
  return [{ code: 'invalid_type', path, message: kind === 'Promise' ? `${fault}: await it` : fault }]
}
