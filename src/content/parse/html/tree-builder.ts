import { type ChildNode, Document, Element, Text, append } from '../../html/tree.js'
import {
  BLOCK,
  BUTTON,
  CELL,
  COLUMNS,
  DEFINITION,
  DROPS_LINE_BREAK,
  ENDED_SIBLINGS,
  ENDS_PARAGRAPH,
  ENDS_SIBLING,
  FORMATTING,
  HEADING,
  HEAD_CONTENT,
  ITEM,
  ITEM_BOUNDARY,
  LEAVES_FOREIGN,
  LIST,
  PARAGRAPH,
  REFUSES_TEXT,
  ROOT,
  ROW_CONTEXT,
  SCOPE,
  SELF_CLOSING,
  SPECIAL,
  TABLE_CONTEXT,
  TABLE_END,
  TABLE_PART,
  TABLE_SCOPE,
  VOID,
  flagsOf,
} from './element-rules.js'
import { type NodePlacer, treePlacer } from './node-placer.js'
import { DeepElements, OpenElements } from './open-elements.js'
import type { TokenSink } from './tokenize.js'

/** Thrown if a page exceeds the limit of nodes. */
export class TooManyNodes extends Error {}

/**
 * Maximum characters in the attributes of all copies that misnested markup makes of an element. A link with a long address
 * that is closed inside of many blocks is copied into each of them.
 */
const MAX_COPIED = 1_000_000

/** Elements of a table that contain others. */
const TABLE_NAMES: ReadonlySet<string> = new Set('table caption tbody thead tfoot tr td th'.split(' '))

/** Limits and options of a tree. */
export interface TreeLimits {
  readonly maxDepth: number
  readonly maxNodes: number
  /** True for XHTML, which is read by the rules of XML: `<a id="x"/>` is an empty element. */
  readonly isXml: boolean
}

/**
 * Builds a tree from start tags, end tags and texts as browsers do, with implied end tags, misnested markup and content
 * that is not allowed in tables. `html`, `head` and `body` always exist.
 *
 * It takes linear time, because the stack of open elements never exceeds `maxDepth`. Deeper nodes become children of
 * the element at that depth, in document order, so that no text is lost.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
 */
export class TreeBuilder implements TokenSink {
  readonly #limits: TreeLimits
  readonly #placer: NodePlacer
  readonly document = new Document([])
  readonly html = new Element('html', {})
  readonly head = new Element('head', {})
  readonly body = new Element('body', {})
  baseHref: string | undefined
  hasTemplates = false
  /** The different lists of classes of the page's elements. */
  readonly classes = new Set<string>()
  /** Number of copies of elements without the attributes, see {@link MAX_COPIED}. */
  lostAttributes = 0
  /** Characters of the attributes of copies. */
  #copied = 0
  readonly #open = new OpenElements()
  #inBody = false
  #form: Element | undefined
  #nodes = 0
  /** Open elements that are nested deeper than `maxDepth`, and are not on the stack. */
  readonly #deep = new DeepElements()
  /** The last of these elements, up to the next tag: text that follows it directly is its own. */
  #deepest: Element | undefined

  /** @param placer links the nodes to a tree, or does something else with them. @default links them */
  constructor(limits: TreeLimits, placer: NodePlacer = treePlacer) {
    this.#limits = limits
    this.#placer = placer
    append(this.document, this.html)
    append(this.html, this.head)
    append(this.html, this.body)
  }

