import { builtInsOf } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'

/** The element that was passed last. Only the isolated world can reach its own global object. */
const world = window as { passedElement?: EventTarget | undefined }

/** Keeps the element that is announced under a name. For the isolated world. */
export const expectElement: PageFunctions['expectElement'] = (name) => {
  world.passedElement = undefined
  const keep = (event: Event): void => {
    // The target itself: from outside of a shadow root, the target of the event is the host of the root.
    const [target] = event.composedPath()
    world.passedElement = target
  }
  addEventListener(name, keep, { capture: true, once: true })
}

/**
 * Creates a selector engine that announces an element, by an event that the scripts of the page cannot know. An element
 * that is not in the document is not announced. For an isolated world.
 */
export const createAnnouncer: PageFunctions['createAnnouncer'] = () => ({
  queryAll(element: EventTarget, name) {
    // A form may have a field of the name `dispatchEvent`.
    EventTarget.prototype.dispatchEvent.call(element, new Event(name, { composed: true }))
    return []
  },
})

/** Returns the element that was passed, once; undefined if it is gone from the document. */
export function takeElement(): Element | undefined {
  const element = world.passedElement as Element | undefined
  world.passedElement = undefined
  return element && builtInsOf(element).isConnected ? element : undefined
}
