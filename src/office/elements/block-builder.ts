import {
  type ChildNode,
  type Element,
  Text,
  append,
  hasText,
  isElement,
  isText,
  textOf,
  walk,
} from '../../html/tree.js'
import type { ParagraphKind } from './line-builder.js'
import { createElement } from './create-element.js'

/** Where a paragraph stands in a list. */
export interface ListPlace {
  /** From 0. */
  readonly level: number
  readonly isOrdered: boolean
  /** The item's number; counted on where absent. */
  readonly number?: number | undefined
  /** The first number of the list that it stands in. @default 1 */
  readonly start?: number
  /** What tells two lists apart that follow each other at once. */
  readonly list?: string
}

interface OpenList {
  readonly element: Element
  readonly level: number
  readonly key: string
  next: number
}

/** Levels of lists; what is deeper stands in the deepest. */
const DEEPEST_LIST = 9

/** Puts paragraphs, lists and other blocks one below the other. Lists, which most programs write as paragraphs with a level, nest. */
export class BlockBuilder {
  #lists: OpenList[] = []
  #listing: Text | undefined
  #quote: Element | undefined

  constructor(readonly into: Element) {}

  /** A block that is no item of a list: it ends the lists that are open. */
  add(block: ChildNode): void {
    this.#lists = []
    this.#listing = undefined
    append(this.into, block)
  }

  /** An item of a list, with what stands in it. */
  addItem({ level: asked, isOrdered, number, start, list = '' }: ListPlace, content: readonly ChildNode[]): Element {
    this.#listing = undefined
    const level = Math.min(Math.max(0, asked), DEEPEST_LIST)
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

  /** A line of a listing; such lines that follow each other are one. */
  addCode(line: string): void {
    if (this.#listing !== undefined) {
      this.#listing.data += `\n${line}`
      return
    }
    const text = new Text(line)
    this.add(createElement('pre', {}, [createElement('code', {}, [text])]))
    this.#listing = text
  }

  /** A paragraph: a line of a listing where all of it is set as code, and nothing where there is nothing in it. */
  addParagraph(paragraph: Element, kind?: ParagraphKind): void {
    const code = kind === 'code' ? linesOf(paragraph) : soleCode(paragraph)
    if (code !== undefined && !holdsPicture(paragraph)) {
      if (code.trim() !== '' || this.#listing !== undefined) this.addCode(code)
      return
    }
    if (kind === 'quote' && hasText(paragraph)) this.#addQuote(paragraph)
    else if (hasText(paragraph) || holdsElement(paragraph)) this.add(paragraph)
    // An empty paragraph shows nothing; two lists with one between them are two all the same.
    else this.#lists = []
  }

  /** Paragraphs of a quotation that follow each other are one. */
  #addQuote(paragraph: Element): void {
    const last = this.into.lastChild
    if (this.#lists.length === 0 && last !== null && last === this.#quote) append(this.#quote, paragraph)
    else {
      const quote = createElement('blockquote', {}, [paragraph])
      this.add(quote)
      this.#quote = quote
    }
  }

  #openList(list: Pick<OpenList, 'level' | 'key'> & { isOrdered: boolean; start: number }): void {
    const { level, key, isOrdered, start } = list
    const parent = this.#lists.at(-1)?.element
    const element = createElement(isOrdered ? 'ol' : 'ul', isOrdered && start !== 1 ? { start: String(start) } : {})
    const item = parent?.lastChild
    append(item && isElement(item) ? item : (parent ?? this.into), element)
    this.#lists.push({ element, level, key, next: start })
  }
}

/** The text of a paragraph that is nothing but code. */
export function soleCode({ children }: Element): string | undefined {
  const [only] = children
  return children.length === 1 && only !== undefined && isElement(only) && only.name === 'code'
    ? textOf(only)
    : undefined
}

/** The text of a paragraph, with the breaks in it. */
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

/** A paragraph, or a heading of this level where there is one. */
export const makeBlock = (headingLevel: number | undefined, attributes: Record<string, string> = {}): Element =>
  createElement(headingLevel === undefined ? 'p' : `h${Math.min(6, Math.max(1, headingLevel))}`, attributes)
