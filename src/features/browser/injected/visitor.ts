import { findBody, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'

/** Events that a visitor causes without any purpose. */
const MOVING =
  'mouseover mouseenter mousemove pointerover pointerenter pointermove wheel mousewheel scroll touchstart touchmove touchend keydown keyup focus focusin'
/** Events of a click, which may have a meaning anywhere on a page. */
const CLICKING = 'pointerdown mousedown pointerup mouseup click'
export const VISITOR_EVENTS: readonly string[] = `${MOVING} ${CLICKING}`.split(' ')

/** Length of the text, and number of elements, of a page that has nothing yet, for which a click is worth its risk. */
const LITTLE_TEXT = 600
const FEW_ELEMENTS = 1_000

/**
 * Tells a page that a visitor is there, as if somebody had moved the mouse, turned the wheel, touched the screen and pressed
 * the shift key in the middle of an empty place. A page with next to no text is clicked there as well. Returns true if
 * the page has changed at once.
 *
 * The events are sent to the body by script: the position of the mouse, the focus and the scrolled place stay as they are, nothing
 * that is under the mouse opens, no window may open, and no event leaves the page upwards, which some take for a visitor who
 * goes away. For an isolated world.
 */
export const showVisitor: PageFunctions['showVisitor'] = async (mayClick) => {
  const body = findBody()
  if (!body) return false
  let hasChanged = false
  const observer = new MutationObserver(() => (hasChanged = true))
  observer.observe(document, { childList: true, subtree: true, characterData: true })
  for (const name of MOVING.split(' ')) send(body, name)
  await nextTurn()
  const isEmpty = (): boolean =>
    pageDocument.querySelectorAll('*').length < FEW_ELEMENTS && body.innerText.length < LITTLE_TEXT
  if (mayClick && !hasChanged && isEmpty()) {
    for (const name of CLICKING.split(' ')) send(body, name)
    await nextTurn()
  }
  observer.disconnect()
  return hasChanged
}

const nextTurn = async (): Promise<unknown> => await new Promise((resolve) => setTimeout(resolve))

function send(body: HTMLElement, name: string): void {
  const [clientX, clientY] = [Math.round(innerWidth / 2), Math.round(innerHeight / 2)]
  const place = { clientX, clientY, screenX: clientX, screenY: clientY }
  const common = {
    bubbles: !/enter$|^focus$/.test(name),
    cancelable: !/^scroll$|^focus/.test(name),
    composed: true,
    view: window,
  }
  if (name.startsWith('key'))
    body.dispatchEvent(new KeyboardEvent(name, { ...common, key: 'Shift', code: 'ShiftLeft', keyCode: 16 }))
  else if (name.startsWith('touch')) {
    if (typeof Touch !== 'function' || typeof TouchEvent !== 'function') return
    const touches = [new Touch({ identifier: 1, target: body, ...place })]
    const held = name === 'touchend' ? [] : touches
    body.dispatchEvent(new TouchEvent(name, { ...common, touches: held, targetTouches: held, changedTouches: touches }))
  } else if (name.startsWith('pointer'))
    body.dispatchEvent(
      new PointerEvent(name, { ...common, ...place, pointerType: 'mouse', pointerId: 1, isPrimary: true }),
    )
  // Upwards: a page that shows another part of itself for each turn of the wheel stays at its first.
  else if (name.endsWith('wheel')) body.dispatchEvent(new WheelEvent(name, { ...common, ...place, deltaY: -1 }))
  else if (name === 'scroll') pageDocument.dispatchEvent(new Event(name, common))
  else if (name === 'focus') for (const target of [window, body]) target.dispatchEvent(new FocusEvent(name, common))
  else if (name === 'focusin') body.dispatchEvent(new FocusEvent(name, common))
  else body.dispatchEvent(new MouseEvent(name, { ...common, ...place, movementX: 1, movementY: 1 }))
}
