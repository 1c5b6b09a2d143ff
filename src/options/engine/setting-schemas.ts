import type { SchemaBuilder } from '../../convert/format.js'
import { inUnit } from '../issues/describe-issue.js'

/** Creates the schema of a whole number. @param unit plural, for messages */
export const wholeNumber = (z: SchemaBuilder, unit: string, from: number) =>
  z.number(inUnit(unit)).multipleOf(1).min(from)

/** Creates a test for an object that has these methods. */
export const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && names.every((name) => name in value)

export const isFunction = (value: unknown): boolean => typeof value === 'function'
