import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { writeKeyDirectory } from './request-signer.js'

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
