import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { RecentMap } from '../../base/collections/recent-map.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { askSecret, type Variables } from '../../base/runtime/ask-secret.js'
import { hideSecrets } from '../../content/html/hide-secrets.js'
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

  /** Secrets that were asked for. */
  get known(): readonly string[] {
    return [...this.#values]
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

const ADDRESS = /\bhttps?:\/\/[^\s`"'<>]+/g

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
