import type { ParsedPage } from '../../parse/parser.js'
import { HiddenTexts } from '../fidelity/hidden-text.js'
import { HAS_STYLE, HAS_UNSEEN_SIGN, PageNodes, STYLE_SHEET, TEXT } from '../../html/page-nodes.js'
import { type ChildNode, type Element, isElement, isText, parentElement, textOf, walk } from '../../html/tree.js'
import { isApartFromContent } from '../visibility/find-disclosed.js'
import { findMarked } from './find-marked.js'
import { findUnseen } from './find-unseen.js'
import { type FoundUnseen, NOTHING_UNSEEN } from './unseen-finder.js'
import { TAG_SIGN, withoutUnseenSigns } from './unseen-signs.js'

/** A page whose style sheets and characters were searched for text that nobody sees. */
export interface SearchedPage {
  /** Nodes of the page, listed again if a text was changed. */
  readonly nodes: PageNodes
  /** Elements that the page's style sheets hide. */
  readonly elements: FoundUnseen['elements']
  /** Texts that were taken out. */
  readonly hidden: HiddenTexts
}

/** Flags of nodes of a page that may have text which nobody sees. */
export const MAY_BE_UNSEEN = HAS_STYLE | STYLE_SHEET | HAS_UNSEEN_SIGN

/** Elements whose text is no text of the page. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])

/**
 * Finds the text of a page that nobody sees. Elements are only named; characters that are not shown, and texts among others that
 * are seen, are taken out of the tree. The page as it was received stays.
 *
 * @param keepsNothing set for a page whose style sheets are not remembered
 */
export function takeOutUnseen(page: ParsedPage, nodes: PageNodes, keepsNothing = false): SearchedPage {
  const hidden = new HiddenTexts()
  const hasSigns = (nodes.flags & HAS_UNSEEN_SIGN) !== 0 || (page.isFile === undefined && page.text.includes(TAG_SIGN))
  let isChanged = hasSigns && removeSigns(page, hidden)
  const { elements, texts, isCut = false } = findTexts(page, nodes, keepsNothing)
  hidden.isCut = isCut
  for (const { text, why } of texts) {
    const around = parentElement(text)
    if (around !== undefined) hidden.addElement(around, why, { text: text.data })
    text.data = ''
    isChanged = true
  }
  const isMost = elements.size === 0 ? undefined : createMostTest(nodes)
  const left = isMost
    ? new Map([...elements].filter(([element]) => !isMost(element) && !isColumnName(element)))
    : elements
  return { nodes: isChanged ? new PageNodes(page.tree.root) : nodes, elements: left, hidden }
}

/** Finds texts by what a browser has marked, or else by the page's style sheets; in frames, of which nothing is marked, by these. */
function findTexts(
  { isFile, unseen, text: source, sheets }: ParsedPage,
  nodes: PageNodes,
  keepsNothing: boolean,
): FoundUnseen {
  if (isFile === true) return NOTHING_UNSEEN
  const marked = unseen && findMarked(nodes, unseen)
  const hasFrames = marked === undefined || nodes.nodes.some((node) => isElement(node) && isFrame(node))
  const tiny = marked?.tiny ?? []
  if (marked !== undefined && unseen?.isWhole === true && !hasFrames && tiny.length === 0) return marked
  const found =
    (nodes.flags & (HAS_STYLE | STYLE_SHEET)) === 0
      ? NOTHING_UNSEEN
      : findUnseen(nodes, { isQuirky: !hasDocumentType(source), keepsNothing }, sheets)
  if (marked === undefined) return found
  const isTiny = (node: ChildNode): boolean => {
    const from = nodes.indexOf(node)
    return tiny.some((at) => at >= from && at < nodes.endOf(node))
  }
  const isUnmarked = (node: ChildNode): boolean => unseen?.isWhole !== true || isInFrame(node) || isTiny(node)
  return {
    elements: new Map([...[...found.elements].filter(([element]) => isUnmarked(element)), ...marked.elements]),
    texts: [...found.texts.filter(({ text }) => isUnmarked(text)), ...marked.texts],
    isCut: found.isCut,
  }
}

/** Maximum characters of a page before its document type: comments, and declarations of XML. */
const MAX_BEFORE = 2000

