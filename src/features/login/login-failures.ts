import { messageOf, TrawlError } from '../../base/errors.js'
import type { EngineInternals } from '../../kernel/engine/feature.js'
import { loginError, passingRow } from './login-error.js'
import type { LoginSecrets } from './secrets.js'

/** Failures in a row, such as of the network, before a login is given up. */
const MAX_FAILURES = 3
/** Time for which a login is given up: after refusals, so that no account is locked, and after other failures, which pass. Milliseconds. */
const REFUSED_MS = 15 * 60_000
const FAILED_MS = 60_000

interface FailureParts {
  readonly internals: Pick<EngineInternals, 'now'>
  /** Aborted when the engine closes. */
  readonly closing: AbortSignal
}

/** Failures of one login, and the time for which it is given up. */
export class LoginFailures {
  readonly #place: string
  readonly #secrets: LoginSecrets
  readonly #parts: FailureParts
  #failure: TrawlError | undefined
  /** End of the time for which the login is given up. Milliseconds since the epoch. */
  #failedUntil = 0
  #count = 0

  /** @param place address of the login, without what it may carry */
  constructor(place: string, secrets: LoginSecrets, parts: FailureParts) {
    this.#place = place
    this.#secrets = secrets
    this.#parts = parts
  }

  /** @throws TrawlError if the login was given up, and the time has not passed */
  throwGivenUp(): void {
    if (this.#failure && this.#parts.internals.now() < this.#failedUntil) throw this.#failure
    this.#failure = undefined
  }

  /** Forgets failures before a login that worked. */
  clear(): void {
    this.#count = 0
  }

  /** Tries no login for some time. @throws TrawlError `LOGIN_REQUIRED` */
  async giveUp(why: string): Promise<never> {
    await this.#secrets.readForMessage(this.#parts.closing)
    throw this.#note(`the login at \`${this.#place}\` was given up: ${this.#secrets.hideIn(why)}`, REFUSED_MS)
  }

  /** Returns the error of a login that failed, without what it filled in. */
  async describe(error: unknown): Promise<TrawlError> {
    if (error === this.#failure && this.#failure) return this.#failure
    if (error instanceof TrawlError) await this.#secrets.readForMessage(this.#parts.closing)
    this.#count += 1
    const text = `the login at \`${this.#place}\` failed: ${this.#secrets.hideIn(messageOf(error))}`
    // What the host must mend does not mend itself.
    const isFinal = this.#count >= MAX_FAILURES || !(error instanceof TrawlError && error.retry)
    if (isFinal) {
      this.#count = 0
      return this.#note(text, FAILED_MS)
    }
    const row = error.code === 'LOGIN_REQUIRED' ? passingRow : undefined
    return new TrawlError(error.code, text, { url: this.#place, row })
  }

  #note(text: string, forMs: number): TrawlError {
    this.#failure = loginError(text, this.#place)
    this.#failedUntil = this.#parts.internals.now() + forMs
    return this.#failure
  }
}
