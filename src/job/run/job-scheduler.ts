import type { Politeness, VisitOutcome } from '../../frontier/politeness.js'
import type { PacePlan } from '../../plan/crawl-plan.js'
import { PagePlace } from './page-place.js'
import type { PageSlots } from '../../concurrency/page-slots.js'

/** What a job shares with the other jobs of its engine. */
interface Shared {
  readonly slots: PageSlots
  readonly politeness: Politeness
  now(): number
}

/** How long what waits for a site goes without looking, when nothing says that it will open. */
const LOOK_AGAIN_MS = 50

/** When a job may start its next page: its own pauses, a free place in the engine, and what is polite to the sites. */
export class JobScheduler {
  readonly #shared: Shared
  readonly #plan: Pick<PacePlan, 'delayMs'>
  readonly #wake: () => void
  readonly #alarms = new Set<NodeJS.Timeout>()
  #siteAlarm: NodeJS.Timeout | undefined
  #isPaused = false
  #notBeforeMs = 0

  /**
   * @param plan the pause after each page, as it is when one has ended
   * @param wake called when what was closed may be open now
   */
  constructor(shared: Shared, plan: Pick<PacePlan, 'delayMs'>, wake: () => void) {
    this.#shared = shared
    this.#plan = plan
    this.#wake = wake
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#wake()
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Whether the job wants to start a page now. */
  get isOpen(): boolean {
    const leftMs = this.#notBeforeMs - this.#shared.now()
    // A clock that was set back must not hold the job for as long as that.
    return !this.#isPaused && (leftMs <= 0 || leftMs > this.#plan.delayMs)
  }

  /** Whether the engine has a free place; the job is woken when one is given back. */
  hasSlot(): boolean {
    if (!this.#shared.slots.hasFree) this.#shared.slots.wait(this.#wake)
    return this.#shared.slots.hasFree
  }

  /** The sites whose turn has not come. */
  heldSites(): ReadonlySet<string> {
    return this.#shared.politeness.heldSites(this.#shared.now())
  }

  /** The sites that keep pages waiting: others come first. */
  get hangingSites(): ReadonlySet<string> {
    return this.#shared.politeness.slowSites
  }

  /** Wakes the job when a held site opens. */
  awaitSites(): void {
    this.#shared.politeness.subscribe(this.#wake)
    const nowMs = this.#shared.now()
    const openMs = this.#shared.politeness.nextOpenMs(nowMs)
    // One alarm, set anew: a job that is asked twice a second must not gather them while a site is held for a minute.
    clearTimeout(this.#siteAlarm)
    if (openMs !== undefined) this.#siteAlarm = setTimeout(this.#wake, openMs - nowMs)
  }

  acquireSlot(): boolean {
    return this.#shared.slots.take()
  }

  releaseSlot(): void {
    this.#shared.slots.give()
  }

  enterSite(site: string): boolean {
    return this.#shared.politeness.enter(site, this.#shared.now())
  }

  /** Waits for the site's turn and begins a visit; what is no page takes no place of the engine. */
  async awaitEntry(site: string, signal: AbortSignal): Promise<void> {
    while (!this.enterSite(site)) {
      signal.throwIfAborted()
      await this.#awaitChange(signal)
    }
  }

  /** Ends a visit. */
  leaveSite(site: string, visit: Omit<VisitOutcome, 'delayMs'>): void {
    this.#shared.politeness.leave(site, this.#shared.now(), { ...visit, delayMs: this.#plan.delayMs })
  }

  /** The place of a page that has taken a slot and entered its site. */
  placeAt(site: string): PagePlace {
    const { slots, politeness } = this.#shared
    return new PagePlace({ slots, site: { name: site, politeness } })
  }

  /** Ends a visit to a page, gives its place back and begins the pause. */
  endPage(place: PagePlace, visit: Omit<VisitOutcome, 'delayMs'>): void {
    const nowMs = this.#shared.now()
    place.end(nowMs, { ...visit, delayMs: this.#plan.delayMs })
    // A page from the cache cost no site anything.
    if (this.#plan.delayMs === 0 || visit.latencyMs === undefined) return
    this.#notBeforeMs = nowMs + this.#plan.delayMs
    this.wakeIn(this.#plan.delayMs)
  }

  /** Resolves when a visit has ended, a site opens by itself, or the signal aborts. */
  #awaitChange(signal: AbortSignal): Promise<void> {
    const { politeness, now } = this.#shared
    return new Promise((resolve) => {
      const change = (): void => {
        clearTimeout(alarm)
        politeness.unsubscribe(change)
        signal.removeEventListener('abort', change)
        resolve()
      }
      const openMs = politeness.nextOpenMs(now())
      // A site may have opened since it was asked: then nobody tells, and it is looked at again.
      const alarm = setTimeout(change, openMs === undefined ? LOOK_AGAIN_MS : openMs - now())
      politeness.subscribe(change)
      signal.addEventListener('abort', change, { once: true })
    })
  }

  wakeIn(delayMs: number): void {
    const ring = (): void => {
      this.#alarms.delete(alarm)
      this.#wake()
    }
    const alarm = setTimeout(ring, Math.max(0, delayMs))
    this.#alarms.add(alarm)
  }

  /** Leaves no timer and no listener behind. */
  close(): void {
    for (const alarm of this.#alarms) clearTimeout(alarm)
    clearTimeout(this.#siteAlarm)
    this.#shared.slots.forget(this.#wake)
    this.#shared.politeness.unsubscribe(this.#wake)
  }
}