/** True for a page that browsers read by the standards, rather than as old pages. */
const hasDocumentType = (text: string): boolean => /<!doctype/i.test(text.slice(0, MAX_BEFORE))

const isFrame = ({ attribs }: Element): boolean => attribs['data-original-tag'] === 'iframe'

function isInFrame(node: ChildNode): boolean {
  for (let at = parentElement(node); at !== undefined; at = parentElement(at)) if (isFrame(at)) return true
  return false
}

/** Minimum share of a page's text in an element that is not hidden: a script shows it, or the rules that were read are not all. */
const MIN_MOST = 0.5

/** Maximum length of the name of a column. Characters. */
const MAX_NAME = 40

/** True for the name of a column in the head that a script has put beside another table, in which it is shown. */
function isColumnName(element: Element): boolean {
  const cell = element.name === 'th' ? element : parentElement(element)
  return cell?.name === 'th' && textOf(element).trim().length <= MAX_NAME
}

/** Returns a test for the elements with most of the text. */
function createMostTest(list: PageNodes): (element: Element) => boolean {
  const { kinds, trimmedLengths } = list
  const before = new Float64Array(kinds.length + 1)
  for (let at = 0; at < kinds.length; at += 1)
    before[at + 1] = (before[at] ?? 0) + (((kinds[at] ?? 0) & TEXT) === 0 ? 0 : (trimmedLengths[at] ?? 0))
  const all = before[kinds.length] ?? 0
  return (element) => (before[list.endOf(element)] ?? 0) - (before[list.indexOf(element)] ?? 0) > MIN_MOST * all
}

/**
 * Notes the outermost elements that style sheets hide and that stay hidden. The warning is about those of the content: menus and
 * notices that a script opens are hidden on most pages.
 *
 * @param isContent tests for an element in the content
 * @returns these elements
 */
export function noteUnseen(
  { elements, hidden }: SearchedPage,
  invisible: ReadonlySet<Element>,
  isContent: (element: Element) => boolean,
): readonly Element[] {
  const left = [...elements.keys()].filter((element) => invisible.has(element) && !isWithin(element, invisible))
  left.sort((one, other) => (one.startIndex ?? 0) - (other.startIndex ?? 0))
  for (const element of left) {
    const { why = '', mayOpen = false } = elements.get(element) ?? {}
    const around = parentElement(element)
    const isWarnedOf = around !== undefined && isContent(around) && !(mayOpen && isApartFromContent(element))
    hidden.addElement(element, why, { isWarnedOf })
  }
  return left
}

/** Returns the links in elements, themselves included. */
export function linksWithin(elements: readonly Element[]): readonly Element[] {
  const found: Element[] = []
  const add = (node: ChildNode): void => {
    if (isElement(node) && node.name === 'a') found.push(node)
  }
  for (const element of elements) {
    add(element)
    walk(element, add)
  }
  return found
}

function isWithin(element: Element, set: ReadonlySet<Element>): boolean {
  for (let at = parentElement(element); at !== undefined; at = parentElement(at)) if (set.has(at)) return true
  return false
}

/** @returns true if a text was changed */
function removeSigns({ tree }: ParsedPage, hidden: HiddenTexts): boolean {
  let isChanged = false
  walk(tree.root, (node) => {
    if (isText(node)) {
      const around = parentElement(node)
      const found = around !== undefined && RAW.has(around.name) ? undefined : withoutUnseenSigns(node.data)
      if (found === undefined) return
      node.data = found.text
      isChanged = true
      if (around === undefined) hidden.add(found.said, found.why, '')
      else hidden.addElement(around, found.why, { text: found.said })
    } else if (isElement(node)) removeFromAttributes(node, hidden)
  })
  return isChanged
}

/** Attributes whose values are shown, or read by language models. */
const SHOWN = ['alt', 'title', 'content', 'aria-label', 'placeholder', 'value', 'label'] as const

function removeFromAttributes(element: Element, hidden: HiddenTexts): void {
  for (const name of SHOWN) {
    const value = element.attribs[name]
    const found = value === undefined ? undefined : withoutUnseenSigns(value)
    if (found === undefined) continue
    element.attribs[name] = found.text
    hidden.addElement(element, found.why, { text: found.said })
  }
}
