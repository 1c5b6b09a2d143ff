import { builtInsOf, findBody, findRoot, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'
import { drawnChildren } from './shadow-tree.js'

/** Written out: a page's script may have a global variable `Node`. */
const ELEMENT_NODE = 1
const TEXT_NODE = 3

/** Maximum length of the text of a consent banner; an element with more text is content. Characters. */
const MAX_TEXT = 6000
/** Maximum length of the label of a button that answers; a longer one is a sentence with the word. Characters. */
const MAX_LABEL = 80
/** Text that a frame around a banner may add to it: a title, a button that closes it. Characters, and a share. */
const MAX_ADDED = 80
const MAX_ADDED_SHARE = 0.25
/** Maximum number of nodes whose text is measured. */
const MAX_NODES = 20_000

/** Words of buttons that answer, as whole words. */
const answers = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    'accept(?:ing|e[rz]?|o|ar|ă|eer|eren|era)?|agree|allow|consent(?:i|ir|o|ement)?|got it|reject|decline|deny|refuse|(?:only|strictly) necessary|necessary only',
    // "Okay, show more" and "Manage order" answer nothing about consent.
    String.raw`ok(?:ay)?(?=\P{L}*$|\P{L}+(?:i\P{L}|got|understood|thank|close|continue|verstanden|compris|entendido|capito|begrepen|cookie))`,
    String.raw`manage(?=\P{L}*$|.* (?:cookies?|consents?|preferences|settings|choices|options|privacy|partners|vendors|purposes)(?!\p{L}))`,
    'akzeptiere[nt]?|zustimmen|stimme zu|ablehnen|annehmen|erlauben|zulassen|einverstanden|einwilligen|nur (?:notwendige|erforderliche|essenzielle|technisch notwendige)|auswahl (?:speichern|bestätigen|erlauben)',
    'refuser|autoriser|aceptar|acepto|rechazar|rechazo|permitir|accett[ao]|accettare|rifiuta|rifiuto|rifiutare|acconsento|aceitar|aceito|recusar|rejeitar',
    'weigeren|toestaan|akkoord|akceptuj[ęe]?|zgadzam|odrzuć|odrzucam|souhlasím|přijmout|odmítnout|elfogadom|elfogadás|hyväksy|hylkää|godkänn|tillåt|avvisa|neka|godta|avvis|tillad|afvis|kabul et|onayla|reddet',
    'принять|принимаю|согласен|отклонить|прийняти|погоджуюся|відхилити|αποδοχή|αποδέχομαι|συμφωνώ|απόρριψη',
  ].join('|')})(?!\p{L})|同意|接受|拒绝|拒絕|すべて(?:受|許可|拒否)|동의|수락`,
  'iu',
)
const dialogs = 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]'
const buttons = 'button, a, input[type=button], input[type=submit], [role=button]'
/** Subjects of a question for consent, in a text. Most languages have the English word for cookies. */
const subjects =
  /cookie|consent|gdpr|dsgvo|rgpd|einwilligung|datenschutz-?einstellungen|privatsphäre-?einstellungen|témoins de connexion|ciasteczk|sütik|kolačić|piškotk|eväste|informasjonskapsl|çerez|куки|クッキー|쿠키/i
/** Parts that an overlay has which is no question: a menu, a search, a form of contact. */
const otherParts = 'nav, [role=navigation], [role=search], input[type=search], input[type=email], input[type=password]'
/** Maximum number of buttons that are read, and of elements around one, to find the overlay that it is in. */
const MAX_BUTTONS = 3000
const MAX_AROUND = 15
const words = ['cookie', 'consent', 'gdpr', 'dsgvo', 'rgpd', 'privacy', 'cmp']

/**
 * Finds the elements that ask for consent, and with `remove` removes them: known banners by their selectors, and others
 * by three features: they mention cookies, have a button that accepts or refuses, and are laid over the page. Their names
 * are not needed: without one, they are found by their button. Elements
 * with the page's own content, or with most of its text, are never included. @returns the number of these elements
 */
export const findConsent: PageFunctions['findConsent'] = ({ selectors, remove }) => {
  const found = new Set<HTMLElement>()
  for (const selector of selectors) {
    // Some of the selectors are those of any dialog. A known banner may have more text than a short page.
    for (const element of select(selector)) {
      if (!isContent(element) && (asks(element) || !holdsMostText(element))) found.add(element)
    }
  }
  const isKnownShown = [...found].some(isShown)
  const named = words.map((word) => `[id*="${word}" i], [class*="${word}" i], [aria-label*="${word}" i]`)
  for (const element of select(`${named.join(', ')}, ${dialogs}`)) {
    if (isContent(element) || !isShown(element) || !asks(element)) continue
    for (const overlay of overlaysAround(element)) found.add(overlay)
  }
  for (const button of select(buttons).slice(0, MAX_BUTTONS)) {
    const overlay = isAnswer(button) ? overlayOf(button) : undefined
    if (overlay && !found.has(overlay)) for (const one of overlaysAround(overlay)) found.add(one)
  }
  if (!remove) {
    const shown = [...found].filter(isShown).length
    return isKnownShown || shown > 0 ? Math.max(1, shown) : 0
  }
  for (const element of found) builtInsOf(element).remove()
  // Banners disable the scrolling of the page behind them.
  for (const element of [findRoot(), findBody()]) {
    if (!element || getComputedStyle(element).overflowY !== 'hidden') continue
    element.style.setProperty('overflow', 'auto', 'important')
  }
  return found.size
}

/** Returns the overlay with a button, if it is a question for consent and nothing else. */
function overlayOf(button: HTMLElement): HTMLElement | undefined {
  let at = builtInsOf(button).parentElement
  for (let left = MAX_AROUND; at && left > 0; left--, at = builtInsOf(at).parentElement) {
    if (!isOverlay(at)) continue
    const isOther = builtInsOf(at).matches(`header, ${otherParts}`) || builtInsOf(at).querySelector(otherParts) !== null
    return !isOther && !isContent(at) && isShown(at) && asks(at) ? at : undefined
  }
  return undefined
}

/** Lists the overlays that show a question and next to nothing else: the element itself, and those around it. */
function overlaysAround(element: HTMLElement): HTMLElement[] {
  const overlays: HTMLElement[] = []
  const length = measureShown(element)
  const maxLength = length + Math.max(MAX_ADDED, length * MAX_ADDED_SHARE)
  for (let at: HTMLElement | null = element; at && !isContent(at); at = builtInsOf(at).parentElement) {
    if (measureShown(at, { max: maxLength }) > maxLength) break
    if (isOverlay(at) && !holdsMostText(at)) overlays.push(at)
  }
  return overlays
}

/** Tests whether an element shows more text than the rest of the page. */
function holdsMostText(element: Element): boolean {
  const length = measureShown(element)
  const body = findBody()
  return length > 0 && (!body || measureShown(body, { except: element, max: length }) < length)
}

/**
 * Measures the text that an element shows, with that of open shadow roots, as far as `max`. Characters.
 *
 * @param limits `except`: an element inside of it that does not count
 */
function measureShown(element: Element, { except, max = MAX_TEXT }: { except?: Element; max?: number } = {}): number {
  let length = 0
  let left = MAX_NODES
  const stack: Node[] = [element]
  for (let node = stack.pop(); node && left > 0 && length <= max; node = stack.pop(), left--) {
    if (node === except) continue
    const { nodeType } = builtInsOf(node)
    if (nodeType === TEXT_NODE) length += (node.nodeValue ?? '').replace(/\s+/g, '').length
    else if (nodeType === ELEMENT_NODE && isDrawn(node as Element)) stack.push(...drawnChildren(node).reverse())
  }
  return length
}

/** Selects elements; none for a selector that the browser does not support. */
function select(selector: string): HTMLElement[] {
  try {
    return [...pageDocument.querySelectorAll<HTMLElement>(selector)]
  } catch {
    return []
  }
}

const isShown = (element: Element): boolean => builtInsOf(element).getClientRects().length > 0
/** Tests whether an element, which may have no box of its own, shows its text. */
const isDrawn = (element: Element): boolean =>
  !/^(?:style|script|template|noscript)$/.test(builtInsOf(element).localName) &&
  getComputedStyle(element).display !== 'none'

const isContent = (element: Element): boolean =>
  element === pageDocument.body ||
  element === pageDocument.documentElement ||
  builtInsOf(element).matches('main, article, h1') ||
  builtInsOf(element).querySelector('main, article') !== null ||
  holdsTitle(element) ||
  builtInsOf(element).textContent.length > MAX_TEXT

/** True for an element with the only `h1` of the page. The question itself may be another one, as that of Klaro. */
function holdsTitle(element: Element): boolean {
  const inside = builtInsOf(element).querySelectorAll('h1').length
  return inside > 0 && inside === pageDocument.querySelectorAll('h1').length
}

function isOverlay(element: Element): boolean {
  const { position } = getComputedStyle(element)
  return position === 'fixed' || position === 'sticky' || builtInsOf(element).matches(dialogs)
}

const asks = (element: Element): boolean =>
  subjects.test(builtInsOf(element).textContent) &&
  [...builtInsOf(element).querySelectorAll<HTMLElement>(buttons)].some(isAnswer)

/** Tests whether a button accepts or refuses. */
function isAnswer(button: Element): boolean {
  const { textContent, value } = builtInsOf(button as HTMLInputElement)
  const label = (textContent.trim() || value || button.getAttribute('aria-label') || '').trim().replace(/\s+/g, ' ')
  return label.length <= MAX_LABEL && answers.test(label)
}
