import { append, type ChildNode, type Element, hasText, isElement } from '../../html/tree.js'
import { BlockBuilder, makeBlock } from '../elements/block-builder.js'
import { createElement, takeChildren } from '../elements/create-element.js'
import { type LineContext, readImage, readObject, readOpenLine } from './odf-line.js'
import { readStart } from './odf-styles.js'
import { type CellRepeats, readOpenTable } from './odf-table.js'
import { elements, type XmlElement } from '../package/xml.js'

/** Context that the blocks of a file are read in. */
export interface OpenContext extends LineContext {
  /** Number of lists, tables and text boxes that enclose these blocks. */
  readonly depth: number
  /** Last numbers of earlier lists, which later lists may continue. */
  readonly ends: ListEnds
  readonly repeats: CellRepeats
}

/** Last numbers of lists: by their id, and of the most recent list. */
interface ListEnds {
  readonly byId: Map<string, { readonly number: number; readonly list: Element }>
  last: number
}

/**
 * Maximum nesting of lists, tables and text boxes. The contents of deeper ones are appended to the enclosing element.
 */
const MAX_DEPTH = 20

/** Appends blocks to `into`: paragraphs, headings, lists, tables, and the contents of sections and shapes. */
export function readOpenBlocks(nodes: readonly XmlElement[], into: Element, context: OpenContext): void {
  new BlockReader(into, context).read(nodes)
}

class BlockReader {
  readonly #context: OpenContext
  readonly #deeper: OpenContext
  readonly #blocks: BlockBuilder
  readonly #isTooDeep: boolean

  constructor(into: Element, context: OpenContext) {
    this.#context = context
    this.#deeper = { ...context, depth: context.depth + 1 }
    this.#blocks = new BlockBuilder(into)
    this.#isTooDeep = context.depth >= MAX_DEPTH
  }

  read(nodes: readonly XmlElement[]): void {
    for (const node of nodes) this.#readBlock(node)
  }

