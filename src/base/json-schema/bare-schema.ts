import type { JsonSchema } from './json-schema.js'
import { isObject } from '../collections/is-object.js'

const KEYWORDS = new Set(
  (
    '$schema $id $ref $defs $comment definitions type properties items prefixItems required enum const anyOf oneOf allOf not if ' +
    'additionalProperties patternProperties minProperties maxProperties minItems maxItems title description default format pattern'
  ).split(' '),
)

/** Completes a schema: a bare map of properties becomes an object schema. @see docs/compatibility/documents.md#model-formats */
export function asSchema(given: JsonSchema): JsonSchema {
  const names = Object.keys(given)
  const isMap =
    names.length > 0 && names.every((name) => isObject(given[name]) && (!KEYWORDS.has(name) || isTyped(given[name])))
  const isBare =
    isMap && given['type'] === undefined && !names.some((name) => name.startsWith('$')) && !('properties' in given)
  return isBare && !names.every((name) => KEYWORDS.has(name)) ? { type: 'object', properties: given } : given
}

const isTyped = (value: unknown): boolean => isObject(value) && typeof value['type'] === 'string'
