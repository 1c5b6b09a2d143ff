import { askSecret, type Variables } from '../../base/runtime/ask-secret.js'
import type { Secret } from './login-options.js'
import { makeTotp } from './totp.js'

/** Sources of secrets. */
interface SecretSources {
  readonly env: Variables | undefined
  now(): number
}

/** Asks the host for a secret. No error has its value. @throws TypeError if there is none */
export async function readSecret(name: string, secret: Secret | undefined, sources: SecretSources): Promise<string> {
  if (secret === undefined) throw new TypeError(`\`secrets\` has no \`${name}\``)
  const asked = typeof secret === 'object' && 'totp' in secret ? secret.totp : secret
  const value = await askSecret(`the secret \`${name}\``, asked, sources.env)
  return asked === secret ? value : makeTotp(value, sources.now())
}
