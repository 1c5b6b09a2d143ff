import type { AddressWriter } from '../../html/link-resolver.js'
import {
  type ChildNode,
  Document,
  Element,
  type NodeSet,
  type ParentNode,
  Text,
  findElement,
  isElement,
  isText,
  setChildren,
  textOf,
  walk,
} from '../../html/tree.js'
import { cleanElement, disclose } from './clean-element.js'

/** A choice of content. */
interface ContentChoice {
  /** The kept parts of the page, in document order, none inside another. */
  readonly roots: readonly Element[]
  readonly dropped: NodeSet
  /** Returns the images that replace a `noscript`. */
  readonly readNoscript: (noscript: Element) => readonly Element[]
  /** Hidden elements that a control opens; they become visible. */
  readonly disclosed: ReadonlySet<Element>
  readonly addresses: AddressWriter
}

/** A part of the content, still in the page. */
interface Part {
  readonly root: Element
  readonly kept: readonly Element[]
  /** Nodes that are not content, in document order, with what replaces each. */
  readonly replaced: ReadonlyMap<ChildNode, readonly Element[]>
}

/**
 * Moves the kept parts of a page to a tree of their own, with absolute URLs. What is dropped stays in the page, in
 * document order. A copy of the kept parts would take a sixth of all memory that a digest allocates.
 */
export function moveContent(choice: ContentChoice): Document {
  // Everything is decided before anything is changed, because a decision about an element may read others.
  const parts = choice.roots.map((root) => readPart(root, choice))
  for (const { kept } of parts) cleanElements(kept, choice)
  for (const { replaced } of parts) replaceNodes(parentsOf(replaced.keys()), replaced)
  // The body element itself is not content.
  const contents = parts.map(({ root }): readonly ChildNode[] => (root.name === 'body' ? root.children : [root]))
  const dropped = new Map(parts.map(({ root, replaced }): [Element, ChildNode[]] => [root, [...replaced.keys()]]))
  for (const [root, nodes] of dropped) if (root.name === 'body') setChildren(root, nodes)
  const moved = choice.roots.filter(({ name }) => name !== 'body')
  replaceNodes(parentsOf(moved), dropped)
  const document = new Document([])
  // Keeps the words of separate parts apart.
  setChildren(
    document,
    contents.flatMap((nodes, at) => (at === 0 ? nodes : [new Text('\n'), ...nodes])),
  )
  return document
}

/**
 * Cleans the elements that are kept. In one function with what follows, V8 compiled the loop together with it, and left that
 * code again at its end on each page, for hundreds of pages.
 */
function cleanElements(kept: readonly Element[], { addresses, disclosed }: ContentChoice): void {
  for (const element of kept) {
    cleanElement(element, addresses)
    if (disclosed.size > 0 && disclosed.has(element)) disclose(element)
  }
}

function readPart(root: Element, choice: ContentChoice): Part {
  const kept = root.name === 'body' ? [] : [root]
  const replaced = new Map<ChildNode, readonly Element[]>()
  walk(root, divideNode, undefined, { choice, kept, replaced })
  return { root, kept, replaced }
}

interface PartReading {
  readonly choice: ContentChoice
  readonly kept: Element[]
  readonly replaced: Map<ChildNode, readonly Element[]>
}

function divideNode(node: ChildNode, { choice, kept, replaced }: PartReading): boolean {
  if (isElement(node)) {
    const others = replacementOf(node, choice)
    if (others === undefined) {
      kept.push(node)
      return true
    }
    replaced.set(node, others)
  } else if (!isText(node) || choice.dropped.has(node)) replaced.set(node, NOTHING)
  return false
}

const NOTHING: readonly Element[] = []

/** Returns the elements that replace an element in the content; undefined for one that is kept. */
function replacementOf(
  element: Element,
  { dropped, readNoscript, addresses }: ContentChoice,
): readonly Element[] | undefined {
  const { name, attribs } = element
  // MathJax stores formulas in script elements of a type of its own.
  if (name === 'script' && /^math\/(?:tex|latex)/i.test(attribs['type'] ?? '')) return [formulaOf(element)]
  if (name === 'script' && /^math\/asciimath/i.test(attribs['type'] ?? ''))
    return isAfterMath(element) ? NOTHING : [codeOf(element)]
  if (!dropped.has(element)) return undefined
  return name === 'noscript'
    ? readNoscript(element).flatMap((image) => (dropped.has(image) ? [] : copyImage(image, addresses)))
    : NOTHING
}

function copyImage(image: Element, addresses: AddressWriter): Element {
  const copy = new Element(image.name, { ...image.attribs })
  cleanElement(copy, addresses, image)
  return copy
}

const formulaOf = (script: Element): Element =>
  new Element('math', {
    alttext: textOf(script),
    ...(/mode\s*=\s*display/i.test(script.attribs['type'] ?? '') && { display: 'block' }),
  })

/** Returns AsciiMath as code: it is no TeX, and is written to be read as it stands. */
function codeOf(script: Element): Element {
  const code = new Element('code', {})
  setChildren(code, [new Text(textOf(script))])
  return code
}

/** True for a script after the same formula in MathML. */
const isAfterMath = ({ prev }: Element): boolean =>
  prev !== null && isElement(prev) && findElement(prev, ({ name }) => name === 'math') !== undefined

/** Replaces children of some elements. Each list of children is made once, however many of them are replaced. */
function replaceNodes(parents: Iterable<ParentNode>, replaced: ReadonlyMap<ChildNode, readonly ChildNode[]>): void {
  for (const parent of parents) {
    const children: ChildNode[] = []
    for (const child of parent.children) {
      const others = replaced.get(child)
      if (others === undefined) children.push(child)
      else for (const other of others) children.push(other)
    }
    setChildren(parent, children)
  }
}

function parentsOf(nodes: Iterable<ChildNode>): Set<ParentNode> {
  const parents = new Set<ParentNode>()
  for (const { parent } of nodes) if (parent !== null) parents.add(parent)
  return parents
}
