import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { RecentMap } from '../../base/collections/recent-map.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { askSecret, type Variables } from '../../base/runtime/ask-secret.js'
import { escapeHtml } from '../../content/html/decode-entities.js'
import type { LoginOptions, Secret } from './login-options.js'
import { isCodeName } from './fill-form.js'
import { makeTotp } from './totp.js'

/** Time to ask for the secrets that a message must not have. Milliseconds. */
const MESSAGE_MS = 2000

/** Sources of secrets. */
interface SecretSources {
  readonly env: Variables | undefined
  now(): number
}

/** Texts and secrets that one login fills in. */
export class LoginSecrets {
  readonly #login: LoginOptions
  readonly #sources: SecretSources
  readonly #values = new Set<string>()
  readonly #lasting = new Map<string, string>()

  constructor(login: LoginOptions, sources: SecretSources) {
    this.#login = login
    this.#sources = sources
  }

  get names(): string[] {
    const { fields = {}, secrets = {} } = this.#login
    return [...Object.keys(fields), ...Object.keys(secrets)]
  }

  /** True if one of them is a one-time code. */
  get hasCode(): boolean {
    return Object.values(this.#login.secrets ?? {}).some(isCode)
  }

  /** Secrets that were asked for and that the next login has as well, by name. */
  get lasting(): ReadonlyMap<string, string> {
    return this.#lasting
  }

  /** Returns the value of a name. @param isOnce whether it is a one-time code, which a function may get @throws TypeError if there is none */
  async read(name: string, isOnce = false): Promise<string> {
    const { fields = {}, secrets = {} } = this.#login
    const text = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (text !== undefined) return text
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined
    const value = await readSecret(name, secret, this.#sources)
    this.#values.add(value)
    if (!isOnce && !isCode(secret)) this.#lasting.set(name, value)
    return value
  }

  async readAll(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(await Promise.all(names.map(async (name) => [name, await this.read(name)] as const)))
  }

  /** Asks for what has no other way into a message than from the site, which had it in an earlier login. Codes are of one login alone. */
  async readForMessage(closing: AbortSignal): Promise<void> {
    const names = Object.keys(this.#login.secrets ?? {}).filter((name) => !isCodeName(name) && !this.#lasting.has(name))
    const asked = Promise.allSettled(names.map((name) => this.read(name)))
    const ending = AbortSignal.any([AbortSignal.timeout(MESSAGE_MS), closing])
    await untilAborted(asked, ending).catch(() => undefined)
  }

  /** Adds a value that no message may have. */
  note(value: string): void {
    this.#values.add(value)
  }

  /** Takes all values out of a message, and the queries of its addresses: sites put codes, tickets and what they were sent into them. */
  hideIn(message: string): string {
    return hideSecrets(message, this.#values).replace(ADDRESS, (address) => address.split(/[?#]/, 1)[0] ?? '')
  }

  /** Forgets all values: they stay no longer than they are needed. */
  clear(): void {
    this.#values.clear()
    this.#lasting.clear()
  }
}

const isCode = (secret: Secret | undefined): boolean => typeof secret === 'object' && 'totp' in secret

/** Asks the host for a secret. No error has its value. @throws TypeError if there is none */
async function readSecret(name: string, secret: Secret | undefined, sources: SecretSources): Promise<string> {
  if (secret === undefined) throw new TypeError(`\`secrets\` has no \`${name}\``)
  const asked = typeof secret === 'object' && 'totp' in secret ? secret.totp : secret
  const value = await askSecret(`the secret \`${name}\``, asked, sources.env)
  return asked === secret ? value : makeTotp(value, sources.now())
}

const LONE_SURROGATES = /\p{Surrogate}/gu

const ADDRESS = /\bhttps?:\/\/[^\s`"'<>]+/g

/** Takes secrets out of a message, as they are and as forms, addresses, JSON, HTML and programs have them. */
export function hideSecrets(message: string, secrets: ReadonlySet<string> | readonly string[]): string {
  const texts = [...secrets].flatMap((secret) => (secret.length <= 2 ? [] : [secret, ...writingsOf(secret)]))
  // One may begin with another.
  const longest = [...new Set(texts)].toSorted((a, b) => b.length - a.length)
  const cores = [...secrets].flatMap(coresOf)
  const hasCore = (word: string): boolean => cores.some((core) => plainBase64(word).includes(core))
  const rest = message.replace(BASE64, (word) => (hasCore(word) ? '…' : word))
  return longest.reduce((hidden, text) => hidden.replaceAll(text, '…'), rest)
}

/** A text of Base64, also in an address, JSON and HTML, which may write its signs as numbers. */
const BASE64 = /(?:[\w+/%=-]|\\\/|\\u00|&#x?[\da-f]{2};)+/gi
const PLUS = /-|(?:%(?:25)*|\\u00|&#x)2b;?|&#43;/gi
const SLASH = /_|\\\/|(?:%(?:25)*|\\u00|&#x)2f;?|&#47;/gi
/** Least characters of a core: a shorter one stands in other texts by chance. */
const MIN_CORE = 4

/** Writes such a text as the plain one. */
const plainBase64 = (word: string): string => word.replace(PLUS, '+').replace(SLASH, '/')

/** Returns what Base64 has of a secret between other texts, as of a name and a password: it begins at one of three bits. */
function coresOf(secret: string): string[] {
  // In Base64, tokens have JSON, and cookies what addresses have.
  const json = JSON.stringify(secret).slice(1, -1)
  const texts = new Set([secret, json, toAscii(json), encodeURIComponent(secret.replace(LONE_SURROGATES, '\uFFFD'))])
  const bytes = [...[...texts].map((text) => Buffer.from(text)), Buffer.from(secret, 'latin1')]
  return bytes.flatMap((own) =>
    [0, 1, 2].flatMap((before) => {
      const text = Buffer.concat([Buffer.alloc(before), own]).toString('base64')
      const core = text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + own.length) * 4) / 3))
      return core.length < MIN_CORE ? [] : [core]
    }),
  )
}

function writingsOf(secret: string): string[] {
  // As a form has it: the half of a pair, which no address can have, is replaced.
  const whole = secret.replace(LONE_SURROGATES, '\uFFFD')
  const bytes = Buffer.from(whole)
  const json = JSON.stringify(whole).slice(1, -1)
  const plain = [whole, json, toAscii(json), escapeHtml(whole), toNumbers(whole), bytes.toString('latin1')]
  const hex = bytes.toString('hex')
  const coded = [bytes.toString('base64').replace(/={1,2}$/, ''), bytes.toString('base64url'), hex, hex.toUpperCase()]
  const inAddress = [...plain, ...coded].flatMap((text) => {
    const percent = encodeURIComponent(text)
    return [
      percent,
      encodeURI(text),
      encodeURIComponent(percent),
      new URLSearchParams({ '': text }).toString().slice(1),
    ]
  })
  return [...plain, ...coded, ...inAddress, ...inAddress.map((text) => text.replace(/%[\dA-F]{2}/g, toLower))]
}

/** Escapes what is not ASCII, as many programs write JSON. */
const toAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Writes signs as the numbers of HTML. */
const toNumbers = (text: string): string => text.replace(/[^\w\s]/gu, (sign) => `&#${sign.codePointAt(0)};`)

const toLower = (code: string): string => code.toLowerCase()

/** Maximum sessions whose secrets are known again. */
const MAX_PROOFS = 10_000

/**
 * Digests of the secrets with which the sessions of this process were begun, by a key that stays in this process: who names an account whose
 * session lives, with another password, is not given its pages.
 */
class SecretProofs {
  readonly #key = randomBytes(32)
  readonly #digests = new RecentMap<string, { readonly names: readonly string[]; readonly digest: Buffer }>(MAX_PROOFS)

  /**
   * Remembers the secrets, by their names, with which a session was begun. One for which the site asked none goes on from the session
   * before, whose secrets are those of both.
   */
  add(session: string, secrets: ReadonlyMap<string, string>, before: string | undefined): void {
    const own = secrets.size > 0 ? { names: [...secrets.keys()], digest: this.#digest(secrets) } : undefined
    const proof = own ?? (before === undefined ? undefined : this.#digests.get(before))
    if (proof) this.#digests.set(session, proof)
  }

  /** Returns what the secrets of a session are known by; undefined for one of another process, or without secrets that last. */
  of(
    session: string,
  ): { readonly names: readonly string[]; isOf(secrets: ReadonlyMap<string, string>): boolean } | undefined {
    const found = this.#digests.get(session)
    return found && { names: found.names, isOf: (secrets) => timingSafeEqual(found.digest, this.#digest(secrets)) }
  }

  #digest(secrets: ReadonlyMap<string, string>): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([...secrets]))
      .digest()
  }
}

/** Those of all engines: each session has an id of its own, wherever it is stored. */
export const secretProofs = new SecretProofs()
