import { decodePercent } from '../url.js'

/**
 * Headers that a caller cannot set: they belong to the connection, or would name another host.
 *
 * @see RFC 9110 section 7.6.1
 */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The `Authorization` header for the credentials of a URL; undefined without any. @see RFC 7617 */
export function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const plain = `${decodePercent(username)}:${decodePercent(password)}`
  return `Basic ${Buffer.from(plain).toString('base64')}`
}
