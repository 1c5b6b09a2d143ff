import { pageFunction } from './page-function.js'

/**
 * Runs in every document before its own scripts, and notes what cannot be seen from outside: timers that will soon be
 * up, and observers of the view. Functions are replaced by proxies of themselves, which print and behave like them.
 *
 * Its argument is the name of the property that the notes are kept under, not to be guessed. A timer that sets the
 * next one is a clock, not a page in the making: it is noted a few times only.
 */
export const takeNotes: (name: string) => void = pageFunction(`(name) => {
  const { setTimeout: setNative, clearTimeout: clearNative } = window
  const notes = { timers: new Set(), watchesView: false, setTimeout: setNative.bind(window) }
  Object.defineProperty(window, name, { value: notes, configurable: false, enumerable: false, writable: false })
  let generation = 0
  window.setTimeout = new Proxy(setNative, {
    apply(target, self, [callback, delay, ...rest]) {
      const own = generation + 1
      if (typeof callback !== 'function' || delay > 1500 || own > 6) {
        return Reflect.apply(target, self, [callback, delay, ...rest])
      }
      const id = Reflect.apply(target, self, [
        function (...values) {
          notes.timers.delete(id)
          const before = generation
          generation = own
          try {
            Reflect.apply(callback, this, values)
          } finally {
            generation = before
          }
        },
        delay,
        ...rest,
      ])
      notes.timers.add(id)
      return id
    },
  })
  window.clearTimeout = new Proxy(clearNative, {
    apply(target, self, values) {
      notes.timers.delete(values[0])
      return Reflect.apply(target, self, values)
    },
  })
  const wrap = (prototype, method, isView) => {
    prototype[method] = new Proxy(prototype[method], {
      apply(target, self, values) {
        if (isView(values)) notes.watchesView = true
        return Reflect.apply(target, self, values)
      },
    })
  }
  wrap(EventTarget.prototype, 'addEventListener', ([event]) => event === 'scroll')
  wrap(IntersectionObserver.prototype, 'observe', () => true)
}`)

/** What {@link awaitQuiet} is asked. */
export interface QuietQuestion {
  readonly name: string
  /** Without a change to the tree, so long. Milliseconds. */
  readonly quietMs: number
  readonly mostMs: number
}

/**
 * Resolves when a document has no timer that will soon be up and its tree has not changed for a while; says whether it
 * is longer than the window and watches what comes into view.
 */
export const awaitQuiet: (question: QuietQuestion) => Promise<boolean> = pageFunction(`({ name, quietMs, mostMs }) => {
  const notes = window[name]
  if (!notes || document.scripts.length === 0) return false
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
    const look = () => {
      const now = performance.now()
      const isQuiet = now - changedAt >= quietMs && notes.timers.size === 0
      if (!isQuiet && now - startedAt < mostMs) return notes.setTimeout(look, 10)
      observer.disconnect()
      const page = document.scrollingElement
      resolve(notes.watchesView && page !== null && page.scrollHeight > innerHeight * 1.2)
    }
    look()
  })
}`)

/** What {@link scrollThrough} is asked. */
export interface ScrollQuestion {
  readonly name: string
  readonly mostSteps: number
  readonly stepMs: number
}

/**
 * Scrolls down a document, a window at a time, and back to where it was. The number of steps is its bound: a page that
 * grows as it is scrolled has no end.
 */
export const scrollThrough: (question: ScrollQuestion) => Promise<void> =
  pageFunction(`async ({ name, mostSteps, stepMs }) => {
  const notes = window[name]
  const page = document.scrollingElement
  if (!notes || !page) return
  const before = scrollY
  for (let step = 0; step < mostSteps; step++) {
    scrollTo({ top: page.scrollTop + innerHeight * 0.9, behavior: 'instant' })
    await new Promise((resolve) => notes.setTimeout(resolve, stepMs))
    if (page.scrollTop + innerHeight >= page.scrollHeight - 2) break
  }
  scrollTo({ top: before, behavior: 'instant' })
}`)
