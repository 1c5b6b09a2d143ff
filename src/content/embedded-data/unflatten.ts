import { isObject } from '../../base/collections/is-object.js'

/** Maximum length of a list; the data of a page has some thousands of values. */
const MAX_VALUES = 200_000

/** Maximum nesting of tagged values; more would exhaust the stack. */
const MAX_LEVELS = 50

/** Reads a value that is tagged with its type instead of an index, such as `["Date", "2024-01-01"]`. */
type ReadTagged = (name: string, rest: readonly unknown[], at: (place: unknown) => unknown) => unknown

/**
 * Restores a value from a flat list, in which values refer to each other by index, so that a repeated value is written once.
 * The first value is the root.
 *
 * @param keyOf returns the name of a member from its key in the list
 */
export function unflatten(
  list: readonly unknown[],
  readTagged: ReadTagged,
  keyOf: (written: string, at: (place: unknown) => unknown) => string = (written) => written,
): unknown {
  if (list.length > MAX_VALUES) return undefined
  const made = new Map<number, unknown>()
  const waiting: (() => void)[] = []
  let level = 0

  const at = (place: unknown): unknown => {
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place >= list.length) return undefined
    if (made.has(place)) return made.get(place)
    const written = list[place]
    // Members are filled in later, so that nesting does not exhaust the stack.
    if (Array.isArray(written)) {
      if (typeof written[0] === 'string') {
        // A tagged value that contains itself is undefined there.
        made.set(place, undefined)
        level += 1
        const value = level > MAX_LEVELS ? undefined : readTagged(written[0], written.slice(1), at)
        level -= 1
        made.set(place, value)
        return value
      }
      const values: unknown[] = []
      made.set(place, values)
      waiting.push(() => void values.push(...written.slice(0, MAX_VALUES / 10).map((inner) => at(inner))))
      return values
    }
    if (isObject(written)) {
      const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>
      made.set(place, value)
      waiting.push(() => {
        for (const [key, inner] of Object.entries(written)) value[keyOf(key, at)] = at(inner)
      })
      return value
    }
    made.set(place, written)
    return written
  }

  const whole = at(0)
  for (let next = waiting.pop(); next; next = waiting.pop()) next()
  return whole
}
