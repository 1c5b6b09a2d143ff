import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import { knownUrlSchema } from './url-field.js'

/** Bytes or HTML that the caller has already. */
export interface ParseInput {
  /** A string is taken as decoded already; bytes are decoded as a browser would. */
  body: string | Uint8Array
  /** What relative links are resolved against. */
  url: string
  /** As a `Content-Type` header. @default sniffed from the bytes; `text/html` for a string */
  contentType?: string | undefined
}

/** The schema of a {@link ParseInput}. @internal */
export const parseInputSchema = (z: SchemaBuilder) =>
  z.strictObject({
    body: z.union([z.string(), z.instanceof(Uint8Array)]),
    url: knownUrlSchema(z),
    contentType: z.string().optional(),
  } satisfies OptionSchemas<ParseInput>)