  #readBlock(element: XmlElement): void {
    if (isHidden(element)) return
    switch (element.name) {
      case 'text:h':
      case 'text:p':
        return this.#readParagraph(element)
      case 'text:list':
        return this.#readList(element)
      case 'table:table':
        if (this.#isTooDeep) return elements(element).forEach((part) => this.#readBlock(part))
        return this.#blocks.add(
          readOpenTable(element, this.#context, (cell, cellInto) => this.#readInto(cell, cellInto)),
        )
      case 'draw:frame': {
        const picture = readObject(element, this.#context) ?? readImage(element)
        if (picture !== undefined) this.#blocks.add(createElement('p', {}, [picture]))
        return elements(element)
          .filter(({ name }) => name === 'draw:text-box' || name === 'table:table')
          .forEach((part) => this.#readBox(part))
      }
      case 'svg:title':
      case 'svg:desc':
        return
      default:
        // Sections, indexes and groups of shapes are replaced by their contents.
        elements(element).forEach((part) => this.#readBlock(part))
    }
  }

  #readInto(parent: XmlElement, target: Element): void {
    // Cells and boxes may have a background.
    readOpenBlocks(elements(parent), target, { ...this.#deeper, isOnPaper: false })
  }

  #readParagraph(paragraph: XmlElement): void {
    const { attributes } = paragraph
    const style = this.#context.styles.paragraphStyle(attributes['text:style-name'])
    const own = Number.parseInt(attributes['text:outline-level'] ?? '', 10)
    const level = paragraph.name === 'text:h' ? own || 1 : style.headingLevel
    const block = makeBlock(level)
    const { bold, ...rest } = style.text
    const base = { ...rest, bold: level === undefined ? bold : undefined }
    const boxes = readOpenLine(paragraph, block, this.#context, base)
    if (level === undefined) this.#blocks.addParagraph(block, style.kind)
    else if (hasText(block) || block.children.some(isElement)) this.#blocks.add(block)
    for (const box of boxes) this.#readBox(box)
  }

  #readBox(box: XmlElement): void {
    if (this.#isTooDeep) return elements(box).forEach((part) => this.#readBlock(part))
    if (box.name === 'table:table') return this.#readBlock(box)
    const inside = createElement('div')
    this.#readInto(box, inside)
    if (inside.children.length > 0) this.#blocks.add(inside)
  }

  #readList(list: XmlElement): void {
    const items = elements(list).filter(({ name }) => name === 'text:list-item' || name === 'text:list-header')
    // Numbered headings are stored as list items.
    const isHeadings = items.length > 0 && items.every(holdsOnlyHeadings)
    if (isHeadings || this.#isTooDeep) return items.flatMap(elements).forEach((part) => this.#readBlock(part))
    for (const part of headersOf(items).flatMap(elements)) this.#readBlock(part)
    const made = this.#makeList(list, items, 0, undefined)
    const { into } = this.#blocks
    const before = lastList(into)
    const end = this.#context.ends.byId.get(list.attributes['text:continue-list'] ?? '')
    let target: Element | undefined
    if (joinList(into, made)) target = before
    else if (before !== undefined && end?.list === before && isNextOf(made, before, end.number)) {
      moveChildren(made, before)
      target = before
    } else if (made.children.length > 0) {
      target = withoutEmptyLevels(made)
      this.#blocks.add(target)
    }
    const id = list.attributes['xml:id'] ?? list.attributes['text:id']
    if (id !== undefined) this.#context.ends.byId.set(id, { number: this.#context.ends.last, list: target ?? made })
  }

  #makeList(list: XmlElement, items: readonly XmlElement[], level: number, outer: string | undefined): Element {
    const style = list.attributes['text:style-name'] ?? outer
    const { isOrdered, isBlank, start } = this.#context.styles.listLevel(style, level)
    const made = createElement(isBlank ? CONTINUATION : isOrdered ? 'ol' : 'ul')
    const follows = list.attributes['text:continue-list']
    let number = start
    if (follows !== undefined) number = (this.#context.ends.byId.get(follows)?.number ?? start - 1) + 1
    else if (list.attributes['text:continue-numbering'] === 'true' && level === 0) number = this.#context.ends.last + 1
    let next = number
    for (const item of items.slice(headersOf(items).length)) {
      const before = made.lastChild
      if (item.name === 'text:list-header' && before !== null && isElement(before)) {
        readOpenBlocks(elements(item), before, this.#deeper)
        continue
      }
      if (isBlank) {
        readOpenBlocks(elements(item), made, this.#deeper)
        continue
      }
      const asked = readStart(item.attributes['text:start-value'], next)
      const line = createElement(
        'li',
        isOrdered && asked !== next && made.children.length > 0 ? { value: String(asked) } : {},
      )
      if (made.children.length === 0) number = asked
      this.#readItem(item, line, style, level)
      const last = made.lastChild
      // An item that contains only a list is a deeper level of the item before it.
      if (last !== null && isElement(last) && holdsOnlyLists(line)) {
        for (const node of takeChildren(line)) append(last, node)
      } else if (line.children.length > 0) {
        append(made, line)
        next = asked + 1
      }
    }
    if (isOrdered && number !== 1) made.attribs['start'] = String(number)
    if (level === 0 && !isBlank) this.#context.ends.last = next - 1
    return made
  }

  #readItem(item: XmlElement, line: Element, style: string | undefined, level: number): void {
    let rest: XmlElement[] = []
    const flush = (): void => {
      const held = createElement('div')
      readOpenBlocks(rest, held, this.#deeper)
      rest = []
      const [only] = held.children
      const isSole = held.children.length === 1 && only !== undefined && isElement(only) && only.name === 'p'
      for (const node of isSole ? takeChildren(only) : takeChildren(held)) append(line, node)
    }
    for (const part of elements(item)) {
      if (part.name !== 'text:list' || this.#context.depth + level >= MAX_DEPTH / 2) rest.push(part)
      else {
        const inner = elements(part)
        rest.push(...headersOf(inner).flatMap(elements))
        flush()
        const made = this.#makeList(part, inner, level + 1, style)
        if (made.children.length > 0 && !joinList(line, made)) append(line, made)
      }
    }
    flush()
  }
}

/** Returns the items without a number at the beginning of a list, which introduce it. */
function headersOf(items: readonly XmlElement[]): readonly XmlElement[] {
  const first = items.findIndex(({ name }) => name !== 'text:list-header')
  return first === -1 ? items : items.slice(0, first)
}

/** Tests if a section, a paragraph or a shape is hidden. */
function isHidden({ name, attributes, children }: XmlElement): boolean {
  if (name === 'text:section') return attributes['text:display'] === 'none' || attributes['text:is-hidden'] === 'true'
  if (name !== 'text:p' && name !== 'text:h') return attributes['draw:display'] === 'none'
  return children.some(
    (node) =>
      typeof node !== 'string' && node.name === 'text:hidden-paragraph' && node.attributes['text:is-hidden'] === 'true',
  )
}

const holdsOnlyHeadings = (item: XmlElement): boolean => {
  const parts = elements(item)
  return parts.every((part) =>
    part.name === 'text:list' ? elements(part).every((inner) => holdsOnlyHeadings(inner)) : part.name === 'text:h',
  )
}

/** Tests if a list has the next number after the items of the list before it. */
const isNextOf = (list: Element, before: Element, last: number): boolean =>
  list.name === before.name && (list.name === 'ul' || Number(list.attribs['start'] ?? '1') === last + 1)

/** Name of the element for paragraphs without a mark, which continue the item before them. */
const CONTINUATION = 'section'

const isList = (node: ChildNode | null | undefined): node is Element =>
  node !== null && node !== undefined && isElement(node) && /^(?:[uo]l|section)$/.test(node.name)

/** Tests if an item has no text of its own, only deeper lists. */
const holdsOnlyLists = ({ children }: Element): boolean => children.length > 0 && children.every(isList)

/** Returns the list that the content of an element ends with. */
const lastList = ({ lastChild }: Element): Element | undefined =>
  isList(lastChild) && lastChild.name !== CONTINUATION ? lastChild : undefined

/**
 * Joins a list to the one before it in `into`: paragraphs without a mark, and the deeper levels that it starts with.
 * Office programs write a deeper item in another list style as a list of its own, in items without text.
 *
 * @returns true if nothing is left of the list
 */
function joinList(into: Element, list: Element): boolean {
  const before = lastList(into)
  const item = before?.lastChild
  if (list.name === CONTINUATION) {
    moveChildren(list, item !== null && item !== undefined && isElement(item) ? item : into)
    return true
  }
  const [first] = list.children
  if (first === undefined || !isElement(first) || !holdsOnlyLists(first)) return false
  if (item === null || item === undefined || !isElement(item)) return false
  for (const node of takeChildren(first)) if (isElement(node) && !joinList(item, node)) append(item, node)
  const rest = takeChildren(list).slice(1)
  for (const node of rest) append(list, node)
  return rest.length === 0
}

/** Moves all children of an element to the end of another. */
function moveChildren(from: Element, to: Element): void {
  for (const node of takeChildren(from)) append(to, node)
}

/** Returns the list inside of levels that have only one item without text. */
function withoutEmptyLevels(list: Element): Element {
  const [item] = list.children
  const only = list.children.length === 1 && item !== undefined && isElement(item) && holdsOnlyLists(item)
  const [inner] = only ? item.children : []
  return only && item.children.length === 1 && isList(inner) ? withoutEmptyLevels(inner) : list
}
