import { BLOCK, CONTROL, FRAME, LINK, type PageNodes } from '../../html/page-nodes.js'
import { weighText } from '../../html/text-weight.js'
import { type Element, isElement, isText, textOf } from '../../html/tree.js'
import { isApartFromContent } from './find-disclosed.js'

/** Minimum weight of hidden text that can be the content of a page, whatever the page shows. */
const MIN_CONTENT_TEXT = 400

/** Minimum weight where a page shows hardly more than headings and links. Shorter texts are messages of scripts. */
const MIN_SHORT_TEXT = 40

/** Maximum share of running text that is shown, of the hidden text, for the page to show hardly any. */
const MAX_SHOWN_SHARE = 0.25

/**
 * Finds the hidden elements that are the content of a page, which its scripts show, or a `noscript` for readers without
 * scripts. They have more text than the page shows. Where it shows running text, theirs must be long as well.
 *
 * @param whole the root of the page
 * @param outermost elements that are hidden, or a `noscript`, in document order
 */
export function findShownByScript(list: PageNodes, whole: Element, outermost: readonly Element[]): readonly Element[] {
  const { seen, running, weights } = weighPage(list, whole, outermost)
  const isLong = (weight: number): boolean => weight > Math.max(MIN_CONTENT_TEXT, seen)
  const isContent = (weight: number): boolean =>
    weight > Math.max(MIN_SHORT_TEXT, seen) && running <= weight * MAX_SHOWN_SHARE
  const hidden = outermost.filter(({ name }) => name !== 'noscript')
  const long = hidden.filter((element) => isLong(weights.get(element) ?? 0))
  if (long.length > 0) return long
  const groups = groupHidden(hidden, weights).toSorted((one, other) => other.weight - one.weight)
  const best = groups.find(({ weight }) => isContent(weight))
  if (best !== undefined) return best.elements
  const noscripts = outermost.filter(({ name }) => name === 'noscript')
  const noscript = noscripts.reduce((sum, element) => sum + (weights.get(element) ?? 0), 0)
  if (isLong(noscript)) return noscripts
  const texts = noscripts.filter((element) => (weights.get(element) ?? 0) > 0)
  const said = texts.reduce((sum, element) => sum + weighWithoutNotice(list, element), 0)
  return isContent(said) ? texts : []
}

interface Weights {
  /** Text that the page shows. */
  readonly seen: number
  /** The part of it outside of headings, links, controls, and the frame of the page. */
  readonly running: number
  /** Text of each outermost hidden element. */
  readonly weights: ReadonlyMap<Element, number>
}

const HEADING = /^(?:h[1-6]|hgroup)$/

function weighPage(list: PageNodes, whole: Element, outermost: readonly Element[]): Weights {
  const { nodes, kinds, ends } = list
  const isOutermost = list.mark(outermost)
  const weights = new Map<Element, number>()
  let seen = 0
  let running = 0
  let within: Element | undefined
  let withinEnd = 0
  // Ends of the outermost element that is never shown, and of the one that has no running text.
  let unreadEnd = 0
  let briefEnd = 0
  const end = list.endOf(whole)
  for (let at = list.indexOf(whole) + 1; at < end; at += 1) {
    const node = nodes[at]
    if (node === undefined || at < unreadEnd) continue
    if (isText(node)) {
      const weight = weighText(node.data)
      if (within !== undefined && at < withinEnd) weights.set(within, (weights.get(within) ?? 0) + weight)
      else {
        seen += weight
        if (at >= briefEnd) running += weight
      }
    } else if (isElement(node)) {
      const kind = kinds[at] ?? 0
      if (UNREAD.has(node.name)) unreadEnd = ends[at] ?? end
      else if (at >= withinEnd && isOutermost[at] === 1) {
        within = node
        withinEnd = ends[at] ?? end
      } else if (at >= briefEnd && ((kind & (LINK | CONTROL | FRAME)) !== 0 || HEADING.test(node.name)))
        briefEnd = ends[at] ?? end
    }
  }
  return { seen, running, weights }
}

/** Elements whose text nobody reads. */
const UNREAD: ReadonlySet<string> = new Set('script style template head title datalist svg'.split(' '))

interface Group {
  readonly elements: Element[]
  /** Texts of the elements. One that comes again, such as a label, says nothing more. */
  readonly texts: Set<string>
  weight: number
}

/**
 * Groups hidden elements that a script shows together: those of the same markup beside each other, and all that keep
 * their place on the page. Menus, dialogs and forms are left out.
 */
function groupHidden(hidden: readonly Element[], weights: ReadonlyMap<Element, number>): Group[] {
  const beside = new Map<unknown, Map<string, Group>>()
  for (const element of hidden) {
    const weight = weights.get(element) ?? 0
    if (weight === 0 || isApartFromContent(element)) continue
    const { name, attribs, parent } = element
    const keepsPlace = /visibility\s*:\s*hidden/i.test(attribs['style'] ?? '')
    const place = keepsPlace ? undefined : parent
    const mark = keepsPlace ? '' : `${name} ${attribs['class'] ?? ''}`
    const groups = beside.get(place) ?? new Map<string, Group>()
    beside.set(place, groups)
    const group = groups.get(mark) ?? { elements: [], texts: new Set(), weight: 0 }
    groups.set(mark, group)
    group.elements.push(element)
    const text = textOf(element)
    if (!group.texts.has(text)) group.weight += weight
    group.texts.add(text)
  }
  return [...beside.values()].flatMap((groups) => [...groups.values()])
}

/** Words of a paragraph that asks readers to switch scripts on, or to take another browser. */
const ASKS =
  /java\s?script|\bscripts?\b|skript|browser|navegador|navigateur|скрипт|браузер|脚本|腳本|スクリプト|浏览器|瀏覽器|ブラウザ|스크립트|브라우저|جافا/i

/** Words of the paragraphs beside one of them. */
const ASKS_FURTHER = /enabl|activ|aktiv|turn|switch|settings|reload|refresh|upgrade|support|cookie|disabled|require/i

/** Weighs a `noscript` without its paragraphs that ask for scripts. */
function weighWithoutNotice(list: PageNodes, noscript: Element): number {
  const { nodes, kinds } = list
  const paragraphs = ['']
  const end = list.endOf(noscript)
  for (let at = list.indexOf(noscript) + 1; at < end; at += 1) {
    const node = nodes[at]
    if (node === undefined) continue
    if (isText(node)) paragraphs[paragraphs.length - 1] += node.data
    else if (((kinds[at] ?? 0) & BLOCK) !== 0) paragraphs.push('')
  }
  const isNotice = paragraphs.some((text) => ASKS.test(text))
  const others = isNotice ? paragraphs.filter((text) => !ASKS.test(text) && !ASKS_FURTHER.test(text)) : paragraphs
  return others.reduce((sum, text) => sum + weighText(text), 0)
}
