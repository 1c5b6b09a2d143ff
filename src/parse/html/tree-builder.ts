import {
  type ChildNode,
  Document,
  Element,
  type ParentNode,
  Text,
  append,
  insertBefore,
  isElement,
  isText,
} from '../../html/tree.js'
import { adopt } from './adopt.js'
import {
  BLOCK,
  ENDS_PARAGRAPH,
  ENDS_SIBLING,
  FORMATTING,
  HEADING,
  HEAD_CONTENT,
  LEAVES_FOREIGN,
  SCOPE,
  SPECIAL,
  TABLE_CONTEXT,
  TABLE_PART,
  TABLE_SCOPE,
  VOID,
} from './element-rules.js'
import { OpenElements } from './open-elements.js'

/** Thrown if a page exceeds the limit of nodes. */
export class TooManyNodes extends Error {}

/** Limits and options of a tree. */
export interface TreeLimits {
  readonly maxDepth: number
  readonly maxNodes: number
  /** True for XHTML, where `<a id="x"/>` is an empty element. */
  readonly isXml: boolean
}

// Elements that end at `/>`, unlike in browsers, which read text up to the end tag. The tokenizer reads markup after
// `/>`, so that an open element would contain the rest of the page.
const SELF_CLOSING = new Set(['svg', 'math', 'script', 'style', 'title', 'textarea', 'xmp'])

const BUTTON_SCOPE = new Set([...SCOPE, 'button'])
const ITEM_SCOPE = new Set([...SCOPE, 'ul', 'ol'])
const ROW_SCOPE = new Set([...TABLE_SCOPE, 'table'])
const ROW_CONTEXT = new Set(['tr', 'tbody', 'thead', 'tfoot'])
const CELL = new Set(['td', 'th'])
const TABLE_END = new Set([...ROW_CONTEXT, ...CELL, 'caption', 'colgroup'])
const ITEM = new Set(['li'])
const DEFINITION = new Set(['dd', 'dt'])
const ITEM_BOUNDARY = new Set([...SPECIAL].filter((name) => name !== 'address' && name !== 'div' && name !== 'p'))

/**
 * Builds a tree from start tags, end tags and texts as browsers do, with implied end tags, misnested markup and content
 * that is not allowed in tables. `html`, `head` and `body` always exist.
 *
 * It takes linear time, because the stack of open elements never exceeds `maxDepth`. Deeper nodes become children of
 * the element at that depth, in document order, so that no text is lost.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
 */
export class TreeBuilder {
  readonly #limits: TreeLimits
  readonly document = new Document([])
  readonly head = new Element('head', {})
  readonly body = new Element('body', {})
  baseHref: string | undefined
  readonly #html = new Element('html', {})
  readonly #open = new OpenElements()
  #inBody = false
  #form: Element | undefined
  #nodes = 0
  /** Number of open elements that are nested deeper than `maxDepth`, and are not on the stack. */
  #tooDeep = 0
  /** The last of these elements, up to the next tag: text that follows it directly is its own. */
  #deepest: Element | undefined

