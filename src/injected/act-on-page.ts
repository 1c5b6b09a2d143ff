import { builtInsOf, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'
import { takeElement } from './pass-element.js'

/** Clicks the passed element by script, for elements that the mouse cannot reach. For the isolated world. */
export const clickElement: PageFunctions['clickElement'] = () => {
  const element = takeElement() as HTMLElement | SVGElement | undefined
  if (!element) return 'gone'
  const { localName } = builtInsOf(element)
  const select = localName === 'option' ? element.closest('select') : null
  if (builtInsOf(element).matches(':disabled') || select?.disabled === true) return 'disabled'
  builtInsOf(element).scrollIntoView({ block: 'center', behavior: 'instant' })
  if ('click' in element) builtInsOf(element).click()
  else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
  if (select) selectOption(select, element as HTMLOptionElement)
  return 'clicked'
}

/** Selects an option as a user does in the list that the browser opens: a click by script does not select it. */
function selectOption(select: HTMLSelectElement, option: HTMLOptionElement): void {
  if (option.selected) return
  option.selected = true
  for (const type of ['input', 'change'])
    select.dispatchEvent(new Event(type, { bubbles: true, composed: type === 'input' }))
}

/** Tests whether any element has the focus, or the body is editable. */
export const hasFocus: PageFunctions['hasFocus'] = () => {
  const { activeElement } = pageDocument
  return activeElement !== null && (activeElement !== pageDocument.body || pageDocument.body.isContentEditable)
}

/**
 * Adds a style sheet to the document, in no element: a content security policy does not apply to it. For an isolated
 * world.
 */
export const addStyle: PageFunctions['addStyle'] = (content) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(content)
  pageDocument.adoptedStyleSheets.push(sheet)
}

/** Sets the zoom of the document, and returns the previous zoom. */
export const setZoom: PageFunctions['setZoom'] = (zoom) => {
  const { style } = pageDocument.documentElement
  const before = style.zoom
  style.zoom = zoom
  return before
}
