import { isObject } from '../../collections/is-object.js'

/** Values that are read; a page's data have some thousands. */
const MAX_VALUES = 200_000

/** Kinds within kinds; more levels than these are made to exhaust the stack. */
const MAX_LEVELS = 50

/** What stands for a value by its kind instead of its place: a pair such as `["Date", "2024-01-01"]`. */
type ReadTagged = (name: string, rest: readonly unknown[], at: (place: unknown) => unknown) => unknown

/**
 * The value that a list of values stands for in which each names the others by their places, so that what is there twice
 * is written once. The first is the whole.
 *
 * @param keyOf the name of a member, from how it is written
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
    // What is inside is filled in later: nesting must not use up the stack.
    if (Array.isArray(written)) {
      if (typeof written[0] === 'string') {
        // Until it is known, a value that contains itself is nothing.
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
