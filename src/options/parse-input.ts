import type { OptionSchemas, SchemaBuilder } from '../convert/format.js'
import { trimmedUrlSchema } from './fields/url-field.js'
import { InvalidRequestError } from '../errors.js'
import type { UrlLike } from '../url.js'
import { normalizeRequest } from './normalize-request.js'

/** Bytes or HTML that the caller already has. */
export interface ParseInput {
  /** Content. Bytes are decoded as a browser does; a string counts as decoded. */
  body: string | Uint8Array
  /** Base URL of relative links. */
  url: UrlLike
  /** Value of a `Content-Type` header. @default sniffed from the bytes; `text/html` for a string */
  contentType?: string | undefined
}

/**
 * Converts the fields of {@link ParseInput}.
 *
 * @throws InvalidRequestError for bytes, or a text, given in its place
 * @internal
 */
export function normalizeParseInput(input: unknown): unknown {
  const isBare = typeof input === 'string' || ArrayBuffer.isView(input) || input instanceof ArrayBuffer
  if (!isBare) return normalizeRequest(input)
  const given = typeof input === 'string' ? 'a text' : 'bytes'
  const message = `${given} alone: give an object, \`{ body, url, contentType }\`, with the ${given === 'bytes' ? 'bytes' : 'text'} as \`body\` and the URL that they are from`
  throw new InvalidRequestError([{ code: 'invalid_type', path: [], message }])
}

/** Creates the schema of a {@link ParseInput}. @internal */
export const parseInputSchema = (z: SchemaBuilder) =>
  z.strictObject({
    body: z.union([z.string(), z.instanceof(Uint8Array)]),
    url: trimmedUrlSchema(z),
    contentType: z.string().optional(),
  } satisfies OptionSchemas<ParseInput>)
