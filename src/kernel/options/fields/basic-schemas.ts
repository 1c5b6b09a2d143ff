import type { SchemaBuilder } from '../../../content/convert/format.js'
import { inUnit } from '../../../base/issues/describe-issue.js'

/** Creates the schema of an optional `true` or `false`. */
export const optionalBoolean = (z: SchemaBuilder) => z.boolean().optional()

/** Creates the schema of a whole number. @param unit plural, for messages: `milliseconds` */
export const wholeNumber = (z: SchemaBuilder, unit: string, min: number) =>
  z.number(inUnit(unit)).multipleOf(1).min(min)
