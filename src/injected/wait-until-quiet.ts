import { pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'

/**
 * Maximum number of changes of an element that are waited for. An element that changes more often is a clock or an
 * advertisement.
 */
const MAX_CHANGES = 20
/** Interval at which the document is checked. Milliseconds. */
const POLL_MS = 10
/** Minimum height of a page that is worth scrolling, relative to the height of the window. */
const SCROLL_RATIO = 1.2

/**
 * Resolves when no timer of the document is about to fire, its tree has not changed for `quietMs`, and its main thread
 * is idle. The result is true if the document is longer than the window and observes scrolling, so that it may load
 * more in view. For an isolated world.
 */
export const waitUntilQuiet: PageFunctions['waitUntilQuiet'] = async ({
  name,
  quietMs,
  maxMs,
  maxBusyMs,
  maxIdleMs,
}) => {
  // The activity monitor in the page's world cancels the event to answer yes.
  const asks = (what: string): boolean => !window.dispatchEvent(new Event(name + what, { cancelable: true }))
  // Without scripts, attributes such as `onload` may have set a timer.
  if (pageDocument.scripts.length === 0 && !asks('timers')) return false
  const startedAt = performance.now()
  let changedAt = startedAt
  const changes = new Map<Node, number>()
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const count = (changes.get(target) ?? 0) + 1
      changes.set(target, count)
      if (count <= MAX_CHANGES) changedAt = performance.now()
    }
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
  const isQuiet = (ms: number): boolean => performance.now() - changedAt >= ms
  while (performance.now() - startedAt < maxMs) {
    if (isQuiet(quietMs) && (!asks('timers') || isQuiet(maxIdleMs))) {
      await untilIdle(maxBusyMs)
      if (isQuiet(quietMs)) break
    } else await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  observer.disconnect()
  const page = pageDocument.scrollingElement
  return asks('view') && page !== null && page.scrollHeight > innerHeight * SCROLL_RATIO
}

/**
 * Waits until the main thread is idle, at most `maxMs`. Detects work in slices, which may change the tree only at its
 * end: it leaves no time for a task of background priority.
 */
async function untilIdle(maxMs: number): Promise<void> {
  const last = scheduler.postTask(() => undefined, { priority: 'background' })
  await Promise.race([last, new Promise((resolve) => setTimeout(resolve, maxMs))])
}
