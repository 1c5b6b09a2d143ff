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

const LONE_SURROGATES = /\p{Surrogate}/gu

/** Takes secrets out of a message, as they are and as forms and addresses have them. */
export function hideSecrets(message: string, secrets: Iterable<string>): string {
  const texts = [...secrets].flatMap((secret) => {
    if (secret.length <= 2) return []
    // As a form has it: the half of a pair, which no address can have, is replaced.
    const whole = secret.replace(LONE_SURROGATES, '\uFFFD')
    return [secret, whole, encodeURIComponent(whole), new URLSearchParams({ '': secret }).toString().slice(1)]
  })
  // One may begin with another.
  const longest = texts.toSorted((a, b) => b.length - a.length)
  return longest.reduce((hidden, text) => hidden.replaceAll(text, '…'), message)
}
