import { listingBeside } from './code-frame.js'
import {
  BLOCK_ELEMENTS,
  type ChildNode,
  type Element,
  type ParentNode,
  type Text,
  collapse,
  hasText,
  isElement,
  isText,
  parentElement,
  textOf,
  walk,
} from '../../html/tree.js'

const NAMED =
  /(?:^|[\s_-])(?<!\bnot-)(?:(?:visible-)?sr(?:-?only)?|visually-?hidden|hidden-?visually|(?:for-)?screen-?reader(?:s?-?(?:text|only|info))?|a-offscreen|u-hidden-visually|element-invisible|(?:text-)?assistive(?:-?text)?|show-for-sr|accessib(?:ly|ility)-hidden|a11y-(?:hidden|text|only))(?![a-z-]*focus)(?![a-z])/i
/** Names that say as much on some sites, and on others that a text is cut or out of view for now. */
const MAYBE_NAMED =
  /(?:^|[\s_]|\b(?:u|is)-)(?:clip(?:ped)?|vh|off-?screen|a11y|accessib(?:le|ility)|visual(?:ly)?-?hid(?:e|den)|hid(?:e|den)-?(?:visual(?:ly)?|text)|(?:text-)?invisible|text-hide|element-hidden)(?=[\s_]|$)/i
const STYLED =
  /clip\s*:\s*rect\(\s*[01](?:px)?\b|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:left|top|text-indent)\s*:\s*-\d{3,}/i

/** Maximum length of a label for screen readers. A longer one is a text, such as a chart in words. */
const MAX_LABEL_LENGTH = 300

/** True for an element that its name or style hides from view and leaves to screen readers. */
export const isHiddenFromView = ({ attribs: { class: names, style } }: Element): boolean =>
  (names !== undefined && NAMED.test(names)) || (style !== undefined && STYLED.test(style))

/**
 * True for a text for screen readers that repeats what is visible: an addition to a link's own words, or the words of a
 * visible neighbour. The label of a value is kept, and so is the only text of an icon.
 */
export function isForScreenReaders(element: Element): boolean {
  const { name, attribs } = element
  const isNamed = isHiddenFromView(element)
  if (!isNamed && !MAYBE_NAMED.test(attribs['class'] ?? '')) return false
  if (/^(?:h[1-6]|table|caption|legend|img|main|article|section|body)$/.test(name)) return false
  const text = textOf(element).trim()
  if (text === '' || text.length > MAX_LABEL_LENGTH) return false
  if (isShownBeside(element, text)) return true
  if (!isNamed) return false
  if (withoutWindow(text) === '' || isTitleOfCode(element)) return true
  const link = closestLink(element.parent)
  return link !== undefined && textOf(link).trim().length > text.length
}

/** True for the title of a code listing, such as "Terminal window", which has no visible one. */
const isTitleOfCode = ({ parent }: Element): boolean =>
  parent !== null && isElement(parent) && parent.name === 'figcaption' && listingBeside(parent) !== undefined

type Side = 'prev' | 'next'

const SIDES: readonly Side[] = ['prev', 'next']

/** Maximum siblings without text between a text for screen readers and its visible neighbour, and elements around it. */
const MAX_EMPTY = 3
const MAX_WRAPPERS = 2

/** True if the visible text right before or after an element has the same words. */
function isShownBeside(element: Element, text: string): boolean {
  return SIDES.some((side) => {
    const beside = neighbour(element, side)
    if (beside === undefined) return false
    const shown = wordsOf(isText(beside) ? endOf(beside.data, side) : shortText(beside))
    const said = wordsOf(text)
    if (shown === '' || said === '') return false
    if (isElement(beside) && beside.attribs['aria-hidden'] === 'true') return isSpokenFor(said, shown)
    return shown === said || begins(said, shown) || (side === 'next' ? begins(shown, said) : ends(shown, said))
  })
}

/** Returns the visible text or element with text beside an element, or beside the inline elements with no other text around it. */
function neighbour(element: Element, side: Side): Element | Text | undefined {
  let at: Element = element
  for (let up = 0; up <= MAX_WRAPPERS; up += 1) {
    let beside: ChildNode | null = at[side]
    for (let left = MAX_EMPTY; left > 0 && beside !== null; left -= 1) {
      if (isText(beside) && beside.data.trim() !== '') return beside
      if (isElement(beside) && hasText(beside)) return isHiddenFromView(beside) ? undefined : beside
      beside = beside[side]
    }
    const around = parentElement(at)
    // The only text of a link is its name.
    if (beside !== null || around === undefined || isLink(around) || BLOCK_ELEMENTS.has(around.name)) return undefined
    at = around
  }
  return undefined
}

