import { isObject } from '../../collections/is-object.js'

/** JSON that is the same for values that JSON Schema takes for equal: names in one order, and `1.0` as `1`. */
export const canonicalJson = (value: unknown): string =>
  (typeof value === 'object'
    ? JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sorted(part) : part))
    : JSON.stringify(value)) ?? 'undefined'

const sorted = (value: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
