import { parseUrl } from '../../base/url.js'
import type { SchemaBuilder } from '../../content/convert/format.js'

/** Characters of a URL that are not of a host. */
const NOT_HOST = /[\s/?#@\\]/

/**
 * Writes the host of a pattern as URLs have it: in lower case, internationalized names in ASCII, addresses in their short form.
 *
 * @param pattern a host, of which `*` may take the place of any part: `*.example.com`
 * @returns undefined for a text that is no host
 */
export function normalizeHost(pattern: string): string | undefined {
  const text = pattern.trim()
  if (text === '' || NOT_HOST.test(text)) return undefined
  // Two colons are those of an IPv6 address.
  const host = /^[^[]*:[^:]*:/.test(text) ? `[${text}]` : text
  const url = parseUrl(`http://${host}`)
  if (!url) return undefined
  // A port other than 80, which a URL leaves out.
  if (url.port !== '' || host.endsWith(':80')) return undefined
  return dropDot(url.hostname)
}

/** Removes the dot at the end of a fully qualified name, which means the same host. */
export const dropDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host)

/** Creates the schema of a list of hosts. */
export const hostList = (z: SchemaBuilder) =>
  z
    .array(
      z
        .string()
        .max(255)
        .refine(
          (host) => normalizeHost(host) !== undefined,
          'no host: expected one without protocol, port and path, in which `*` may stand for any part, such as `*.example.com`',
        ),
    )
    .max(100_000)

/** Creates the schema of a list of top-level domains. */
export const domainList = (z: SchemaBuilder) =>
  z
    .array(
      z
        .string()
        .max(255)
        .refine(
          (domain) => !domain.includes('*') && normalizeHost(domain.replace(/^\./, '')) !== undefined,
          'no domain: expected the last part of hosts, such as `zip` or `co.uk`',
        ),
    )
    .max(10_000)
