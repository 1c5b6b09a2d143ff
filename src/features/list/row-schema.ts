import { openForm } from '../../base/json-schema/answer-form.js'
import { type AnswerSchema, isStandardSchema } from '../../base/json-schema/answer-schema.js'
import { resolveSchema, typesOf } from '../../base/json-schema/schema-shape.js'

/** Returns the reason why a schema cannot describe a row; undefined for one that can, and for one that cannot be read. */
export function describeRowFault(given: AnswerSchema): string | undefined {
  const { schema } = openForm(isStandardSchema(given) ? () => given : given)
  const resolved = schema && resolveSchema(schema, schema)
  const types = resolved ? typesOf(resolved) : []
  if (types.length === 0 || types.includes('object')) return undefined
  const advice = types.includes('array') ? ': give the schema of its items' : ''
  return `describes ${types.join(' or ')}, and a row is an object${advice}`
}
