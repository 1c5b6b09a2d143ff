import type { SchemaBuilder } from '../../../content/convert/format.js'
import { printSeen } from '../../../base/errors.js'
import { isHeaderHost } from '../../../base/http/header-scope.js'

/** @internal */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Tab, printable ASCII and obs-text. A CR or LF would start another header. @internal */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Creates the schema of request headers. No message shows a value, which may be a credential.
 *
 * @param reserved names that cannot be given, in lower case
 * @see RFC 9110 section 5.1, 5.5
 * @internal
 */
export function headersSchema(z: SchemaBuilder, reserved: readonly string[] = []) {
  const name = z
    .string()
    .regex(HEADER_NAME)
    .refine((text) => !reserved.includes(text.toLowerCase()))
  const value = z.string({ error: 'not a string (not shown)' }).regex(HEADER_VALUE, {
    error: 'holds a character that a header value cannot have, such as a line break (not shown)',
  })
  const error = (issue: { code: string }) =>
    issue.code === 'invalid_key'
      ? 'not a header that can be given: the name is invalid, or trawl sets the header itself'
      : 'not an object of strings (not shown)'
  return z.record(name, value, { error })
}

const MAX_HOSTS = 100

/** Creates the schema of a list of hosts, such as those that request headers are sent to. @internal */
export const hostsSchema = (z: SchemaBuilder) =>
  z
    .array(
      z.string().superRefine((host, context) => {
        if (isHeaderHost(host)) return
        const allowed =
          'such as `example.com`, `example.com:8443`, `*.example.com` or `http://example.com`, without path'
        context.addIssue({ code: 'custom', message: `${printSeen(host)} is not a host ${allowed}` })
      }),
    )
    .max(MAX_HOSTS)
