import { TrawlError } from '../../../base/errors.js'
import type { BrowserLauncher } from './launch-browser.js'
import type { RunningBrowser } from './running-browser.js'
import { followSignals } from '../../../base/concurrency/deadline.js'
import { Semaphore } from '../../../base/concurrency/semaphore.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { WaitingQueue } from '../../../base/concurrency/waiting-queue.js'

interface BrowserPoolOptions {
  readonly launcher: BrowserLauncher
  /** Concurrent pages; further ones wait in order of arrival. As many again may be closing. */
  readonly maxPages: number
  /** Pages after which a browser is replaced. */
  readonly pagesPerBrowser: number
  /** Time after which a browser without pages is closed, so that it keeps no process alive. Milliseconds. */
  readonly idleMs: number
}

/** A browser leased for one page. */
interface BrowserLease {
  readonly running: RunningBrowser
  /** Frees the page's slot when the page only remains to be closed, so that the next one can open meanwhile. */
  releaseSlot(): void
  /** Returns the browser. @param isBroken takes the browser out of use; it is closed after its last page */
  release(isBroken: boolean): void
}

type PauseClock = (turn: Promise<void>) => Promise<void>

interface LeaseOptions {
  /** Pauses the page's clock while it waits. @default the clock runs on */
  readonly hold?: PauseClock
  /** Leases a browser that no other page gets. One such lease is granted at a time. @default false */
  readonly isAlone?: boolean
}

/** A browser of the pool. */
interface PooledBrowser {
  readonly starting: Promise<RunningBrowser>
  /** Pages opened so far, and pages open now. */
  pages: number
  open: number
  isRetired: boolean
}

/** Leases one browser to all pages of an engine; two while a retired one still has pages, and one more to a page alone. */
export class BrowserPool {
  readonly #options: BrowserPoolOptions
  readonly #waiting = new WaitingQueue()
  readonly #alone = new Semaphore(1)
  readonly #browsers = new Set<PooledBrowser>()
  readonly #endings = new Set<Promise<void>>()
  #current: PooledBrowser | undefined
  /** The browser that will replace the current one, started in advance so that no page waits for it. */
  #next: PooledBrowser | undefined
  #usedSlots = 0
  #closingPages = 0
  #idle: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()

  constructor(options: BrowserPoolOptions) {
    this.#options = options
  }

  /**
   * Waits for a slot and a browser.
   *
   * @throws TrawlError `SCRAPE_NO_BROWSER`, `SCRAPE_BROWSER_ERROR`, `ENGINE_CLOSED`; the signal's reason
   */
  async lease(
    signal: AbortSignal,
    { hold = (turn) => turn, isAlone = false }: LeaseOptions = {},
  ): Promise<BrowserLease> {
    // A page that waits for its turn has no slot yet, which others can use meanwhile.
    if (!isAlone) return await this.#leaseBrowser(signal, hold, false)
    using either = followSignals(signal, this.#closing.signal)
    await hold(this.#alone.acquire(either.signal))
    let isHeld = true
    const leave = (): void => {
      if (isHeld) this.#alone.release()
      isHeld = false
    }
    try {
      const lease = await this.#leaseBrowser(signal, hold, true)
      const release = (isBroken: boolean): void => {
        lease.release(isBroken)
        leave()
      }
      return { ...lease, release }
    } catch (error) {
      leave()
      throw error
    }
  }

  async #leaseBrowser(signal: AbortSignal, hold: PauseClock, isAlone: boolean): Promise<BrowserLease> {
    await this.#acquireSlot(signal, hold)
    clearTimeout(this.#idle)
    const member = isAlone ? this.#start() : this.#chooseBrowser()
    member.pages += 1
    member.open += 1
    const { maxPages, pagesPerBrowser } = this.#options
    if (isAlone || member.pages >= pagesPerBrowser) this.#retire(member)
    else if (this.#usedSlots >= maxPages && member.pages >= pagesPerBrowser - maxPages) this.#next ??= this.#start()
    let isOut = true
    let hasLeft = false
    const leave = (): void => {
      // Limited, so that pages that fail to close do not pile up behind those that open.
      if (hasLeft || !isOut || this.#closingPages >= this.#options.maxPages) return
      hasLeft = true
      this.#closingPages += 1
      this.#releaseSlot()
    }
    const giveBack = (isBroken: boolean): void => {
      if (!isOut) return
      isOut = false
      member.open -= 1
      if (isBroken) this.#retire(member)
      this.#endIfDone(member)
      if (hasLeft) this.#closingPages -= 1
      else this.#releaseSlot()
    }
    try {
      return { running: await untilAborted(member.starting, signal), releaseSlot: leave, release: giveBack }
    } catch (error) {
      giveBack(false)
      throw error
    }
  }

  /** Closes all browsers. Leases must be released before, or their pages lose the browser. */
  async close(): Promise<void> {
    this.#closing.abort(new TrawlError('ENGINE_CLOSED', 'The fetcher was closed'))
    clearTimeout(this.#idle)
    this.#waiting.wakeAll()
    for (const member of this.#browsers) {
      member.open = 0
      this.#retire(member)
      this.#endIfDone(member)
    }
    await Promise.all(this.#endings)
  }

  async #acquireSlot(signal: AbortSignal, hold: PauseClock): Promise<void> {
    signal.throwIfAborted()
    if (this.#usedSlots >= this.#options.maxPages && !this.#closing.signal.aborted) {
      await hold(this.#waiting.wait(signal))
      if (signal.aborted) {
        // The slot was granted in the same turn of the event loop as the abort: pass it on to the next waiting page.
        this.#releaseSlot()
        throw signal.reason
      }
    } else this.#usedSlots += 1
    this.#closing.signal.throwIfAborted()
  }

  /** Passes the slot to the next waiting page, or frees it. */
  #releaseSlot(): void {
    if (this.#waiting.wakeNext()) return
    this.#usedSlots -= 1
    if (this.#usedSlots > 0 || this.#closing.signal.aborted) return
    this.#idle = setTimeout(() => {
      for (const member of [this.#current, this.#next]) if (member) this.#retire(member)
    }, this.#options.idleMs)
  }

  #chooseBrowser(): PooledBrowser {
    if (this.#current) return this.#current
    this.#current = this.#next ?? this.#start()
    this.#next = undefined
    return this.#current
  }

  #start(): PooledBrowser {
    const starting = this.#options.launcher.launch(this.#closing.signal)
    const member: PooledBrowser = { starting, pages: 0, open: 0, isRetired: false }
    this.#browsers.add(member)
    starting.then(
      ({ browser }) => void browser.once('disconnected', () => this.#retire(member)),
      () => this.#retire(member),
    )
    return member
  }

  /** Takes a browser out of use; it is closed after its last page. */
  #retire(member: PooledBrowser): void {
    member.isRetired = true
    if (this.#current === member) this.#current = undefined
    if (this.#next === member) this.#next = undefined
    this.#endIfDone(member)
  }

  #endIfDone(member: PooledBrowser): void {
    if (!member.isRetired || member.open > 0 || !this.#browsers.delete(member)) return
    const ending = member.starting.then(
      (running) => running.close(),
      () => undefined,
    )
    const ended = ending.catch(() => undefined).finally(() => this.#endings.delete(ended))
    this.#endings.add(ended)
  }
}
