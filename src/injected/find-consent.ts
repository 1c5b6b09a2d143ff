import type { PageFunctions } from './page-functions.js'

/** Maximum length of the text of a consent banner; an element with more text is content. Characters. */
const MAX_TEXT = 6000

const answers =
  /\b(?:accept|agree|allow|consent|got it|ok(?:ay)?|reject|decline|deny|refuse|only necessary|manage|akzeptieren|zustimmen|ablehnen|einverstanden|accepter|refuser|aceptar|rechazar|accetta|rifiuta|aceitar|recusar|accepteren|weigeren|akceptuj|odrzuć|godkänn|acceptera|accepter alle|принять|принимаю|согласен|отклонить|同意|接受|すべて|동의)/i
const dialogs = 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]'
const buttons = 'button, a, input[type=button], input[type=submit], [role=button]'
const words = ['cookie', 'consent', 'gdpr', 'dsgvo', 'rgpd', 'privacy', 'cmp']

/**
 * Finds the elements that ask for consent, and with `remove` removes them: known banners by their selectors, and others
 * by three features: they mention cookies, have a button that accepts or refuses, and are laid over the page. Elements
 * with the page's own content are never included. @returns the number of these elements
 */
export const findConsent: PageFunctions['findConsent'] = ({ selectors, remove }) => {
  const found = new Set<HTMLElement>()
  for (const selector of selectors) {
    for (const element of select(selector)) if (!isContent(element)) found.add(element)
  }
  const isKnownShown = [...found].some(isShown)
  const named = words.map((word) => `[id*="${word}" i], [class*="${word}" i], [aria-label*="${word}" i]`)
  for (const element of select(`${named.join(', ')}, ${dialogs}`)) {
    if (isContent(element) || !isShown(element) || !asks(element)) continue
    for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
      if (isContent(at)) break
      if (isOverlay(at)) found.add(at)
    }
  }
  if (!remove) {
    const shown = [...found].filter(isShown).length
    return isKnownShown || shown > 0 ? Math.max(1, shown) : 0
  }
  for (const element of found) element.remove()
  // Banners disable the scrolling of the page behind them.
  for (const element of [document.documentElement, document.body]) {
    if (getComputedStyle(element).overflowY === 'hidden') element.style.setProperty('overflow', 'auto', 'important')
  }
  return found.size
}

/** Selects elements; none for a selector that the browser does not support. */
function select(selector: string): HTMLElement[] {
  try {
    return [...document.querySelectorAll<HTMLElement>(selector)]
  } catch {
    return []
  }
}

const isShown = (element: Element): boolean => element.getClientRects().length > 0

const isContent = (element: Element): boolean =>
  element === document.body ||
  element === document.documentElement ||
  element.matches('main, article, h1') ||
  element.querySelector('main, article') !== null ||
  holdsTitle(element) ||
  element.textContent.length > MAX_TEXT

/** True for an element with the only `h1` of the page. The question itself may be another one, as that of Klaro. */
function holdsTitle(element: Element): boolean {
  const inside = element.querySelectorAll('h1').length
  return inside > 0 && inside === document.querySelectorAll('h1').length
}

function isOverlay(element: Element): boolean {
  const { position } = getComputedStyle(element)
  return position === 'fixed' || position === 'sticky' || element.matches(dialogs)
}

const asks = (element: Element): boolean =>
  /cookie|consent|gdpr|dsgvo|rgpd/i.test(element.textContent) &&
  [...element.querySelectorAll<HTMLInputElement>(buttons)].some((button) =>
    answers.test(button.textContent || button.value || button.getAttribute('aria-label') || ''),
  )
