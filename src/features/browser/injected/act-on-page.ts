import { builtInsOf, findBody, findRoot, pageDocument } from './built-ins-of.js'
import { findMatch } from './find-match.js'
import type { PageFunctions } from './page-functions.js'

/** Clicks an element by script, for elements that the mouse cannot reach. */
export const clickElement: PageFunctions['clickElement'] = (element: HTMLElement | SVGElement) => {
  const { isConnected, localName } = builtInsOf(element)
  if (!isConnected) return 'gone'
  const select = localName === 'option' ? element.closest('select') : null
  if (builtInsOf(element).matches(':disabled') || select?.disabled === true) return 'disabled'
  builtInsOf(element).scrollIntoView({ block: 'center', behavior: 'instant' })
  if ('click' in element) builtInsOf(element).click()
  else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }))
  if (select) selectOption(select, element as HTMLOptionElement)
  return 'clicked'
}

/** As {@link clickElement}, for the first element that matches; undefined if it is not found. For an isolated world. */
export const clickFirst: PageFunctions['clickFirst'] = (match) => {
  const element = findMatch(match)
  return element && clickElement(element)
}

/** Sends the form of an element, or the one with the focus, by the button that a user would click. For an isolated world. */
export const sendForm: PageFunctions['sendForm'] = (match) => {
  const element = match ? findMatch(match) : pageDocument.activeElement
  const own = element ? builtInsOf(element).closest('form') : null
  const form = own ?? (match || isField(element) ? null : pageDocument.querySelector('form'))
  if (!form) return 'no form'
  const buttons = [
    ...form.querySelectorAll<HTMLButtonElement | HTMLInputElement>('button, input[type=submit], input[type=image]'),
  ]
  const sender = buttons.find(({ type }) => type === 'submit' || type === 'image')
  if (sender?.disabled) return 'disabled'
  // A further window is closed unread, after it has got what the form sends.
  const { setAttribute } = Element.prototype
  setAttribute.call(form, 'target', '_self')
  if (sender?.hasAttribute('formtarget')) setAttribute.call(sender, 'formtarget', '_self')
  // A button shows forms which of them was used, and a hidden one is clicked as well.
  if (sender) builtInsOf(sender).click()
  else HTMLFormElement.prototype.requestSubmit.call(form)
  return 'sent'
}

/** Tests for a field, which outside of a form a script reads. */
const isField = (element: Element | null | undefined): boolean =>
  element !== null && element !== undefined && element.localName === 'input'

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
  return activeElement !== null && (activeElement !== findBody() || findBody()?.isContentEditable === true)
}

/**
 * Adds a style to the document. Where a content security policy forbids style elements, the style is adopted, which no policy
 * forbids, and which the page undoes if it sets its own list of adopted styles. For an isolated world.
 */
export const addStyle: PageFunctions['addStyle'] = (content) => {
  const parent = (pageDocument.head as HTMLHeadElement | null) ?? findRoot()
  if (!parent) return
  const style = pageDocument.createElement('style')
  style.textContent = content
  builtInsOf(parent).append(style)
  if (style.sheet) return
  style.remove()
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(content)
  // At the front: the page may take away the last one, as its own.
  pageDocument.adoptedStyleSheets.unshift(sheet)
}

/** Sets the zoom of the document, and returns the previous zoom. */
export const setZoom: PageFunctions['setZoom'] = (zoom) => {
  const style = findRoot()?.style
  if (!style) return ''
  const before = style.zoom
  style.zoom = zoom
  return before
}
