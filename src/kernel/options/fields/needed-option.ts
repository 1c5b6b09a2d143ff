import type { SchemaBuilder } from '../../../content/convert/format.js'
import { areValid } from '../issues/are-valid.js'
import type { AnyDefinitions } from '../option-definition.js'

/** Creates the rules that refuse options which have no effect without another one. */
export const refuseAlone = (z: SchemaBuilder, definitions: AnyDefinitions) =>
  Object.entries(definitions).flatMap(([name, { needs }]) => {
    if (!needs) return []
    const { option, message } = needs
    const check = z.superRefine<Readonly<Record<string, unknown>>>(
      (request, context) => {
        if (request[name] === undefined || request[option] !== undefined) return
        context.addIssue({ code: 'custom', path: [name], message })
      },
      { when: areValid(name, option) },
    )
    return [check]
  })
