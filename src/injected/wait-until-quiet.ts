import type { PageFunctions } from './page-functions.js'

/** An element that changes more often is a clock or an advertisement, which is not waited for. */
const MAX_CHANGES = 20
/** Between two looks at the document. Milliseconds. */
const POLL_MS = 10
/** A page whose height is more than this part of the window can be scrolled to something new. */
const SCROLL_RATIO = 1.2

/**
 * Resolves when a document has no timer that will soon end, its tree has not changed for a while, and its main thread has
 * nothing left to do. The result is true where the document is longer than the window and watches what comes into view.
 * For an isolated world.
 */
export const waitUntilQuiet: PageFunctions['waitUntilQuiet'] = async ({
  name,
  quietMs,
  maxMs,
  maxBusyMs,
  maxIdleMs,
}) => {
  if (document.scripts.length === 0) return false
  // The activity monitor of the page's world cancels the event for a yes.
  const asks = (what: string): boolean => !window.dispatchEvent(new Event(name + what, { cancelable: true }))
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
  const page = document.scrollingElement
  return asks('view') && page !== null && page.scrollHeight > innerHeight * SCROLL_RATIO
}

/**
 * Waits until the main thread is idle, at most `maxMs`. Work that is done in slices changes nothing in the tree until it
 * is done, and leaves no time for a task of background priority.
 */
async function untilIdle(maxMs: number): Promise<void> {
  const last = scheduler.postTask(() => undefined, { priority: 'background' })
  await Promise.race([last, new Promise((resolve) => setTimeout(resolve, maxMs))])
}
