import { keyOfText, UNMARKED, type UnseenMarks, type UnseenWay } from '../../../base/text/unseen-marks.js'
import { type PageNodes, TEXT } from '../../html/page-nodes.js'
import { type Element, isElement, isText, type Text } from '../../html/tree.js'
import { LaterSigns } from './later-signs.js'
import { namesSomething } from './names-something.js'
import { collectHidden, type FoundUnseen, sumUp, type Unseen, type UnseenReason } from './unseen-finder.js'

/** Reasons for the ways in which a browser draws text without its being seen. */
const REASONS: Readonly<Record<Exclude<UnseenWay, 'tiny'>, UnseenReason>> = {
  undrawn: { why: 'is never drawn' },
  undisplayed: { why: 'has `display: none` in a style sheet of the page', mayOpen: true },
  invisible: { why: 'has `visibility: hidden` in a style sheet of the page', mayOpen: true },
  transparent: { why: 'is transparent', mayOpen: true },
  masked: { why: 'is behind a mask that shows nothing' },
  flat: { why: 'is cut to no height or width', mayOpen: true },
  cut: { why: 'is cut off by the box around it', mayOpen: true },
  pixel: { why: 'is cut to one pixel', isForScreenReaders: true },
  clipped: { why: 'is clipped to nothing', isForScreenReaders: true },
  shrunk: { why: 'is scaled or turned to nothing', mayOpen: true },
  small: { why: 'is too small to be read', isForScreenReaders: true },
  aside: { why: 'lies beside the page', mayOpen: true },
  away: { why: 'lies outside of the page', isForScreenReaders: true },
  coloured: { why: 'has the colour of its background' },
  covered: { why: 'is covered by an opaque box', mayOpen: true },
}

/** Hidden texts of a page as a browser has drawn it. */
interface FoundMarked extends FoundUnseen {
  /** Indexes of texts in the least size of the browser. */
  readonly tiny: readonly number[]
}

/** Minimum share of a browser's marks that must be found on the page for it to be that which the browser has drawn. */
const MIN_FOUND = 0.8

/**
 * Finds the texts that a browser has drawn without their being seen. What a click or a script may show, and what screen readers have
 * for what is seen, is not among them.
 *
 * @returns undefined if the marks are those of another page
 */
export function findMarked(list: PageNodes, { list: marks }: UnseenMarks): FoundMarked | undefined {
  const places = placesOf(list, new Set(marks.map(({ text }) => text)))
  const reasons = new Map<number, UnseenReason>()
  const later = new Set<number>()
  const tiny: number[] = []
  let count = 0
  for (const { text, nth, way, isLater } of marks) {
    const at = places.get(text)?.[nth]
    if (at === undefined) continue
    count += 1
    if (way === 'tiny') {
      tiny.push(at)
      continue
    }
    reasons.set(at, REASONS[way])
    if (isLater === true) later.add(at)
  }
  if (count < MIN_FOUND * marks.length) return undefined
  const signs = new LaterSigns(list)
  const elements = new Map<Element, Unseen>()
  const texts: { readonly text: Text; readonly why: string }[] = []
  const textBefore = sumUp(list.trimmedLengths)
  // What may open is looked at for itself, so that it keeps no text that is hidden in another way.
  for (const isOpen of [false, true]) {
    const some = new Map([...reasons].filter(([, reason]) => (reason.mayOpen === true) === isOpen))
    const found = collectHidden(list, some, textBefore)
    for (const { at, reason } of found.elements) {
      const element = list.nodes[at]
      if (element === undefined || !isElement(element)) continue
      if (reason.isForScreenReaders === true && namesSomething(element)) continue
      const end = list.ends[at] ?? 0
      const mayShow = (reason.mayOpen ?? reason.isForScreenReaders) === true
      if (mayShow && hasAny(later, at, end)) continue
      if (isOpen && signs.hasAny(element, reason)) continue
      elements.set(element, { why: reason.why, mayOpen: reason.mayOpen === true })
    }
    for (const { text, reason } of found.texts) {
      const { parent: around } = text
      if (around === null || !isElement(around) || later.has(list.indexOf(text))) continue
      if (reason.isForScreenReaders === true && namesSomething(around)) continue
      if (!(isOpen && signs.hasAny(around, reason))) texts.push({ text, why: reason.why })
    }
  }
  return { elements, texts, tiny }
}

function hasAny(set: ReadonlySet<number>, from: number, end: number): boolean {
  for (const at of set) if (at >= from && at < end) return true
  return false
}

/** Returns the indexes of texts by what they are found by. */
function placesOf(
  { nodes, kinds, lengths, ends }: PageNodes,
  keys: ReadonlySet<string>,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  let unread = -1
  let isInBody = false
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]
    if (node === undefined || at < unread) continue
    if (isElement(node)) {
      isInBody ||= node.name === 'body'
      if (UNMARKED.test(node.name)) unread = ends[at] ?? 0
      continue
    }
    if (!isInBody || ((kinds[at] ?? 0) & TEXT) === 0 || (lengths[at] ?? 0) === 0 || !isText(node)) continue
    const key = keyOfText(node.data)
    if (!keys.has(key)) continue
    const known = places.get(key)
    if (known === undefined) places.set(key, [at])
    else known.push(at)
  }
  return places
}
