import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'

/** How personal data is taken out of the output. */
export interface Redaction {
  /** How hard to look. @default 'accurate' */
  mode?: 'accurate' | 'aggressive' | 'fast' | undefined
  /** What to look for. @default all of them */
  entities?: readonly ('PERSON' | 'EMAIL' | 'PHONE' | 'LOCATION' | 'FINANCIAL' | 'SECRET')[] | undefined
  /** What stands in its place: its kind, asterisks, or nothing. @default 'tag' */
  replaceStyle?: 'tag' | 'mask' | 'remove' | undefined
}

/** @see docs/compatibility.md#page-options @internal */
export const redactionSchema = (z: SchemaBuilder) =>
  z.union([
    z.boolean(),
    z.strictObject({
      mode: z.enum(['accurate', 'aggressive', 'fast']).optional(),
      entities: z.array(z.enum(['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'])).optional(),
      replaceStyle: z.enum(['tag', 'mask', 'remove']).optional(),
    } satisfies OptionSchemas<Redaction>),
  ])
