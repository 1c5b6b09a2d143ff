import { isOf, JSON_TYPES, type JsonType } from './schema-shape.js'

/** Returns true if a value is of the type, or one of the types, that a schema names. */
export const hasType = (value: unknown, type: unknown): boolean =>
  Array.isArray(type) ? type.some((one) => isOf(value, one as JsonType)) : isOf(value, type as JsonType)

/** Describes a type mismatch. */
export const describeType = (value: unknown, type: unknown): string =>
  `${article(kindOf(value))} instead of ${listTypes(type)}`

const listTypes = (type: unknown): string => (Array.isArray(type) ? type.map(String).join(' or ') : String(type))

const kindOf = (value: unknown): string => JSON_TYPES.find((type) => isOf(value, type)) ?? typeof value

const article = (kind: string): string => (kind === 'null' ? kind : /^[aio]/.test(kind) ? `an ${kind}` : `a ${kind}`)
