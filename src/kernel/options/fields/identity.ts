import { readFileSync } from 'node:fs'
import type { KeyObject } from 'node:crypto'
import type { SchemaBuilder } from '../../../content/convert/format.js'
import { readPrivateKey } from '../../../base/http/request-signer.js'
import { parseUrl, urlToString, type UrlLike } from '../../../base/url.js'

/** The identity with which an engine signs its requests. */
export interface IdentityConfig {
  /**
   * The private Ed25519 key: the path of a file, or the key itself in PEM or as a JSON Web Key. It is never in an error, a plan
   * or a document.
   */
  readonly key: string
  /**
   * URL of the directory of public keys that sites read: an https origin, such as `https://bot.example.com`, which serves
   * `/.well-known/http-message-signatures-directory`.
   */
  readonly directoryUrl: UrlLike
}

/** Path of the directory of keys. @see draft-ietf-webbotauth-httpsig-protocol section 6 */
const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'

/** Reads the key of an identity; undefined if it cannot be read, or is no private Ed25519 key. */
export function readIdentityKey(key: string): KeyObject | undefined {
  if (/^\s*(?:-----BEGIN |\{)/.test(key)) return readPrivateKey(key)
  try {
    return readPrivateKey(readFileSync(key, 'utf8'))
  } catch {
    return undefined
  }
}

/** Reads the origin of a directory; undefined if the URL is not https, or names another file. */
export function readDirectoryOrigin(directoryUrl: UrlLike): string | undefined {
  const url = parseUrl(urlToString(directoryUrl))
  if (!url || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  const isDirectory = (url.pathname === '/' || url.pathname === DIRECTORY_PATH) && url.search === ''
  return isDirectory ? url.origin : undefined
}

const KEY_FAULT =
  'not a private Ed25519 key, nor the path of a file with one (not shown): `trawl identity FOLDER` makes one'

/**
 * Creates the schema of the setting `identity`. Its result has the key itself: a file is read once, because a pipe can be read
 * only once. No message shows what was given, because a key may be in the wrong place.
 *
 * @internal
 */
export const identitySchema = (z: SchemaBuilder) =>
  z.strictObject(
    {
      key: z.string({ error: 'not a string (not shown)' }).transform((given, context) => {
        const key = readIdentityKey(given)
        if (key) return key.export({ type: 'pkcs8', format: 'pem' }).toString()
        context.addIssue({ code: 'custom', message: KEY_FAULT })
        return z.NEVER
      }),
      directoryUrl: z.preprocess(
        urlToString,
        z
          .string({ error: 'not a URL (not shown)' })
          .refine(
            (url) => readDirectoryOrigin(url) !== undefined,
            `not an https origin that serves ${DIRECTORY_PATH}, such as https://bot.example.com`,
          ),
      ),
    },
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'not an object with `key` and `directoryUrl` (not shown)' : undefined,
    },
  )
