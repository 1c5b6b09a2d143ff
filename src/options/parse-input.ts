import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import { knownUrlSchema } from './fields/url-field.js'
import { InvalidRequestError } from '../errors.js'
import type { UrlLike } from '../url.js'
import { takeText } from './fields/take-text.js'

/** Bytes or HTML that the caller has already. */
export interface ParseInput {
  /** A string is taken as decoded already; bytes are decoded as a browser would. */
  body: string | Uint8Array
  /** What relative links are resolved against. */
  url: UrlLike
  /** As a `Content-Type` header. @default sniffed from the bytes; `text/html` for a string */
  contentType?: string | undefined
}

/**
 * Takes what {@link ParseInput} is made of.
 *
 * @throws InvalidRequestError for bytes, or a text, given in its place
 * @internal
 */
export function takeInput(input: unknown): unknown {
  const isBare = typeof input === 'string' || ArrayBuffer.isView(input) || input instanceof ArrayBuffer
  if (!isBare) return takeText(input)
  const given = typeof input === 'string' ? 'a text' : 'bytes'
  const message = `${given} alone: give an object, \`{ body, url, contentType }\`, with the ${given === 'bytes' ? 'bytes' : 'text'} as \`body\` and the URL that they are from`
  throw new InvalidRequestError([{ code: 'invalid_type', path: [], message }])
}

/** The schema of a {@link ParseInput}. @internal */
export const parseInputSchema = (z: SchemaBuilder) =>
  z.strictObject({
    body: z.union([z.string(), z.instanceof(Uint8Array)]),
    url: knownUrlSchema(z),
    contentType: z.string().optional(),
  } satisfies OptionSchemas<ParseInput>)
