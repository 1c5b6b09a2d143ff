import { pageFunction } from '../browser-page/page-function.js'

/**
 * Runs in every document before its own scripts, and notes what cannot be seen from outside: timers that will soon be
 * up, and observers of the view. Functions are replaced by proxies of themselves, which print and behave like them.
 *
 * Its argument is the first part of the names of events, not to be guessed, that {@link awaitQuiet} asks it by from
 * another world: one that is cancelled is a yes. A timer that sets the next one is a clock, and a function that is
 * called again and again a poll, not a page in the making: they are noted a few times only. Nothing is used here that a
 * page may have replaced by then.
 */
export const installActivityMonitor: (name: string) => void = pageFunction(`(name) => {
  const { setTimeout: setNative, clearTimeout: clearNative } = window
  const { apply } = Reflect
  const { preventDefault } = Event.prototype
  const listen = EventTarget.prototype.addEventListener
  const { get: getTimes, set: setTimes } = WeakMap.prototype
  const pending = { __proto__: null }
  const calls = new WeakMap()
  let timers = 0
  let watchesView = false
  let generation = 0
  const tellTimers = (event) => {
    if (timers > 0) apply(preventDefault, event, [])
  }
  const tellView = (event) => {
    if (watchesView) apply(preventDefault, event, [])
  }
  const hear = () => {
    apply(listen, window, [name + 'timers', tellTimers])
    apply(listen, window, [name + 'view', tellView])
  }
  hear()
  const end = (id) => {
    if (pending[id] !== true) return
    delete pending[id]
    timers -= 1
  }
  window.setTimeout = new Proxy(setNative, {
    apply(target, self, values) {
      const callback = values[0]
      const own = generation + 1
      if (typeof callback !== 'function' || values[1] > 1500 || own > 6) return apply(target, self, values)
      if (apply(getTimes, calls, [callback]) >= 20) return apply(target, self, values)
      let id
      values[0] = function () {
        end(id)
        apply(setTimes, calls, [callback, (apply(getTimes, calls, [callback]) || 0) + 1])
        const before = generation
        generation = own
        try {
          apply(callback, this, arguments)
        } finally {
          generation = before
        }
      }
      id = apply(target, self, values)
      pending[id] = true
      timers += 1
      // A document that is written anew forgets who listens.
      hear()
      return id
    },
  })
  window.clearTimeout = new Proxy(clearNative, {
    apply(target, self, values) {
      end(values[0])
      return apply(target, self, values)
    },
  })
  const wrap = (prototype, method, isView) => {
    prototype[method] = new Proxy(prototype[method], {
      apply(target, self, values) {
        if (isView(values)) watchesView = true
        return apply(target, self, values)
      },
    })
  }
  wrap(EventTarget.prototype, 'addEventListener', (values) => values[0] === 'scroll')
  wrap(IntersectionObserver.prototype, 'observe', () => true)
}`)

/** What {@link awaitQuiet} is asked. */
export interface QuietQuestion {
  /** As {@link installActivityMonitor} was told. */
  readonly name: string
  /** Without a change to the tree, so long. Milliseconds. */
  readonly quietMs: number
  readonly maxMs: number
  /** A page that computes without a break is waited for so long. Milliseconds. */
  readonly maxBusyMs: number
  /** A page whose timers go on and change nothing is waited for so long. Milliseconds. */
  readonly maxIdleMs: number
}

/**
 * Resolves when a document has no timer that will soon be up, its tree has not changed for a while, and its thread has
 * nothing left to do; says whether it is longer than the window and watches what comes into view. For an isolated world.
 */
export const awaitQuiet: (question: QuietQuestion) => Promise<boolean> =
  pageFunction(`({ name, quietMs, maxMs, maxBusyMs, maxIdleMs }) => {
  if (document.scripts.length === 0) return false
  const says = (what) => !window.dispatchEvent(new Event(name + what, { cancelable: true }))
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let changedAt = startedAt
    const changes = new Map()
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const count = (changes.get(target) || 0) + 1
        changes.set(target, count)
        // What changes over and over is a clock or an advertisement.
        if (count <= 20) changedAt = performance.now()
      }
    })
    observer.observe(document, { childList: true, subtree: true, characterData: true })
    const isQuiet = (ms = quietMs) => performance.now() - changedAt >= ms
    const look = () => {
      if (performance.now() - startedAt >= maxMs) end()
      else if (isQuiet() && (!says('timers') || isQuiet(maxIdleMs))) untilFree().then(lookAgain)
      else setTimeout(look, 10)
    }
    // What is computed in slices changes nothing until it is done, and leaves no time for what comes last.
    const untilFree = () => {
      const last = scheduler.postTask(() => undefined, { priority: 'background' })
      return Promise.race([last, new Promise((resolve) => setTimeout(resolve, maxBusyMs))])
    }
    const lookAgain = () => (isQuiet() ? end() : look())
    const end = () => {
      observer.disconnect()
      const page = document.scrollingElement
      resolve(says('view') && page !== null && page.scrollHeight > innerHeight * 1.2)
    }
    look()
  })
}`)

/** What {@link scrollThrough} is asked. */
export interface ScrollQuestion {
  readonly maxSteps: number
  readonly stepMs: number
}

/**
 * Scrolls down a document, a window at a time, and back to where it was. The number of steps is its bound: a page that
 * grows as it is scrolled has no end. For an isolated world, whose timers are not noted.
 */
export const scrollThrough: (question: ScrollQuestion) => Promise<void> =
  pageFunction(`async ({ maxSteps, stepMs }) => {
  const page = document.scrollingElement
  if (!page) return
  const before = scrollY
  for (let step = 0; step < maxSteps; step++) {
    scrollTo({ top: page.scrollTop + innerHeight * 0.9, behavior: 'instant' })
    await new Promise((resolve) => setTimeout(resolve, stepMs))
    if (page.scrollTop + innerHeight >= page.scrollHeight - 2) break
  }
  scrollTo({ top: before, behavior: 'instant' })
}`)
