import { isObject } from '../collections/is-object.js'

/** Serialises a value so that values that are equal in JSON Schema have the same text: sorted names, `1.0` as `1`. */
export const canonicalJson = (value: unknown): string =>
  (typeof value === 'object'
    ? JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sorted(part) : part))
    : JSON.stringify(value)) ?? 'undefined'

const sorted = (value: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
