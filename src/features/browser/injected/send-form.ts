import { builtInsOf, pageDocument } from './built-ins-of.js'
import { findMatch } from './find-match.js'
import type { PageFunctions } from './page-functions.js'

/** Sends the form of an element, or the one with the focus, by the button that a user would click. For an isolated world. */
export const sendForm: PageFunctions['sendForm'] = (match) => {
  const element = match ? findMatch(match) : pageDocument.activeElement
  const own = element ? builtInsOf(element).closest('form') : null
  const form = own ?? (match || isField(element) ? null : pageDocument.querySelector('form'))
  if (!form) return 'no form'
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('button, input[type=submit], input[type=image]')]
  const sender = buttons.find(({ type }) => type === 'submit' || type === 'image')
  if (sender?.disabled) return 'disabled'
  // A button shows forms which of them was used, and a hidden one is clicked as well.
  if (sender) builtInsOf(sender).click()
  else HTMLFormElement.prototype.requestSubmit.call(form)
  return 'sent'
}

/** Tests for a field, which outside of a form a script reads. */
const isField = (element: Element | null | undefined): boolean =>
  element !== null && element !== undefined && element.localName === 'input'
