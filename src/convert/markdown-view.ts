import type { Element } from '../html/tree.js'

/** What a node of the view becomes in Markdown; each has its writer. */
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

/** Mark-up around a stretch of a line. */
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
 * A node as Turndown reads it: the page's content in the shape that Markdown can express. Blocks lie flat in their list
 * item, quote or cell; a line of text is a paragraph; white space is collapsed and text escaped. Turndown walks it, and its
 * one rule hands each node to the writer of its kind.
 */
export class ViewNode {
  /** 3 for text, else 1. Turndown knows no other. */
  readonly nodeType: 1 | 3
  /** Only whether it is a block is ever asked of the name. */
  readonly nodeName: 'DIV' | 'SPAN'
  /** Empty for what holds none: most nodes are texts, and there are many. */
  readonly childNodes: ViewNode[]
  parentNode: ViewNode | null = null
  previousSibling: ViewNode | null = null
  nextSibling: ViewNode | null = null
  /** Signs taken out of a mark, since they would keep it from being read as one. */
  signsBefore = ''
  signsAfter = ''
  /** How a mark is written: with its signs, or, where they would not be read, as a tag or not at all. */
  writing: 'signs' | 'tag' | 'plain' = 'signs'
  /** Whether a list has other bullets than the one directly before it, with which it would become one. */
  hasOtherBullets = false

  constructor(
    readonly kind: ViewKind,
    /** Text, code, or Markdown that is ready; escaped where the kind needs it. */
    public nodeValue: string = '',
    readonly details: ViewDetails = NO_DETAILS,
  ) {
    this.nodeType = kind === 'text' ? 3 : 1
    this.childNodes = kind === 'text' ? NO_NODES : []
    this.nodeName = BLOCKS.has(kind) ? 'DIV' : 'SPAN'
  }

  /** As much of the text as Turndown needs: whether there is any, and the white space at its ends. */
  get textContent(): string {
    if (this.nodeType === 3 || this.nodeName === 'DIV' || this.childNodes.length === 0) return 'x'
    const first = leafAtEnd(this, 0)
    const last = leafAtEnd(this, -1)
    const before = first?.nodeType === 3 ? first.nodeValue : 'x'
    const after = last?.nodeType === 3 ? last.nodeValue : 'x'
    if (first === last && before.trim() === '') return before
    return `${/^\s*/.exec(before)?.[0] ?? ''}x${/\s$/.test(after) ? after.slice(after.trimEnd().length) : ''}`
  }

  append(child: ViewNode): void {
    const last = this.childNodes.at(-1)
    if (last !== undefined) {
      last.nextSibling = child
      child.previousSibling = last
      if (child.kind === 'list' && last.kind === 'list')
        child.hasOtherBullets = !last.hasOtherBullets && child.details.isOrdered === last.details.isOrdered
    }
    child.parentNode = this
    this.childNodes.push(child)
  }

  /** Takes the place of all children that there were. */
  replaceChildren(children: readonly ViewNode[]): void {
    const all = children.slice()
    this.childNodes.length = 0
    for (const child of all) {
      child.previousSibling = null
      child.nextSibling = null
      child.hasOtherBullets = false
      this.append(child)
    }
  }

  /** Cuts all nodes below this one off from each other, when the view is written: see `takeApart` of trees. */
  takeApart(): void {
    const stack: ViewNode[] = [this]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      node.parentNode = node.previousSibling = node.nextSibling = null
      if (node.childNodes.length === 0) continue
      for (const child of node.childNodes) stack.push(child)
      node.childNodes.length = 0
    }
  }

  /** Turndown works on a copy of what it is given, and this is one already. */
  cloneNode(): this {
    return this
  }
}

/** What a writer needs to know beside the node's content. */
export interface ViewDetails {
  readonly source?: Element
  /** Whether a paragraph is the caption of the picture above it. */
  readonly isCaption?: boolean
  /** A heading's level, from 1. */
  readonly level?: number
  /** A code block's language. */
  readonly language?: string
  /** Whether a list has numbers. */
  readonly isOrdered?: boolean
  /** An item's number; absent for a bullet. */
  readonly number?: number
  /** A task's state. */
  readonly checked?: boolean
  /** Where a link or image leads. */
  readonly href?: string
  readonly title?: string
  /** The rows of a table; `undefined` where a cell reaches in from above or from the left. */
  readonly rows?: () => readonly (readonly (ViewNode | undefined)[])[]
  readonly hasHeader?: boolean
  /** How each column is aligned, where the page says it. */
  readonly alignments?: readonly (Alignment | undefined)[]
  /** Whether code is written as a tag: where backticks would not hold it together. */
  readonly isTag?: boolean
  /** What a footnote is called. */
  readonly label?: string
}

const NO_DETAILS: ViewDetails = {}
const NO_NODES: ViewNode[] = []

/** The innermost node at an end of what a node holds. */
function leafAtEnd(node: ViewNode, end: 0 | -1): ViewNode | undefined {
  let at: ViewNode | undefined = node
  while (at !== undefined && at.childNodes.length > 0) at = at.childNodes.at(end)
  return at
}
