import type { PageFunctions } from './page-functions.js'

/** Maximum delay of a timer that is waited for. Milliseconds. */
const MAX_TIMER_MS = 1500
/** Maximum length of a chain of timers that set each other and are waited for; a longer chain is a clock. */
const MAX_GENERATIONS = 6
/** Maximum number of timers for one function that are waited for; with more it is a poll. */
const MAX_CALLS = 20

/**
 * Counts timers that will soon fire, and detects scroll listeners and intersection observers. Neither is visible
 * through browser APIs. Runs in every document before the page's own scripts. The page's functions are replaced by
 * proxies, which print and behave like the originals.
 *
 * {@link waitUntilQuiet} runs in an isolated world and queries the monitor by dispatching events; a cancelled event
 * means yes. `name` is the secret prefix of the names of these events. All globals are read in advance, because the
 * page may replace them later.
 */
export const installActivityMonitor: PageFunctions['installActivityMonitor'] = (name) => {
  const { setTimeout: setNative, clearTimeout: clearNative } = window
  const { apply } = Reflect
  const { preventDefault } = Event.prototype
  const listen = EventTarget.prototype.addEventListener
  const { get: getCalls, set: setCalls } = WeakMap.prototype
  const pending = { __proto__: null } as unknown as Record<number, boolean>
  const calls = new WeakMap<object, number>()
  let timers = 0
  let watchesView = false
  let generation = 0
  const answerTimers = (event: Event): void => {
    if (timers > 0) apply(preventDefault, event, [])
  }
  const answerView = (event: Event): void => {
    if (watchesView) apply(preventDefault, event, [])
  }
  const addListeners = (): void => {
    apply(listen, window, [`${name}timers`, answerTimers])
    apply(listen, window, [`${name}view`, answerView])
  }
  addListeners()
  const end = (id: number): void => {
    if (pending[id] !== true) return
    delete pending[id]
    timers -= 1
  }
  const countCalls = (callback: object): number => (apply(getCalls, calls, [callback]) as number | undefined) ?? 0
  window.setTimeout = new Proxy(setNative, {
    apply(target, self, values: unknown[]) {
      const callback = values[0]
      const own = generation + 1
      if (typeof callback !== 'function' || (values[1] as number) > MAX_TIMER_MS || own > MAX_GENERATIONS) {
        return apply(target, self, values)
      }
      if (countCalls(callback) >= MAX_CALLS) return apply(target, self, values)
      let id = 0
      values[0] = function (this: unknown, ...inputs: unknown[]) {
        end(id)
        apply(setCalls, calls, [callback, countCalls(callback) + 1])
        const before = generation
        generation = own
        try {
          apply(callback, this, inputs)
        } finally {
          generation = before
        }
      }
      id = apply(target, self, values) as number
      pending[id] = true
      timers += 1
      // `document.open()` removes the listeners.
      addListeners()
      return id
    },
  })
  window.clearTimeout = new Proxy(clearNative, {
    apply(target, self, values: unknown[]) {
      end(values[0] as number)
      return apply(target, self, values) as undefined
    },
  })
  const watch = (prototype: object, method: string, isView: (values: readonly unknown[]) => boolean): void => {
    const native = Reflect.get(prototype, method) as () => unknown
    const proxy = new Proxy(native, {
      apply(target, self, values: unknown[]) {
        if (isView(values)) watchesView = true
        return apply(target, self, values)
      },
    })
    Reflect.set(prototype, method, proxy)
  }
  watch(EventTarget.prototype, 'addEventListener', (values) => values[0] === 'scroll')
  watch(IntersectionObserver.prototype, 'observe', () => true)
}
