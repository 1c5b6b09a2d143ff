import { listingBeside } from './code-frame.js'
import { BLOCK_ELEMENTS, type ChildNode, type Element, type ParentNode, isElement, textOf } from '../../html/tree.js'

const NAMED =
  /(?:^|[\s_])(?:sr-?only|visually-?hidden|hidden-?visually|screen-?reader(?:s?-?(?:text|only))?|a-offscreen|u-hidden-visually|element-invisible|(?:text-)?assistive(?:-?text)?|show-for-sr|accessib(?:ly|ility)-hidden|a11y-(?:hidden|text|only))(?![a-z])/i
const STYLED =
  /clip\s*:\s*rect\(\s*[01](?:px)?\b|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:left|top|text-indent)\s*:\s*-\d{3,}/i

/** Maximum length of a label for screen readers. A longer one is a text, such as a chart in words. */
const MAX_LABEL_LENGTH = 300

/**
 * True for a text for screen readers that repeats what is visible: an addition to a link's own words, or a description
 * of a visible sibling. The label of a value is kept, and so is the only text of an icon.
 */
export function isForScreenReaders(element: Element): boolean {
  const { name, attribs, prev, next } = element
  const { class: names, style } = attribs
  if ((names === undefined || !NAMED.test(names)) && (style === undefined || !STYLED.test(style))) return false
  if (/^(?:h[1-6]|table|caption|legend|img|main|article|section|body)$/.test(name)) return false
  const text = textOf(element).trim()
  if (text === '' || text.length > MAX_LABEL_LENGTH) return false
  if (withoutWindow(text) === '' || shows(prev, text) || shows(next, text) || isTitleOfCode(element)) return true
  const link = closestLink(element.parent)
  return link !== undefined && textOf(link).trim().length > text.length
}

/** True for the title of a code listing, such as "Terminal window", which has no visible one. */
const isTitleOfCode = ({ parent }: Element): boolean =>
  parent !== null && isElement(parent) && parent.name === 'figcaption' && listingBeside(parent) !== undefined

/** True if a sibling that is hidden from screen readers contains the same words as the text. */
function shows(beside: ChildNode | null, text: string): boolean {
  if (beside === null || !isElement(beside) || beside.attribs['aria-hidden'] !== 'true') return false
  const shown = lettersOf(textOf(beside))
  return shown !== '' && lettersOf(text).includes(shown)
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()

/** Returns the link or button around a node. */
function closestLink(parent: ParentNode | null): Element | undefined {
  for (let at = parent; at !== null && isElement(at) && !BLOCK_ELEMENTS.has(at.name); at = at.parent)
    if (at.name === 'a' || at.name === 'button') return at
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
