import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request as a site received it. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A key set as the directory publishes it. */
interface Directory {
  readonly keys: readonly (Readonly<Record<string, string>> & { readonly kid: string })[]
}

const PARAMS =
  /^sig1=(\("@method" "@authority" "@target-uri" "signature-agent";key="sig1"\);created=(\d+);expires=(\d+);keyid="([\w-]+)";alg="ed25519";nonce="([^"]+)";tag="web-bot-auth")$/

/**
 * Creates a strict verifier of signed requests: each signature is good for one request, until it expires.
 *
 * @param origin the origin of the directory
 * @see RFC 9421 section 3.2; draft-ietf-webbotauth-httpsig-protocol section 4.4
 */
export function createVerifier(origin: string, directory: string) {
  const keys = new Map<string, KeyObject>()
  for (const { kid, ...jwk } of (JSON.parse(directory) as Directory).keys) {
    keys.set(kid, createPublicKey({ key: jwk, format: 'jwk' }))
  }
  const nonces = new Set<string>()

  /** @returns the reason for which the request is refused; undefined if it is accepted */
  return function refuse({ method, path, headers }: ReceivedRequest, nowMs: number): string | undefined {
    const [, params, created, expires, keyid = '', nonce = ''] = PARAMS.exec(String(headers['signature-input'])) ?? []
    if (params === undefined) return 'no Signature-Input of the profile'
    if (headers['signature-agent'] !== `sig1="${origin}"`) return 'another directory'
    const key = keys.get(keyid)
    if (!key) return 'unknown key'
    const nowSeconds = nowMs / 1000
    if (Number(created) > nowSeconds + 1) return 'from the future'
    if (Number(expires) <= nowSeconds || Number(expires) - Number(created) > 60) return 'late'
    const [, signature] = /^sig1=:([A-Za-z0-9+/=]+):$/.exec(String(headers['signature'])) ?? []
    if (signature === undefined) return 'no Signature'
    const base = [
      `"@method": ${method}`,
      `"@authority": ${String(headers.host)}`,
      `"@target-uri": http://${String(headers.host)}${path}`,
      `"signature-agent";key="sig1": "${origin}"`,
      `"@signature-params": ${params}`,
    ].join('\n')
    if (!verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))) return 'altered'
    if (nonces.has(nonce)) return 'replayed'
    nonces.add(nonce)
    return undefined
  }
}
