import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { parseJson } from '../text/parse-json.js'

/** Signs requests, so that sites can tell who sends them. */
export interface RequestSigner {
  /**
   * Returns the headers that sign one request: for this method and this URL alone, with a nonce of its own.
   *
   * @param target the URL as it is sent, without fragment and credentials. @default with no `?` before an empty query
   * @see draft-ietf-webbotauth-httpsig-protocol section 4.2; RFC 9421
   */
  sign(method: string, url: URL, target?: string): SignatureHeaders
}

/** Headers of a signed request. */
interface SignatureHeaders {
  readonly 'signature-agent': string
  readonly 'signature-input': string
  readonly signature: string
}

/** Options of {@link createRequestSigner}. */
interface SignerOptions {
  /** Private Ed25519 key. */
  readonly key: KeyObject
  /** Origin that publishes the public key. */
  readonly origin: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Creates a nonce. @default 64 random bytes in base64 */
  readonly makeNonce?: () => string
}

/** Label of the signature in the headers. */
const LABEL = 'sig1'

/** Validity of a signature. A site that receives it later must refuse it. Seconds. */
const SIGNATURE_SECONDS = 60

/** Creates a signer. */
export function createRequestSigner({ key, origin, now, makeNonce = randomNonce }: SignerOptions): RequestSigner {
  const keyid = thumbprintOf(key)
  const agent = `"${origin}"`
  return {
    sign(method, url, target = targetOf(url)) {
      const created = Math.floor(now() / 1000)
      const components = [
        ['"@method"', method],
        ['"@authority"', authorityOf(url)],
        ['"@target-uri"', target],
        [`"signature-agent";key="${LABEL}"`, agent],
      ] as const
      const params = [
        `(${components.map(([name]) => name).join(' ')})`,
        `created=${created}`,
        `expires=${created + SIGNATURE_SECONDS}`,
        `keyid="${keyid}"`,
        'alg="ed25519"',
        `nonce="${makeNonce()}"`,
        'tag="web-bot-auth"',
      ].join(';')
      const signature = signText(writeSignedText(components, params), key)
      return {
        'signature-agent': `${LABEL}=${agent}`,
        'signature-input': `${LABEL}=${params}`,
        signature: `${LABEL}=:${signature}:`,
      }
    },
  }
}

const randomNonce = (): string => randomBytes(64).toString('base64')

/** Writes the text that is signed. @see RFC 9421 section 2.5 */
export const writeSignedText = (components: readonly (readonly [string, string])[], params: string): string =>
  [...components, ['"@signature-params"', params] as const].map(([name, value]) => `${name}: ${value}`).join('\n')

/** Signs with Ed25519. @returns the signature in base64. @see RFC 9421 section 3.3.6 */
export const signText = (base: string, key: KeyObject): string =>
  sign(null, Buffer.from(base, 'ascii'), key).toString('base64')

/** Host, with its port unless that is the scheme's own. @see RFC 9421 section 2.2.3 */
const authorityOf = (url: URL): string => url.host.toLowerCase()

/** The URL without its fragment and its credentials. @see RFC 9421 section 2.2.2 */
const targetOf = ({ origin, pathname, search }: URL): string => `${origin}${pathname}${search}`

/** Parameters of an Ed25519 key in a key set. @see RFC 8037 */
interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

const toPublicJwk = (key: KeyObject): PublicJwk => {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x }
}

/** Returns the thumbprint of a key, which names it in signatures. @see RFC 7638; RFC 8037 appendix A.3 */
export function thumbprintOf(key: KeyObject): string {
  const { crv, kty, x } = toPublicJwk(key)
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}

/**
 * Writes the directory of public keys, to be served over https at `/.well-known/http-message-signatures-directory`, with media
 * type `application/http-message-signatures-directory+json`.
 *
 * @see draft-ietf-webbotauth-httpsig-protocol section 4.5.1
 */
export const writeKeyDirectory = (keys: readonly KeyObject[]): string =>
  JSON.stringify({ keys: keys.map((key) => ({ ...toPublicJwk(key), kid: thumbprintOf(key), use: 'sig' })) }, null, 2)

/**
 * Reads a private Ed25519 key: PEM, or a JSON Web Key.
 *
 * @returns undefined if it is none. The text of the key is in no message.
 */
export function readPrivateKey(text: string): KeyObject | undefined {
  try {
    const key = text.trim().startsWith('{')
      ? createPrivateKey({ key: parseJson(text) as Record<string, string>, format: 'jwk' })
      : createPrivateKey(text)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

/** A new key to sign requests with, and the directory that tells sites about it. */
export interface NewIdentity {
  /** The private key in PEM, for `key` of the setting `identity`. Keep it secret. */
  readonly key: string
  /**
   * The directory with the public key, in JSON: to be served over https at `/.well-known/http-message-signatures-directory`, with
   * media type `application/http-message-signatures-directory+json`.
   */
  readonly directory: string
}

/**
 * Creates an Ed25519 key for the setting `identity`, and the directory file that sites verify signatures with.
 *
 * @see docs/guides/identity.md
 */
export function createIdentity(): NewIdentity {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { key, directory: `${writeKeyDirectory([createPrivateKey(key)])}\n` }
}
