import { isObject } from '../../../../base/collections/is-object.js'

/** Functions on values of an index, which may be anything. */

/** The items of a list; none of any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** The members of an object; none of any other value. */
export const membersOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

/** A text; empty for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
