import {
  BLOCK_ELEMENTS,
  type ChildNode,
  type Element,
  collapse,
  findElement,
  isElement,
  isText,
  parentElement,
  singleSpaces,
  textOf,
  walk,
} from '../../html/tree.js'
import type { ElementReader, ReadingContext } from '../ast/element-reader.js'
import type { ViewBuilder } from '../ast/view-builder.js'
import { codeLanguage } from '../text/code-language.js'
import { languageLabel } from '../text/code-frame.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { brokenLines, codeText } from '../text/code-text.js'
import { keepsLineBreaks } from '../text/white-space.js'

/** Reads inline code. A link inside of code becomes code inside of a link, because Markdown allows only that order. */
export const readCode: ElementReader = (element, context) => readPart(element, element, context)

function readPart(element: Element, source: Element, context: ReadingContext): void {
  const { view } = context
  const inside = scanElements(element)
  if (inside.hasOthers) {
    const json = drawnJson(element)
    return json === undefined ? context.readChildren(element) : addCodeBlock(json, 'json', context)
  }
  if (isAloneInBlock(element)) {
    if (keepsSpace(element)) return readCodeBlock(element, context)
    // A code block cannot contain links.
    const lines = inside.hasLink || !inside.hasBreak ? [] : brokenLines(element)
    if (lines.length > 1) return addCodeBlock(lines.join('\n'), codeLanguage(element, context.language), context)
  }
  if (!inside.hasAnchor && !inside.hasBreak) return addCode(textOf(element), source, view)
  for (const child of element.children) {
    if (isText(child)) addCode(child.data, source, view)
    else if (isElement(child) && child.name === 'br') view.lineBreak()
    else if (isElement(child) && child.name === 'a') addLinkedCode(child, source, view)
    else if (isElement(child)) readPart(child, source, context)
  }
}

/** Elements inside of code. */
interface CodeElements {
  /** True for an element that is no part of code, such as a list. */
  hasOthers: boolean
  hasBreak: boolean
  /** True for an `a`, with or without a URL. */
  hasAnchor: boolean
  /** True for an `a` with a URL. */
  hasLink: boolean
}

/** Finds all that decides how code is read, in one walk. */
function scanElements(element: Element): Readonly<CodeElements> {
  const { children } = element
  // Most code is one text.
  const only = children.length === 1 ? children[0] : undefined
  if (only !== undefined && isText(only)) return NO_ELEMENTS
  const found = { ...NO_ELEMENTS }
  walk(element, noteElement, undefined, found)
  return found
}

const NO_ELEMENTS: Readonly<CodeElements> = { hasOthers: false, hasBreak: false, hasAnchor: false, hasLink: false }

function noteElement(node: ChildNode, found: CodeElements): boolean | 'stop' {
  if (!isElement(node)) return true
  if (node.name === 'a') {
    found.hasAnchor = true
    found.hasLink ||= node.attribs['href'] !== undefined
  } else if (node.name === 'br') found.hasBreak = true
  else if (NOT_IN_CODE.has(node.name)) {
    found.hasOthers = true
    return 'stop'
  }
  return true
}

/** Returns the text of JSON that is drawn as nested lists, whose branches readers of the page close and open. */
function drawnJson(element: Element): string | undefined {
  if (isInCode(element) || findElement(element, isList) === undefined) return undefined
  const text = codeText(element).trim()
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.stringify(parseJson(text), undefined, 2)
  } catch {
    return undefined
  }
}

/** True inside other code, of which the text has been read: nested code would be read once for each level. */
function isInCode({ parent }: Element): boolean {
  for (let at = parent; at !== null && isElement(at); at = at.parent) if (at.name === 'code') return true
  return false
}

const isList = ({ name }: Element): boolean => name === 'ul' || name === 'ol'

const addCode = (text: string, source: Element, view: ViewBuilder): void =>
  addTidyCode(singleSpaces(text), source, view)

/** Adds code with single spaces. */
function addTidyCode(code: string, source: Element, view: ViewBuilder): void {
  if (code.startsWith(' ')) view.text(' ')
  const inside = code.trim()
  if (inside !== '') view.inline('code', inside, { source, isTag: needsTag(code, view) })
  if (code.endsWith(' ')) view.text(' ')
}

// Cells are split, and link reference definitions are found, before code is parsed: `\|` ends a cell, and `[a `]:` is
// a label.
const needsTag = (code: string, view: ViewBuilder): boolean =>
  (view.inCell && code.includes('\\|')) || (view.inLink && code.includes(']:'))

function addLinkedCode(link: Element, source: Element, view: ViewBuilder): void {
  const code = collapse(textOf(link))
  const href = link.attribs['href']
  if (href === undefined || code === '' || view.inLink) return addTidyCode(code, source, view)
  const mark = view.openMark('link', { href })
  addTidyCode(code, source, view)
  view.closeMark(mark)
}

/** True for an element that is alone in its block. */
function isAloneInBlock(element: Element): boolean {
  const { parent } = element
  if (parent === null || (isElement(parent) && !BLOCK_ELEMENTS.has(parent.name))) return false
  for (const child of parent.children)
    if (child !== element && !(isText(child) && child.data.trim() === '')) return false
  return true
}

/** True for code outside of a `pre` whose style preserves white space. */
const keepsSpace = (element: Element): boolean => {
  const around = parentElement(element)?.attribs['style']
  return keepsLineBreaks(element.attribs['style']) === true || keepsLineBreaks(around) === true
}

const NOT_IN_CODE = new Set([
  'img',
  'pre',
  'p',
  'div',
  'ul',
  'ol',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
])

/** Reads a block of code with all white space, without the line numbers and buttons that pages put beside it. */
export const readCodeBlock: ElementReader = (element, context) => {
  const label = languageLabel(element)
  const named = label === undefined ? '' : collapse(textWithoutButtons(label)).toLowerCase()
  const language = codeLanguage(element, context.language) || (isFence(named) ? named : '')
  addCodeBlock(codeText(element, language, label), language, context)
}

const textWithoutButtons = ({ children }: Element): string =>
  children
    .map((child) =>
      isElement(child) ? (child.name === 'button' ? '' : textOf(child)) : isText(child) ? child.data : '',
    )
    .join(' ')

/** True for the name of a language as a fence has it: one word, and no remark that there is none. */
const isFence = (name: string): boolean => /^[\w+#.-]+$/.test(name) && !/^(?:code|copy|text|plain|none)/.test(name)

/** Reads a listing without `pre`. There, non-breaking spaces indent lines, and a sign without width keeps an empty line open. */
export const readDrawnListing: ElementReader = (element, context) => {
  const language = codeLanguage(element, context.language)
  const code = codeText(element, language)
  addCodeBlock(code.replaceAll('\u00A0', ' ').replaceAll('\u200B', ''), language, context)
}

function addInHeading(code: string, view: ViewBuilder): void {
  view.text(' ')
  view.inline('code', collapse(code))
  view.text(' ')
}

function addCodeBlock(code: string, language: string, { view }: ReadingContext): void {
  if (code.trim() === '') return
  // A heading is one line.
  if (view.inHeading) return addInHeading(code, view)
  if (view.inCell) {
    for (const line of code.split('\n')) {
      view.endLine()
      // The spaces at its start say where it belongs.
      if (line.trim() !== '') view.inline('code', line.trimEnd(), { isTag: line.includes('\\|') })
    }
    return view.endLine()
  }
  view.leaf('codeBlock', code, { language })
}
