import { isObject } from '../../base/collections/is-object.js'
import { parseUrl } from '../../base/url.js'

/** Stands for a value that `status()` does not give. */
const MASK = '***'

/** Options whose values are secrets, as those of their members are. */
const SECRETS = new Set(['headers', 'cookies'])

/** Returns the request of a watch with its secrets masked: values of headers, what actions type, and credentials in URLs. */
export function maskSecrets(request: unknown): object {
  const masked = visit(request)
  return isObject(masked) ? masked : {}
}

function visit(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visit)
  if (typeof value === 'string') return maskCredentials(value)
  if (!isObject(value)) return value
  // What an action types may be a password.
  const isTyped = value['type'] === 'write' || value['type'] === 'fill'
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      SECRETS.has(name) || (isTyped && name === 'text') ? maskAll(one) : visit(one),
    ]),
  )
}

function maskAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskAll)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskAll(one)]))
  return MASK
}

/** Masks the user and the password of a URL. */
function maskCredentials(text: string): string {
  const url = text.includes('@') ? parseUrl(text) : undefined
  if (!url || (url.username === '' && url.password === '')) return text
  url.username = MASK
  url.password = ''
  return url.href
}
