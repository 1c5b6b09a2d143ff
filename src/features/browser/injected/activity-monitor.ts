import { findBody, findRoot, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'
import { VISITOR_EVENTS } from './visitor.js'

/** Maximum delay of a timer that is waited for. Milliseconds. */
const MAX_TIMER_MS = 1500
/** Maximum length of a chain of timers that set each other and are waited for; a longer chain is a clock. */
const MAX_GENERATIONS = 6
/** Maximum number of timers for one function that are waited for; with more it is a poll. */
const MAX_CALLS = 20

/** Maximum number of observed elements that are remembered. */
const MAX_OBSERVED = 1_000

const { apply } = Reflect
const { preventDefault } = Event.prototype
const readTarget = Object.getOwnPropertyDescriptor(Event.prototype, 'target')?.get
const { contains } = Node.prototype
const listen = EventTarget.prototype.addEventListener
const { get: getValue, set: setValue, has: hasValue } = WeakMap.prototype

/** The names of the events of a visitor. An object, because the page may replace the methods of a set. */
const visitorEvents = { __proto__: null } as unknown as Record<string, boolean>
for (const name of VISITOR_EVENTS) visitorEvents[name] = true

/**
 * Counts timers that will soon fire, and detects scroll listeners, intersection observers and what waits for a visitor.
 * None of them is visible through browser APIs. Runs in every document before the page's own scripts. The page's functions are replaced by
 * proxies, which print and behave like the originals.
 *
 * {@link waitUntilQuiet} runs in an isolated world and queries the monitor by dispatching events; a cancelled event
 * means yes. `name` is the secret prefix of the names of these events. All globals are read in advance, because the
 * page may replace them later.
 */
export const installActivityMonitor: PageFunctions['installActivityMonitor'] = (name) => {
  const { setTimeout: setNative, clearTimeout: clearNative } = window
  const pending = { __proto__: null } as unknown as Record<number, boolean>
  const calls = new WeakMap<object, number>()
  let timers = 0
  let generation = 0
  const answerTimers = (event: Event): void => {
    if (timers > 0) apply(preventDefault, event, [])
  }
  const answers = watchSigns()
  const addListeners = (): void => {
    apply(listen, window, [`${name}timers`, answerTimers])
    // Captured, because it is dispatched on elements as well.
    apply(listen, window, [`${name}view`, answers.view, true])
    apply(listen, window, [`${name}visitor`, answers.visitor])
  }
  addListeners()
  const end = (id: number): void => {
    if (pending[id] !== true) return
    delete pending[id]
    timers -= 1
  }
  const countCalls = (callback: object): number => (apply(getValue, calls, [callback]) as number | undefined) ?? 0
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
        apply(setValue, calls, [callback, countCalls(callback) + 1])
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
  answerDialogs()
  window.clearTimeout = new Proxy(clearNative, {
    apply(target, self, values: unknown[]) {
      end(values[0] as number)
      return apply(target, self, values) as undefined
    },
  })
}

/**
 * Has dialogs answered as by a visitor who closes them, without being opened: a page that asks again and again would not be
 * reached between two of them.
 */
function answerDialogs(): void {
  const answers = { alert: undefined, confirm: false, print: undefined, prompt: null }
  for (const name of ['alert', 'confirm', 'print', 'prompt'] as const) {
    const proxy = new Proxy(window[name] as () => unknown, { apply: () => answers[name] })
    Reflect.set(window, name, proxy)
  }
}

/** Answers to whether scrolling, or a visitor, has an effect on the page. */
interface SignAnswers {
  /** Answers for the page, or for an element on which the event is dispatched. */
  readonly view: (event: Event) => void
  readonly visitor: (event: Event) => void
}

function watchSigns(): SignAnswers {
  const scrollers = new WeakMap<object, boolean>()
  const observed: unknown[] = []
  let watchesView = false
  let watchesElements = false
  let awaitsVisitor = false
  watch(EventTarget.prototype, 'addEventListener', (self, [type, , options]) => {
    if (typeof type !== 'string') return
    const isOfPage = isWholePage(self)
    if (type === 'scroll' || type === 'scrollend') {
      watchesView = true
      // The scrolling of an element does not bubble.
      if (isOfPage && (options as AddEventListenerOptions | undefined)?.capture === true) watchesElements = true
      if (isOfPage && options === true) watchesElements = true
      if (typeof self === 'object' && self !== null) apply(setValue, scrollers, [self, true])
    }
    if (isOfPage && visitorEvents[type] === true) awaitsVisitor = true
  })
  watch(IntersectionObserver.prototype, 'observe', (_self, [target]) => {
    watchesView = true
    if (observed.length < MAX_OBSERVED) observed[observed.length] = target
  })
  return {
    view(event) {
      const target: unknown = readTarget && apply(readTarget, event, [])
      if (target === window ? watchesView || hasHandler('scroll') : watchesElement(target))
        apply(preventDefault, event, [])
    },
    visitor(event) {
      for (const name in visitorEvents) if (!awaitsVisitor && hasHandler(name)) awaitsVisitor = true
      if (awaitsVisitor) apply(preventDefault, event, [])
    },
  }

  function watchesElement(target: unknown): boolean {
    if (watchesElements || apply(hasValue, scrollers, [target])) return true
    if (typeof (target as GlobalEventHandlers).onscroll === 'function') return true
    for (let at = 0; at < observed.length; at++) {
      try {
        if (apply(contains, target, [observed[at]])) return true
      } catch {
        // The page had observed something that is no element.
      }
    }
    return false
  }
}

/** Has a method report its calls before they are made. */
function watch(prototype: object, method: string, note: (self: unknown, values: readonly unknown[]) => void): void {
  const native = Reflect.get(prototype, method) as () => unknown
  const proxy = new Proxy(native, {
    apply(target, self, values: unknown[]) {
      note(self, values)
      return apply(target, self, values)
    },
  })
  Reflect.set(prototype, method, proxy)
}

/** Tests for a target at which events of the whole page are listened to. A bare `addEventListener()` has none. */
const isWholePage = (target: unknown): boolean =>
  target === undefined ||
  target === null ||
  target === window ||
  target === document ||
  target === findRoot() ||
  target === findBody()

/** Tests for an attribute or a property such as `onmousemove`, which adds no listener. */
function hasHandler(event: string): boolean {
  const handler = `on${event}`
  for (const target of [window, pageDocument, findRoot(), findBody()])
    if (target && typeof (target as unknown as Record<string, unknown>)[handler] === 'function') return true
  return false
}
