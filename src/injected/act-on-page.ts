import type { PageFunctions } from './page-functions.js'

/** Clicks an element by script, for elements that the mouse cannot reach. */
export const clickElement: PageFunctions['clickElement'] = (element: HTMLElement | SVGElement) => {
  if (!element.isConnected) return 'gone'
  if (element.matches(':disabled')) return 'disabled'
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  if ('click' in element) element.click()
  else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
  return 'clicked'
}

/** Tests whether any element has the focus, or the body is editable. */
export const hasFocus: PageFunctions['hasFocus'] = () => {
  const { activeElement } = document
  return activeElement !== null && (activeElement !== document.body || document.body.isContentEditable)
}

/** Sets the zoom of the document, and returns the previous zoom. */
export const setZoom: PageFunctions['setZoom'] = (zoom) => {
  const { style } = document.documentElement
  const before = style.zoom
  style.zoom = zoom
  return before
}
