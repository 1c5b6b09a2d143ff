import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import { InvalidRequestError } from '../../base/errors.js'
import type { UrlLike } from '../../base/url.js'
import { trimmedUrlSchema } from './fields/url-field.js'
import { normalizeRequest } from './fields/normalize-request.js'

/** Bytes or HTML that the caller already has. */
export interface ParseInput {
  /** Content. Bytes are decoded as a browser decodes them; a string is used as it is. */
  body: string | Uint8Array
  /** Base URL of relative links. */
  url: UrlLike
  /** Value of a `Content-Type` header. @default sniffed from the bytes; `text/html` for a string */
  contentType?: string
}

/**
 * Converts the URL of a {@link ParseInput} to a string.
 *
 * @throws InvalidRequestError for bytes or a string in place of the object
 * @internal
 */
export function normalizeParseInput(input: unknown): unknown {
  const isBytes = ArrayBuffer.isView(input) || input instanceof ArrayBuffer
  if (!isBytes && typeof input !== 'string') return normalizeRequest(input)
  const [given, body] = isBytes ? ['bytes', 'bytes'] : ['a text', 'text']
  const message = `${given} alone: give an object, \`{ body, url, contentType }\`, with the ${body} as \`body\` and the URL that they are from`
  throw new InvalidRequestError([{ code: 'invalid_type', path: [], message }])
}

/** Creates the schema of a {@link ParseInput}. @internal */
export const parseInputSchema = (z: SchemaBuilder) =>
  z.strictObject({
    body: z.union([z.string(), z.instanceof(Uint8Array)]),
    url: trimmedUrlSchema(z),
    contentType: z.string().optional(),
  } satisfies OptionSchemas<ParseInput>)
