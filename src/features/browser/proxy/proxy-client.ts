import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { DialTarget } from '../../../base/network/dial.js'

/** A client of a page's proxy that has named its target and waits for the connection. */
export interface ProxyClient {
  readonly target: DialTarget
  /** Reports that the connection is open, and passes data on until either side closes. */
  join(upstream: Socket, signal: AbortSignal): void
  /** Reports that the target cannot be reached, and closes. */
  refuse(): void
}

/** The secret of a page's proxy. */
export interface ProxyCredentials {
  readonly username: string
  /** 128 random bits, in hexadecimal. */
  readonly password: string
  /** A URL that an HTTP proxy itself answers, with status 204. Nobody else knows its host. */
  readonly loginUrl: string
}

const SECRET_BYTES = 16

export const createCredentials = (): ProxyCredentials => ({
  username: 'trawl',
  password: randomBytes(SECRET_BYTES).toString('hex'),
  loginUrl: `http://${randomBytes(SECRET_BYTES).toString('hex')}.invalid/`,
})

/** Compares a secret in constant time, its length excepted. */
export function isSameSecret(given: Uint8Array, secret: Uint8Array): boolean {
  return given.length === secret.length && timingSafeEqual(given, secret)
}
