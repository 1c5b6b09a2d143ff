import { pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'
import { askMonitor, findInnerScrollers } from './scroll.js'

/**
 * Maximum number of changes of an element that are waited for. An element that changes more often is a clock or an
 * advertisement.
 */
const MAX_CHANGES = 20
/** Interval at which the document is checked. Milliseconds. */
const POLL_MS = 10
/** Minimum height of a page that is worth scrolling, relative to the height of the window. */
const SCROLL_RATIO = 1.2

/** Maximum number of frames that are loaded although they are not in view. */
const MAX_LAZY_FRAMES = 20

/**
 * Resolves when no timer of the document is about to fire, its tree has not changed for `quietMs`, and its main thread
 * is idle. Frames that would load in view are made to load at once, as for printing. For an isolated world.
 */
export const waitUntilQuiet: PageFunctions['waitUntilQuiet'] = async ({
  name,
  quietMs,
  maxMs,
  maxBusyMs,
  maxIdleMs,
}) => {
  const asks = (what: Parameters<typeof askMonitor>[1]): boolean => askMonitor(name, what)
  // Without scripts, attributes such as `onload` may have set a timer.
  if (pageDocument.scripts.length === 0 && !asks('timers') && !loadLazyFrames()) {
    return { hasMore: false, awaitsVisitor: asks('visitor') }
  }
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
    if (loadLazyFrames()) changedAt = performance.now()
    if (isQuiet(quietMs) && (!asks('timers') || isQuiet(maxIdleMs))) {
      await untilIdle(maxBusyMs)
      if (isQuiet(quietMs)) break
    } else await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  observer.disconnect()
  return { hasMore: asks('view') && hasMoreBelow(name), awaitsVisitor: asks('visitor') }
}

function hasMoreBelow(name: string): boolean {
  const page = pageDocument.scrollingElement
  return (page !== null && page.scrollHeight > innerHeight * SCROLL_RATIO) || findInnerScrollers(name).length > 0
}

/** Makes the frames load that wait until they are in view. Returns true if there was one. */
function loadLazyFrames(): boolean {
  const waiting = pageDocument.querySelectorAll<HTMLIFrameElement>('iframe[loading="lazy" i]')
  let left = MAX_LAZY_FRAMES - pageDocument.querySelectorAll('iframe[loading="eager"]').length
  let hasLoaded = false
  for (const frame of waiting) {
    if (left <= 0) break
    frame.loading = 'eager'
    left -= 1
    hasLoaded = true
  }
  return hasLoaded
}

/**
 * Waits until the main thread is idle, at most `maxMs`. Detects work in slices, which may change the tree only at its
 * end: it leaves no time for a task of background priority.
 */
async function untilIdle(maxMs: number): Promise<void> {
  const last = scheduler.postTask(() => undefined, { priority: 'background' })
  await Promise.race([last, new Promise((resolve) => setTimeout(resolve, maxMs))])
}

/** Matches the addresses of frames whose content is not loaded from anywhere. */
const OWN_ADDRESS = /^(?:about|javascript|data|blob):/i

/**
 * Counts the frames of the document that are shown and have an address, and still have the empty document that each frame
 * begins with. For an isolated world.
 */
export const countUnloadedFrames: PageFunctions['countUnloadedFrames'] = (minSize) => {
  let count = 0
  for (const frame of pageDocument.querySelectorAll<HTMLIFrameElement>('iframe[src]:not([srcdoc])')) {
    const source = frame.getAttribute('src')?.trim() ?? ''
    const isShown = frame.clientWidth >= minSize && frame.clientHeight >= minSize
    // The document of another site is not accessible.
    const isEmpty = frame.contentDocument?.URL === 'about:blank'
    // A browser does not load a page into itself.
    const isOwn = OWN_ADDRESS.test(source) || source.startsWith('#')
    if (source !== '' && !isOwn && isShown && isEmpty) count += 1
  }
  return count
}