  startTag(name: string, attributes: Record<string, string>, selfClosing: boolean, flags: number): void {
    if (flags === 0 && name === 'image') return this.startTag('img', attributes, selfClosing, flagsOf('img'))
    this.#deepest = undefined
    const { class: classes } = attributes
    if (classes !== undefined) this.classes.add(classes)
    if ((flags & ROOT) !== 0) return this.#addToRoot(name, attributes)
    const open = this.#open
    if (open.depth === 0 && (flags & HEAD_CONTENT) === 0) this.#inBody = true
    const foreign = open.inForeign
    if (foreign && (flags & LEAVES_FOREIGN) !== 0 && !this.#deep.isBounded) {
      this.#deep.clear()
      while (open.inForeign) open.pop()
    } else if (this.#deep.depth === 0) {
      if (!foreign && !this.#makeRoomFor(name, flags)) return
    }
    if (foreign && name === 'a') addLinkTarget(attributes)
    const inTable = (open.flags & TABLE_CONTEXT) !== 0
    const isDeep = this.#deep.depth > 0 || open.depth >= this.#limits.maxDepth
    // The parts of a table are not in each other there, and a cell without a row would not be shown.
    const element = new Element(isDeep && TABLE_NAMES.has(name) ? 'div' : name, attributes)
    this.#insertElement(element, element.name === name ? flags : flagsOf('div'))
    if ((flags & HEAD_CONTENT) !== 0) {
      if (name === 'base') this.baseHref ??= attributes['href']
      else if (name === 'template') this.hasTemplates = true
    }
    if ((flags & VOID) !== 0) return
    if (selfClosing && (foreign || this.#limits.isXml || (flags & SELF_CLOSING) !== 0)) return
    if (isDeep) {
      this.#deep.push(name, flags)
      this.#deepest = element
      return
    }
    if (name === 'form') {
      this.#form = element
      // A form between parts of a table contains none of them.
      if (inTable) return
    }
    open.push(element, flags)
  }

  endTag(name: string): void {
    this.#deepest = undefined
    const open = this.#open
    // Nearly every end tag is that of the current element, and closes no other.
    if (this.#deep.depth === 0 && open.current?.name === name && name !== 'form') return open.pop()
    const flags = flagsOf(name)
    if ((flags & ROOT) !== 0) return
    if (name === 'br') this.startTag('br', {}, false, flags)
    if ((flags & VOID) !== 0) return
    if (this.#deep.depth > 0 && !this.#leaveDeep(name, flags)) return
    if ((flags & FORMATTING) !== 0) this.#endFormatting(name)
    else if (name === 'p') open.closeFrom(open.findFlag(PARAGRAPH, SCOPE | BUTTON))
    else if (name === 'li') open.closeFrom(open.findFlag(ITEM, SCOPE | LIST))
    else if ((flags & HEADING) !== 0) open.closeFrom(open.findFlag(HEADING, SCOPE))
    else if (name === 'table') open.closeFrom(open.find('table', TABLE_SCOPE))
    else if ((flags & TABLE_END) !== 0) open.closeFrom(open.find(name, TABLE_SCOPE))
    else if (name === 'form') this.#endForm()
    // Unlike other elements, a template ends whatever is open in it.
    else if (name === 'template') open.closeFrom(open.find(name, 0))
    else open.closeFrom(open.find(name, (flags & BLOCK) !== 0 ? SCOPE : SPECIAL))
  }

  addText(data: string): void {
    const open = this.#open
    const parent = this.#deepest ?? open.current ?? (this.#inBody ? this.body : this.head)
    const flags = this.#deepest === undefined ? open.flags : flagsOf(parent.name)
    if ((flags & REFUSES_TEXT) !== 0 || parent === this.head) {
      if (!/\S/.test(data)) return
      if (parent === this.head) this.#inBody = true
      else if (this.#deepest === undefined && (flags & COLUMNS) !== 0) {
        open.pop()
        return this.addText(data)
      }
    }
    const isFirst = (flags & DROPS_LINE_BREAK) !== 0 && this.#placer.isEmpty(parent)
    const text = isFirst && data.startsWith('\n') ? data.slice(1) : data
    if (text === '') return
    const before = (flags & TABLE_CONTEXT) === 0 ? undefined : this.#tableAround()
    const into = parent === this.head ? this.body : parent
    const last = this.#placer.textAt(into, before)
    if (last === undefined) this.#insert(new Text(text), into, before)
    else last.data += text
  }

  get inForeign(): boolean {
    return this.#open.inForeign
  }

  /**
   * Closes elements that are nested too deep, by an end tag.
   *
   * @returns true if it ends an element around all of them, such as the drawing that they are in
   */
  #leaveDeep(name: string, flags: number): boolean {
    const deep = this.#deep
    if (deep.close(name) || deep.isBounded) return false
    const open = this.#open
    const endsAround =
      (flags & BLOCK) !== 0 ? open.find(name, SCOPE) !== -1 : open.inForeign && open.find(name, SPECIAL) !== -1
    if (endsAround) deep.clear()
    return endsAround
  }

  /** Adds attributes of a repeated `html`, `head` or `body` to the first one. */
  #addToRoot(name: string, attributes: Record<string, string>): void {
    const root = name === 'html' ? this.html : name === 'body' ? this.body : this.head
    for (const [key, value] of Object.entries(attributes)) root.attribs[key] ??= value
    if (root === this.body) this.#inBody = true
  }

  /** Closes the elements that a start tag ends. @returns false if the tag is ignored */
  #makeRoomFor(name: string, flags: number): boolean {
    const open = this.#open
    if ((open.flags & COLUMNS) !== 0 && (flags & TABLE_PART) === 0) open.pop()
    if (flags === 0) return true
    if ((flags & FORMATTING) !== 0) {
      if (name === 'a') this.#endFormatting('a')
      return true
    }
    if ((flags & ENDS_PARAGRAPH) !== 0) open.closeFrom(open.findFlag(PARAGRAPH, SCOPE | BUTTON))
    if ((flags & HEADING) !== 0) {
      if ((open.flags & HEADING) !== 0) open.pop()
    } else if ((flags & ITEM) !== 0) open.closeFrom(open.findFlag(ITEM, ITEM_BOUNDARY))
    else if ((flags & DEFINITION) !== 0) open.closeFrom(open.findFlag(DEFINITION, ITEM_BOUNDARY))
    else if (name === 'button') open.closeFrom(open.find('button', SCOPE))
    else if (name === 'form') return this.#form === undefined
    else if (name === 'select' || name === 'textarea') open.closeFrom(open.find('select', SCOPE))
    else if (name === 'table') {
      if ((open.flags & TABLE_CONTEXT) !== 0) open.closeFrom(open.find('table', TABLE_SCOPE))
    } else if ((flags & TABLE_PART) !== 0 && (flags & HEAD_CONTENT) === 0) return this.#makeRoomInTable(name, flags)
    else if ((flags & ENDS_SIBLING) !== 0) {
      const ended = ENDED_SIBLINGS.get(name)
      while (ended?.includes(open.current?.name ?? '') === true) open.pop()
    }
    return true
  }

  #makeRoomInTable(name: string, flags: number): boolean {
    const open = this.#open
    const table = open.find('table', TABLE_SCOPE)
    if (table === -1) return open.find('template', TABLE_SCOPE) !== -1
    const isCell = (flags & CELL) !== 0
    const isInRow = isCell || name === 'tr'
    while (open.depth - 1 > table) {
      const around = open.current?.name
      if (isInRow ? (open.flags & ROW_CONTEXT) !== 0 && around !== name : name === 'col' && around === 'colgroup') break
      open.pop()
    }
    if (isInRow && open.current?.name === 'table') this.#startImplied('tbody')
    if (isCell && open.current?.name !== 'tr') this.#startImplied('tr')
    return true
  }

  #startImplied(name: string): void {
    const element = new Element(name, {})
    const flags = flagsOf(name)
    this.#insertElement(element, flags)
    this.#open.push(element, flags)
  }

