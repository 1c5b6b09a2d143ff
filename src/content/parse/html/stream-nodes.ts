import { type ChildNode, Element, type Text, append, isText, parentElement, takeApart } from '../../html/tree.js'
import { tokenizePage } from './build-tree.js'
import { isShadowRoot } from './fill-slots.js'
import type { NodePlacer } from './node-placer.js'
import { isPlace } from './place-streamed-parts.js'
import { TreeBuilder, type TreeLimits } from './tree-builder.js'

/** Reads the nodes of a page in document order. */
export interface NodeReader {
  /** Reads the start of an element. @returns true to get the element with its contents when it ends */
  enter(element: Element): boolean
  /** Reads the end of an element. It has its contents if `enter` returned true for it, and loses them afterwards. */
  leave(element: Element): void
  /** Reads a text. */
  addText(text: Text): void
  /** True while it depends on the open elements how nodes are read, so that no open element may move. */
  readonly isWithin: boolean
}

/** Thrown if a page cannot be read without a tree. */
export class NeedsTree extends Error {}

/** Result of reading a page without a tree. */
interface StreamedNodes {
  readonly html: Element
  /** First `<base href>`, as written. */
  readonly baseHref: string | undefined
  /** The different lists of classes of the page's elements. */
  readonly classes: ReadonlySet<string>
}

/**
 * Reads the nodes of an HTML page as they are in its tree, by the rules of the tree builder, without building the tree.
 *
 * @param bytes what the source was decoded from, if it is known
 * @throws NeedsTree if a node has another place in the tree than in the source, as text in a table outside of its cells
 * @throws TooManyNodes
 */
export function streamNodes(source: string, limits: TreeLimits, reader: NodeReader, bytes?: Uint8Array): StreamedNodes {
  const stream = new NodeStream(reader)
  const builder = new TreeBuilder(limits, stream)
  tokenizePage(source, builder, limits, bytes)
  stream.end()
  return { html: builder.html, baseHref: builder.baseHref, classes: builder.classes }
}

/**
 * Passes nodes to a reader. They know their parents only, but for the contents that the reader wants to have whole.
 *
 * The end of an element is where a node comes that is not in it.
 */
class NodeStream implements NodePlacer {
  readonly #reader: NodeReader
  readonly #open: Element[] = []
  /** The node that came last. */
  #last: ChildNode | undefined
  /** Outermost open element whose contents are linked. */
  #kept: Element | undefined

  constructor(reader: NodeReader) {
    this.#reader = reader
  }

  place(node: ChildNode, parent: Element, before: Element | undefined): void {
    if (before !== undefined) throw new NeedsTree()
    this.#endText()
    this.#closeTo(parent)
    this.#last = node
    if (this.#kept === undefined) node.parent = parent
    else append(parent, node)
    if (!(node instanceof Element)) return
    if (isPlace(node) || isShadowRoot(node)) throw new NeedsTree()
    this.#open.push(node)
    if (this.#reader.enter(node)) this.#kept ??= node
  }

  textAt(parent: Element, before: Element | undefined): Text | undefined {
    if (before !== undefined) throw new NeedsTree()
    const last = this.#last
    return last !== undefined && isText(last) && last.parent === parent ? last : undefined
  }

  isEmpty(parent: Element): boolean {
    return this.#last === parent
  }

  moveOut(element: Element, blocks: readonly Element[]): number {
    const [outermost] = blocks
    if (this.#reader.isWithin || this.#kept !== undefined || outermost === undefined) throw new NeedsTree()
    // The reader was told of all elements around the blocks, which stay around them but for this one.
    if (parentElement(outermost) !== element) throw new NeedsTree()
    this.#endText()
    outermost.parent = element.parent
    // Contents so far are in a copy of the element now, which further text does not extend.
    if (this.#last !== blocks.at(-1)) this.#last = undefined
    return blocks.length
  }

  /** Ends all elements. */
  end(): void {
    this.#endText()
    while (this.#open.length > 0) this.#leave()
  }

  /** Passes on the last text, to which the tree builder adds until another node comes. */
  #endText(): void {
    if (this.#last !== undefined && isText(this.#last)) this.#reader.addText(this.#last)
  }

  #closeTo(parent: Element): void {
    const open = this.#open
    while (open.length > 0 && open[open.length - 1] !== parent) this.#leave()
    if (open.length === 0 && parent.name !== 'body' && parent.name !== 'head') throw new NeedsTree()
  }

  #leave(): void {
    const element = this.#open.pop()
    if (element === undefined) return
    this.#reader.leave(element)
    if (element !== this.#kept) return
    this.#kept = undefined
    takeApart(element)
  }
}