  constructor(limits: TreeLimits) {
    this.#limits = limits
    append(this.document, this.#html)
    append(this.#html, this.head)
    append(this.#html, this.body)
  }

  startTag(name: string, attributes: Record<string, string>, selfClosing: boolean): void {
    this.#deepest = undefined
    const root = this.#rootNamed(name)
    if (root !== undefined) {
      for (const [key, value] of Object.entries(attributes)) root.attribs[key] ??= value
      if (root === this.body) this.#inBody = true
      return
    }
    if (this.#open.depth === 0 && !HEAD_CONTENT.has(name)) this.#inBody = true
    const element = new Element(name, attributes)
    const foreign = this.#open.inForeign
    if (this.#tooDeep === 0) {
      if (foreign && LEAVES_FOREIGN.has(name)) while (this.#open.inForeign) this.#open.pop()
      else if (!foreign && !this.#makeRoomFor(name)) return
    }
    const inTable = this.#inTable
    this.#insert(element)
    if (name === 'base') this.baseHref ??= attributes['href']
    if (VOID.has(name) || (selfClosing && (foreign || this.#limits.isXml || SELF_CLOSING.has(name)))) return
    if (this.#tooDeep > 0 || this.#open.depth >= this.#limits.maxDepth) {
      this.#tooDeep += 1
      this.#deepest = element
      return
    }
    if (name === 'form') this.#form = element
    // A form between parts of a table contains none of them.
    if (name !== 'form' || !inTable) this.#open.push(element)
  }

  endTag(name: string): void {
    this.#deepest = undefined
    const open = this.#open
    if (this.#rootNamed(name) !== undefined) return
    if (name === 'br') this.startTag('br', {}, false)
    if (VOID.has(name)) return
    if (this.#tooDeep > 0) this.#tooDeep -= 1
    else if (FORMATTING.has(name)) this.#endFormatting(name)
    else if (name === 'p') open.closeFrom(open.find('p', BUTTON_SCOPE))
    else if (name === 'li') open.closeFrom(open.find('li', ITEM_SCOPE))
    else if (HEADING.has(name)) open.closeFrom(open.find(HEADING, SCOPE))
    else if (name === 'table') open.closeFrom(open.find('table', TABLE_SCOPE))
    else if (TABLE_END.has(name)) open.closeFrom(open.find(name, ROW_SCOPE))
    else if (name === 'form') this.#endForm()
    else open.closeFrom(open.find(name, BLOCK.has(name) ? SCOPE : SPECIAL))
  }

  addText(data: string): void {
    const parent = this.#deepest ?? this.#open.current
    if (parent === undefined ? !this.#inBody : TABLE_CONTEXT.has(parent.name) || parent.name === 'colgroup') {
      if (!/\S/.test(data)) return
      if (parent === undefined) this.#inBody = true
    }
    const isFirst = parent !== undefined && parent.children.length === 0
    const text = isFirst && (parent.name === 'pre' || parent.name === 'textarea') ? data.replace(/^\n/, '') : data
    if (text === '') return
    const { parent: into, next } = this.#placeFor(undefined)
    const last = next === undefined ? into.children.at(-1) : next.prev
    if (last !== undefined && last !== null && isText(last)) last.data += text
    else this.#insert(new Text(text))
  }

  get inForeign(): boolean {
    return this.#open.inForeign
  }

  get #inTable(): boolean {
    return TABLE_CONTEXT.has(this.#open.current?.name ?? '')
  }

  #rootNamed(name: string): Element | undefined {
    if (name === 'html') return this.#html
    if (name === 'body') return this.body
    return name === 'head' ? this.head : undefined
  }

  /** Closes the elements that a start tag ends. @returns false if the tag is ignored */
  #makeRoomFor(name: string): boolean {
    const open = this.#open
    if (ENDS_PARAGRAPH.has(name)) open.closeFrom(open.find('p', BUTTON_SCOPE))
    if (HEADING.has(name)) {
      if (HEADING.has(open.current?.name ?? '')) open.pop()
    } else if (name === 'li') open.closeFrom(open.find(ITEM, ITEM_BOUNDARY))
    else if (DEFINITION.has(name)) open.closeFrom(open.find(DEFINITION, ITEM_BOUNDARY))
    else if (name === 'a') this.#endFormatting('a')
    else if (name === 'button') open.closeFrom(open.find('button', SCOPE))
    else if (name === 'form') return this.#form === undefined
    else if (name === 'select' || name === 'textarea') open.closeFrom(open.find('select', SCOPE))
    else if (name === 'table') {
      if (this.#inTable) open.closeFrom(open.find('table', TABLE_SCOPE))
    } else if (TABLE_PART.has(name) && !HEAD_CONTENT.has(name)) return this.#makeRoomInTable(name)
    const ended = ENDS_SIBLING.get(name)
    while (ended?.has(open.current?.name ?? '') === true) open.pop()
    return true
  }

  #makeRoomInTable(name: string): boolean {
    const open = this.#open
    const table = open.find('table', TABLE_SCOPE)
    if (table === -1) return open.find('template', TABLE_SCOPE) !== -1
    const isCell = CELL.has(name)
    const stays = (around: string): boolean =>
      isCell || name === 'tr' ? ROW_CONTEXT.has(around) && around !== name : name === 'col' && around === 'colgroup'
    while (open.depth - 1 > table && !stays(open.current?.name ?? '')) open.pop()
    if ((isCell || name === 'tr') && open.current?.name === 'table') this.#startImplied('tbody')
    if (isCell && open.current?.name !== 'tr') this.#startImplied('tr')
    return true
  }

  #startImplied(name: string): void {
    const element = new Element(name, {})
    this.#insert(element)
    this.#open.push(element)
  }

  #endForm(): void {
    const at = this.#form === undefined ? -1 : this.#open.indexOf(this.#form)
    this.#form = undefined
    if (at !== -1) this.#open.remove(at)
  }

  #endFormatting(name: string): void {
    const at = this.#open.find(name, SCOPE)
    if (at === -1) return
    const blocks = this.#open.from(at + 1).filter((inner) => SPECIAL.has(inner.name))
    if (blocks.length === 0) return this.#open.closeFrom(at)
    const element = this.#open.remove(at)
    // Inline elements between the two are closed as well. Content added to them later would precede the moved block.
    while (this.#open.at(at) !== blocks[0]) this.#open.remove(at)
    if (element !== undefined) this.#nodes += adopt(element, blocks)
  }

  #insert(node: ChildNode): void {
    this.#nodes += 1
    if (this.#nodes > this.#limits.maxNodes) throw new TooManyNodes()
    const { parent, next } = this.#placeFor(node)
    if (next === undefined) append(parent, node)
    else insertBefore(next, node)
  }

  /** Returns the position of the next node: in the current element, or before a table that cannot contain it. */
  #placeFor(node: ChildNode | undefined): { parent: ParentNode; next?: Element } {
    const parent = this.#deepest ?? this.#open.current ?? (this.#inBody ? this.body : this.head)
    if (!TABLE_CONTEXT.has(parent.name)) return { parent }
    const fits =
      node !== undefined &&
      isElement(node) &&
      (TABLE_PART.has(node.name) || node.name === 'form' || node.attribs['type'] === 'hidden')
    const table = fits ? undefined : this.#open.at(this.#open.find('table', TABLE_SCOPE))
    return table?.parent ? { parent: table.parent, next: table } : { parent }
  }
}
