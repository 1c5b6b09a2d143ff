import { arrayOfOne } from '../../base/collections/array-of-one.js'
import type { Element } from '../html/tree.js'

/** Kinds of view nodes. Each has a writer for its Markdown. */
export type ViewKind =
  | 'root'
  | 'paragraph'
  | 'heading'
  | 'quote'
  | 'list'
  | 'item'
  | 'codeBlock'
  | 'table'
  | 'cell'
  | 'rule'
  | 'blockText'
  | 'note'
  | MarkKind
  | 'code'
  | 'image'
  | 'inlineText'
  | 'break'
  | 'text'

/** Inline markup around a part of a line. */
export type MarkKind = 'strong' | 'emphasis' | 'strike' | 'link' | 'superscript' | 'subscript'

export type Alignment = 'left' | 'center' | 'right'

const BLOCKS: ReadonlySet<ViewKind> = new Set([
  'root',
  'paragraph',
  'heading',
  'quote',
  'list',
  'item',
  'codeBlock',
  'table',
  'cell',
  'rule',
  'blockText',
  'note',
])

/**
 * A node of the view: the page's content in the shape that Markdown can express. Blocks are direct children of their list
 * item, quote or cell; a line of text is a paragraph; white space is collapsed and text is escaped.
 */
export class ViewNode {
  /** False for texts and inline nodes. */
  readonly isBlock: boolean
  /** One shared empty array for nodes without children, because most nodes are texts. */
  childNodes: ViewNode[]
  parentNode: ViewNode | null = null
  previousSibling: ViewNode | null = null
  /** True for a text in a link. */
  inLink = false
  /** Facts that only some marks and lists have. A page has a thousand nodes, and each field of them costs memory. */
  #rare: RareFacts | undefined = undefined

  constructor(
    readonly kind: ViewKind,
    /** Text, code, or complete Markdown; escaped as the kind requires. */
    public nodeValue: string = '',
    readonly details: ViewDetails = NO_DETAILS,
  ) {
    this.childNodes = NO_NODES
    this.isBlock = BLOCKS.has(kind)
  }

  /**
   * Returns what decides about white space around a node: the text of a text node; for an inline node, `x` in place of
   * its content, with the white space at both ends.
   */
  get edgeText(): string {
    if (this.kind === 'text') return this.nodeValue
    const { childNodes } = this
    const [only] = childNodes
    if (only === undefined || (childNodes.length === 1 && only.kind === 'text' && isTight(only.nodeValue))) return 'x'
    const first = leafAtEnd(this, 0)
    const last = leafAtEnd(this, -1)
    const before = first?.kind === 'text' ? first.nodeValue : 'x'
    const after = last?.kind === 'text' ? last.nodeValue : 'x'
    const start = before.length - before.trimStart().length
    if (first === last && start === before.length) return before
    const end = after.trimEnd().length
    return start === 0 && end === after.length ? 'x' : `${before.slice(0, start)}x${after.slice(end)}`
  }

  /** The kind of this node as an item of its line: see `LineItem`. */
  get type(): 'text' | 'break' | 'opaque' {
    return this.kind === 'text' || this.kind === 'break' ? this.kind : 'opaque'
  }

  /** The node of the item that this node is. */
  get node(): ViewNode {
    return this
  }

  get signsBefore(): string {
    return this.#rare?.signsBefore ?? ''
  }

  get signsAfter(): string {
    return this.#rare?.signsAfter ?? ''
  }

  get syntax(): RareFacts['syntax'] {
    return this.#rare?.syntax ?? 'signs'
  }

  get hasOtherBullets(): boolean {
    return this.#rare?.hasOtherBullets ?? false
  }

  /** Notes facts that only some nodes have. */
  note(facts: Partial<RareFacts>): void {
    this.#rare = { ...NO_FACTS, ...this.#rare, ...facts }
  }

  append(child: ViewNode): void {
    const last = this.childNodes[this.childNodes.length - 1]
    if (last !== undefined) {
      child.previousSibling = last
      if (child.kind === 'list' && last.kind === 'list')
        child.note({ hasOtherBullets: !last.hasOtherBullets && child.details.isOrdered === last.details.isOrdered })
    }
    child.parentNode = this
    if (last === undefined) this.childNodes = arrayOfOne(child)
    else this.childNodes.push(child)
  }

  /** Replaces all children. */
  replaceChildren(children: readonly ViewNode[]): void {
    const all = children.slice()
    this.childNodes = NO_NODES
    for (const child of all) {
      child.previousSibling = null
      if (child.hasOtherBullets) child.note({ hasOtherBullets: false })
      this.append(child)
    }
  }

  /**
   * Unlinks all nodes below this one after writing, like `takeApart` of the HTML tree, so that the garbage collector
   * can free them in parts.
   */
  unlink(): void {
    const stack: ViewNode[] = [this]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      node.parentNode = node.previousSibling = null
      if (node.childNodes.length === 0) continue
      for (const child of node.childNodes) stack.push(child)
      node.childNodes = NO_NODES
    }
  }
}

/** Facts that only some nodes have. */
interface RareFacts {
  /** Signs moved out of a mark, because inside they would keep it from being parsed as one. */
  readonly signsBefore: string
  readonly signsAfter: string
  /** Syntax of a mark: its Markdown signs or, where these would not be parsed, an HTML tag or none. */
  readonly syntax: 'signs' | 'tag' | 'plain'
  /** True for a list with other bullets than the list directly before it, so that the two are not parsed as one. */
  readonly hasOtherBullets: boolean
}

const NO_FACTS: RareFacts = { signsBefore: '', signsAfter: '', syntax: 'signs', hasOtherBullets: false }

/** Attributes of a view node, by kind. */
export interface ViewDetails {
  readonly source?: Element
  /** Set for a paragraph that is the caption of the image above it. */
  readonly isCaption?: boolean
  /** Level of a heading, from 1. */
  readonly level?: number
  /** Language of a code block. */
  readonly language?: string
  /** True for a numbered list. */
  readonly isOrdered?: boolean
  /** Number of an item; absent for a bullet. */
  readonly number?: number
  /** State of a task item. */
  readonly checked?: boolean
  /** True for an item that consists of one section element. */
  readonly isSection?: boolean
  /** Target of a link or image. */
  readonly href?: string
  readonly title?: string
  /** Rows of a table; `undefined` for a cell that spans from above or from the left. */
  readonly rows?: readonly (readonly (ViewNode | undefined)[])[]
  readonly hasHeader?: boolean
  /** Alignment of each column, if the page states it. */
  readonly alignments?: readonly (Alignment | undefined)[]
  /** True for inline code that is written as an HTML tag, because backticks would not delimit it. */
  readonly isTag?: boolean
  /** Label of a footnote. */
  readonly label?: string
}

/** True for a text that begins and ends with a sign of ASCII other than white space. */
const isTight = (text: string): boolean => isSign(text.charCodeAt(0)) && isSign(text.charCodeAt(text.length - 1))

const isSign = (code: number): boolean => code > 32 && code < 127

const NO_DETAILS: ViewDetails = {}
const NO_NODES: ViewNode[] = []

/** Returns the innermost node at one end of a node. */
function leafAtEnd(node: ViewNode, end: 0 | -1): ViewNode | undefined {
  let at: ViewNode | undefined = node
  while (at !== undefined && at.childNodes.length > 0) at = at.childNodes.at(end)
  return at
}
