import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'

/** Options of removing personal data from the output. */
export interface Redaction {
  /** Thoroughness. @default 'accurate' */
  mode?: 'accurate' | 'aggressive' | 'fast'
  /** Kinds of data to remove. @default all of them */
  entities?: readonly ('PERSON' | 'EMAIL' | 'PHONE' | 'LOCATION' | 'FINANCIAL' | 'SECRET')[]
  /** Replacement: the kind of data, asterisks, or nothing. @default 'tag' */
  replaceStyle?: 'tag' | 'mask' | 'remove'
}

/** Creates the schema of `redactPII`. @see docs/compatibility/requests.md#page-options @internal */
export const redactionSchema = (z: SchemaBuilder) =>
  z.union([
    z.boolean(),
    z.strictObject({
      mode: z.enum(['accurate', 'aggressive', 'fast']).optional(),
      entities: z.array(z.enum(['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'])).optional(),
      replaceStyle: z.enum(['tag', 'mask', 'remove']).optional(),
    } satisfies OptionSchemas<Redaction>),
  ])
