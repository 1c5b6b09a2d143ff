import { type ChildNode, type Element, Text, append, hasText, isElement, isText, walk } from '../../html/tree.js'
import type { ParagraphKind } from './line-builder.js'
import { createElement } from './create-element.js'

/** Place of a paragraph in a list. */
export interface ListPlace {
  /** Nesting level, from 0. */
  readonly level: number
  readonly isOrdered: boolean
  /** Number of the item. @default one more than the item before */
  readonly number?: number
  /** First number of the list. @default 1 */
  readonly start?: number
  /** Key of the list; adjacent items with different keys are in different lists. */
  readonly list?: string
}

interface OpenList {
  readonly element: Element
  readonly level: number
  readonly key: string
  next: number
}

/** Maximum nesting of lists; deeper items are placed at this level. */
const MAX_LIST_DEPTH = 9

/**
 * Builds a sequence of blocks. List items, which most programs store as paragraphs with a level, become nested lists.
 */
export class BlockBuilder {
  #lists: OpenList[] = []
  #listing: Text | undefined
  #quote: Element | undefined

  constructor(readonly into: Element) {}

  /** Appends a block that is not a list item, which closes the open lists. */
  add(block: ChildNode): void {
    this.#lists = []
    this.#listing = undefined
    append(this.into, block)
  }

  /** True if an item of this level would be in an open list. */
  isInList = (level: number): boolean => this.#lists.some((list) => list.level <= level)

  /** Appends a list item. */
  addItem({ level: asked, isOrdered, number, start, list = '' }: ListPlace, content: readonly ChildNode[]): Element {
    this.#listing = undefined
    const level = Math.min(Math.max(0, asked), MAX_LIST_DEPTH)
    const key = `${isOrdered ? 'ol' : 'ul'} ${list}`
    while (this.#lists.length > 0 && (this.#lists.at(-1)?.level ?? 0) > level) this.#lists.pop()
    const last = this.#lists.at(-1)
    if (last?.level === level && last.key !== key) this.#lists.pop()
    if (this.#lists.at(-1)?.level !== level) this.#openList({ level, key, isOrdered, start: number ?? start ?? 1 })
    const open = this.#lists.at(-1)
    const item = createElement('li', {}, content)
    if (open === undefined) return item
    if (isOrdered && number !== undefined && number !== open.next) item.attribs['value'] = String(number)
    open.next = (number ?? open.next) + 1
    append(open.element, item)
    return item
  }

  /** Appends a paragraph to the last item up to a level, or beside the lists if there is none. */
  continueItem(level: number, paragraph: Element, kind?: ParagraphKind): void {
    if (!hasText(paragraph) && !holdsElement(paragraph)) return
    while (this.#lists.length > 0 && (this.#lists.at(-1)?.level ?? 0) > level) this.#lists.pop()
    const item = this.#lists.at(-1)?.element.lastChild
    if (item === undefined || item === null || !isElement(item)) return this.addParagraph(paragraph, kind)
    const code = kind === 'code' && !holdsPicture(paragraph) ? linesOf(paragraph) : undefined
    append(item, code === undefined ? paragraph : makeListing(new Text(code)))
  }

  /** Appends a line of code; consecutive lines form one code block. */
  addCode(line: string): void {
    if (this.#listing !== undefined) {
      this.#listing.data += `\n${line}`
      return
    }
    const text = new Text(line)
    this.add(makeListing(text))
    this.#listing = text
  }

  /** Appends a paragraph, or a line of code if all of its text is formatted as code. Empty paragraphs are left out. */
  addParagraph(paragraph: Element, kind?: ParagraphKind): void {
    const code = kind === 'code' ? linesOf(paragraph) : soleCode(paragraph)
    if (code !== undefined && !holdsPicture(paragraph)) {
      if (code.trim() !== '' || this.#listing !== undefined) this.addCode(code)
      return
    }
    if (kind === 'quote' && hasText(paragraph)) this.#addQuote(paragraph)
    else if (hasText(paragraph) || holdsElement(paragraph)) this.add(paragraph)
    // An empty paragraph is not shown, but it separates two lists.
    else this.#lists = []
  }

  /** Joins consecutive paragraphs of a quotation. */
  #addQuote(paragraph: Element): void {
    const last = this.into.lastChild
    if (this.#lists.length === 0 && last !== null && last === this.#quote) append(this.#quote, paragraph)
    else {
      const quote = createElement('blockquote', {}, [paragraph])
      this.add(quote)
      this.#quote = quote
    }
  }

  #openList(list: { level: number; key: string; isOrdered: boolean; start: number }): void {
    const { level, key, isOrdered, start } = list
    const parent = this.#lists.at(-1)?.element
    const element = createElement(isOrdered ? 'ol' : 'ul', isOrdered && start !== 1 ? { start: String(start) } : {})
    const item = parent?.lastChild
    append(item && isElement(item) ? item : (parent ?? this.into), element)
    this.#lists.push({ element, level, key, next: start })
  }
}

const makeListing = (text: Text): Element => createElement('pre', {}, [createElement('code', {}, [text])])

/** Elements of a line of code: its keywords may be bold, its comments italic. */
const WITHIN_CODE = new Set(['strong', 'em', 'br'])

/** Returns the text of a paragraph whose text is all code; undefined for others. */
export function soleCode(paragraph: Element): string | undefined {
  let hasCode = false
  const isCode = (nodes: readonly ChildNode[]): boolean =>
    nodes.every((node) => {
      if (isText(node)) return node.data.trim() === ''
      if (!isElement(node)) return false
      if (node.name === 'code') hasCode = true
      return node.name === 'code' || (WITHIN_CODE.has(node.name) && isCode(node.children))
    })
  return isCode(paragraph.children) && hasCode ? linesOf(paragraph) : undefined
}

/** Returns the text of a paragraph with its line breaks. */
function linesOf(paragraph: Element): string {
  let text = ''
  walk(paragraph, (node) => {
    if (isText(node)) text += node.data
    else if (isElement(node) && node.name === 'br') text += '\n'
  })
  return text
}

const holdsElement = ({ children }: Element): boolean =>
  children.some((node) => isElement(node) && node.name !== 'br' && (node.name === 'img' || node.children.length > 0))

const holdsPicture = ({ children }: Element): boolean =>
  children.some((node) => isElement(node) && (node.name === 'img' || node.name === 'a'))

/** Creates a heading of the level, or a paragraph if there is none. */
export const makeBlock = (headingLevel: number | undefined, attributes: Record<string, string> = {}): Element =>
  createElement(headingLevel === undefined ? 'p' : `h${Math.min(6, Math.max(1, headingLevel))}`, attributes)
