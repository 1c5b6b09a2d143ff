import type { SchemaBuilder } from '../../convert/format.js'
import { isHeaderHost } from '../../fetch/header-scope.js'
import { printSeen } from '../../errors.js'

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// Tab, printable ASCII and obs-text: above all no CR or LF, which would start another header.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Request headers. No message shows a value: it may be a credential.
 *
 * @param reserved names, in lower case, that cannot be given
 * @see RFC 9110 section 5.1, 5.5
 * @internal
 */
export function headersSchema(z: SchemaBuilder, reserved: readonly string[] = []) {
  const name = z
    .string()
    .regex(NAME)
    .refine((text) => !reserved.includes(text.toLowerCase()))
  const value = z
    .string({ error: 'not a string (not shown)' })
    .regex(VALUE, { error: 'holds a character that a header value cannot have, such as a line break (not shown)' })
  const error = (issue: { code: string }) =>
    issue.code === 'invalid_key' ? 'not a header that can be given' : 'not an object of strings (not shown)'
  return z.record(name, value, { error })
}

const MAX_HEADER_HOSTS = 100

/** Creates the schema of the hosts that request headers are sent to. @internal */
export const headerHostsSchema = (z: SchemaBuilder) =>
  z
    .array(
      z.string().superRefine((host, context) => {
        if (isHeaderHost(host)) return
        const allowed =
          'such as `example.com`, `example.com:8443`, `*.example.com` or `http://example.com`, without path'
        context.addIssue({ code: 'custom', message: `${printSeen(host)} is not a host ${allowed}` })
      }),
    )
    .max(MAX_HEADER_HOSTS)
