import { withoutCredentials } from '../url.js'

/** Query parameters whose values are secrets. @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/ */
const SECRET_PARAMETERS = ['AWSAccessKeyId', 'Signature', 'sig', 'X-Goog-Signature', 'X-Amz-Signature']

/** Writes a URL without user name, password and the values of query parameters that are signatures. */
export function withoutSecrets(url: string): string {
  if (!url.includes('?') && !url.includes('@')) return url
  const parsed = new URL(url)
  const bare = withoutCredentials(parsed)
  const secrets = SECRET_PARAMETERS.filter((name) => bare.searchParams.has(name))
  if (secrets.length === 0) return bare === parsed ? url : bare.href
  const written = new URL(bare)
  for (const name of secrets) written.searchParams.set(name, 'REDACTED')
  return written.href
}
