import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { Semaphore } from '../../base/concurrency/semaphore.js'
import { cookieKey, type StoredCookie } from '../../base/http/cookies.js'

/** Pages of a session up to which its end shows that the site takes each cookie once: later ones may have any other reason. */
const MAX_PAGES = 50

/**
 * Finds sites that take each cookie once: a page that is requested beside another one, with the cookie that this one has used up, ends the
 * session. From then on their pages are requested one after the other.
 */
export class SessionTurns {
  readonly #turn = new Semaphore(1)
  #begun: readonly StoredCookie[] = []
  #isCrossed = false
  #isOneByOne = false
  #pages = 0

  /** Number of pages that the session has had: one that is requested now belongs to this moment. */
  get pages(): number {
    return this.#pages
  }

  /**
   * Waits for a turn, and for a login under way: what is sent with the session before may end the new one.
   *
   * @returns a function that ends the turn; undefined where pages may go beside each other
   */
  take(login: () => Promise<void> | undefined): ((signal: AbortSignal) => Promise<() => void>) | undefined {
    if (!this.#isOneByOne) return undefined
    return async (signal) => {
      await this.#turn.acquire(signal)
      try {
        await untilAborted(login() ?? Promise.resolve(), signal)
        return () => this.#turn.release()
      } catch (error) {
        this.#turn.release()
        throw error
      }
    }
  }

  /** Notes a new session. */
  begin(cookies: readonly StoredCookie[]): void {
    this.#begun = cookies
    this.#isCrossed = false
    this.#pages = 0
  }

  /** Notes a page that came right. */
  notePage(): void {
    this.#pages += 1
  }

  /** Notes a page that came as the login page. @param since value of {@link pages} when it was requested */
  noteLoss(since: number): void {
    this.#isCrossed ||= this.#pages > since
  }

  /** Notes the end of the session. @param cookies those that it had last */
  end(cookies: readonly StoredCookie[]): void {
    if (!this.#isCrossed || this.#pages > MAX_PAGES) return
    const begun = new Map(this.#begun.map((cookie) => [cookieKey(cookie), cookie.value]))
    this.#isOneByOne ||= cookies.some((cookie) => (begun.get(cookieKey(cookie)) ?? cookie.value) !== cookie.value)
  }
}