  #endForm(): void {
    const at = this.#form === undefined ? -1 : this.#open.indexOf(this.#form)
    this.#form = undefined
    if (at !== -1) this.#open.remove(at)
  }

  #endFormatting(name: string): void {
    const at = (this.#open.allFlags & FORMATTING) === 0 ? -1 : this.#open.find(name, SCOPE)
    if (at === -1) return
    const blocks = this.#open.specialFrom(at + 1)
    if (blocks.length === 0) return this.#open.closeFrom(at)
    const element = this.#open.remove(at)
    // Inline elements between the two are closed as well. Content added to them later would precede the moved block.
    while (this.#open.at(at) !== blocks[0]) this.#open.remove(at)
    if (element !== undefined)
      this.#nodes += this.#placer.moveOut(element, blocks, this.#attributesOfCopies(element, blocks.length))
  }

  /** Returns the attributes of the copies of an element: none once the copies have too many characters together. */
  #attributesOfCopies({ attribs }: Element, copies: number): Record<string, string> {
    let length = 0
    for (const name in attribs) length += name.length + (attribs[name]?.length ?? 0)
    // One takes the place of the element, which is empty then.
    this.#copied += length * (copies - 1)
    if (this.#copied <= MAX_COPIED) return attribs
    this.lostAttributes += copies
    return {}
  }

  /** Inserts an element into the current one, or before a table that cannot contain it. */
  #insertElement(element: Element, flags: number): void {
    const parent = this.#open.current ?? (this.#inBody ? this.body : this.head)
    const fits =
      (this.#open.flags & TABLE_CONTEXT) === 0 ||
      (flags & TABLE_PART) !== 0 ||
      element.name === 'form' ||
      element.attribs['type'] === 'hidden'
    this.#insert(element, parent, fits ? undefined : this.#tableAround())
  }

  #insert(node: ChildNode, parent: Element, before: Element | undefined): void {
    this.#nodes += 1
    if (this.#nodes > this.#limits.maxNodes) throw new TooManyNodes()
    this.#placer.place(node, parent, before)
  }

  /** Returns the innermost table, if content can be moved before it. */
  #tableAround(): Element | undefined {
    const table = this.#open.at(this.#open.find('table', TABLE_SCOPE))
    return table?.parent ? table : undefined
  }
}

/**
 * Gives a link in a drawing its target as `href`, which all readers of links look for: `xlink:href` is its name in SVG 1.1.
 *
 * @see https://www.w3.org/TR/SVG2/linking.html#XLinkRefAttrs
 */
function addLinkTarget(attributes: Record<string, string>): void {
  const target = attributes['xlink:href']
  if (target === undefined) return
  attributes['href'] ??= target
  delete attributes['xlink:href']
}