/** Returns the words of an element that is no longer than a label; `''` for another one. */
function shortText(element: Element): string {
  let text = ''
  walk(element, (node) => {
    if (isText(node)) text += node.data.length > MAX_LABEL_LENGTH ? collapse(node.data) : node.data
    return text.length > 2 * MAX_LABEL_LENGTH ? 'stop' : true
  })
  return text.length > 2 * MAX_LABEL_LENGTH ? '' : text
}

const endOf = (text: string, side: Side): string =>
  side === 'prev' ? text.slice(-MAX_LABEL_LENGTH) : text.slice(0, MAX_LABEL_LENGTH)

const wordsOf = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

const MIN_SHORTENED = 3

/** True if a text begins with another, of which the last word may be cut: `12 mar` and `12 march`. */
function begins(text: string, start: string): boolean {
  if (!text.startsWith(start)) return false
  const next = text.slice(start.length, start.length + 1)
  return next === '' || next === ' ' || (start.length >= MIN_SHORTENED && /\p{L}$/u.test(start) && /\p{L}/u.test(next))
}

const ends = (text: string, end: string): boolean => text === end || text.endsWith(` ${end}`)

/**
 * True if what is said stands for what is shown and hidden from screen readers: they have the same letters, digits, or a word
 * in common, as `19 dollars 95` and `$19.95`, or `one half cup` and `1/2 cup`. The label of a value has none.
 */
function isSpokenFor(said: string, shown: string): boolean {
  if (said.replaceAll(' ', '').includes(shown.replaceAll(' ', ''))) return true
  const digits = shown.replace(/\D+/g, '')
  if (digits !== '' && digits === said.replace(/\D+/g, '')) return true
  const words = new Set(said.split(' '))
  return shown.split(' ').some((word) => word.length >= MIN_SHORTENED && words.has(word))
}

const isLink = ({ name }: Element): boolean => name === 'a' || name === 'button'

/** Returns the link or button around a node. */
function closestLink(parent: ParentNode | null): Element | undefined {
  for (let at = parent; at !== null && isElement(at) && !BLOCK_ELEMENTS.has(at.name); at = at.parent)
    if (isLink(at)) return at
  return undefined
}

/** Remarks of links about the window that they open. */
const WINDOW =
  /(?:(?:link )?opens? (?:(?:an )?external link )?in (?:a )?new (?:browser )?(?:window|tab)|(?:öffnet|öffnen)(?: \p{L}+){0,2} in (?:einem )?neue[mn] (?:fenster|tab)|s['’]ouvre dans (?:une? )?(?:nouvelle fenêtre|nouvel onglet)|se abre en (?:una )?(?:ventana nueva|nueva ventana|nueva pestaña)|si apre in una nuova (?:finestra|scheda))\s*\)?\.?\s*$/iu

/** A quick test, which nearly all texts fail. */
const WINDOW_END = /(?:window|tab|fenster|fenêtre|onglet|ventana|nueva|pestaña|finestra|scheda)\s*\)?\.?\s*$/iu

/** Removes the remark about a new window from a link's text or title. */
export function withoutWindow(text: string): string {
  if (text.length > 500 || !WINDOW_END.test(text.slice(-40))) return text
  const at = text.search(WINDOW)
  return at === -1 ? text : text.slice(0, at).replace(/[\s(,–—-]+$/, '')
}

const SKIP =
  /^(?:skip|jump) (?:to|over|past|ahead)\b|^skip (?:the )?(?:main |primary )?(?:navigation|menu|links?)\b|^(?:zum (?:haupt)?inhalt|zur (?:haupt)?navigation|direkt zu[mr]) |^(?:aller|passer) (?:au|à)\b|^(?:ir|saltar) (?:al|a la|directamente)\b|^(?:vai|salta) al\b|^(?:pular|ir) para o\b|^(?:ga naar|naar de) (?:inhoud|hoofdinhoud)|^przejdź do\b/i

/** True for the text of a link that skips a part of the page. */
export const isSkipLink = (text: string): boolean => text.length < 80 && SKIP.test(`${text.trim()} `)
