import type { Secret } from './login-options.js'
import { makeTotp } from './totp.js'

/** Variables of the host. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Sources of secrets. */
export interface SecretSources {
  readonly env: Variables | undefined
  now(): number
}

/** Asks the host for a secret. No error has its value. @throws TypeError if there is none */
export async function readSecret(name: string, secret: Secret | undefined, sources: SecretSources): Promise<string> {
  if (secret === undefined) throw new TypeError(`\`secrets\` has no \`${name}\``)
  if (typeof secret === 'object' && 'totp' in secret)
    return makeTotp(await readSecret(name, secret.totp, sources), sources.now())
  const value = typeof secret === 'function' ? await callFor(name, secret) : sources.env?.[secret.env]
  if (typeof value === 'string' && value !== '') return value
  const what =
    typeof secret === 'function' ? 'its function returned none' : `\`env\` of the engine has no \`${secret.env}\``
  throw new TypeError(`the secret \`${name}\` is missing: ${what}`)
}

/** Calls a function of the host, whose error may quote a secret. */
async function callFor(name: string, call: () => string | Promise<string>): Promise<string> {
  try {
    return await call()
  } catch {
    throw new TypeError(`the function of the secret \`${name}\` failed`)
  }
}
