import { type ChildNode, Document, Element, type Node, type ParentNode, Text } from 'domhandler'
import { arrayOfOne } from '../../base/collections/array-of-one.js'
import { codeAt } from '../../base/collections/code-at.js'
import { keepShape } from '../../base/collections/keep-shape.js'

/** Functions on a page's tree. None recurses, because the tree of a hostile page may have any depth. */

export { Document, Element, Text }
export type { ChildNode, ParentNode }

const sampleText = new Text('a')
sampleText.data = 'b'
sampleText.startIndex = 1
const sampleElement = new Element('a', {})
sampleElement.name = 'b'
sampleElement.attribs = { id: 'a' }
sampleElement.startIndex = 1
sampleElement.endIndex = 1
sampleElement.children = [sampleText]
sampleText.parent = sampleElement
// Otherwise the first `noscript` or `template` that was made a `div` dropped the code of a hundred functions.
keepShape(sampleElement)

/** True for an element. The test of `domhandler` itself takes a tenth of a walk longer. */
export function isElement(node: Node & { readonly type: string }): node is Element {
  const type: string = node.type
  return type === 'tag' || type === 'script' || type === 'style'
}

/** True for a text node. */
export const isText = (node: Node & { readonly type: string }): node is Text => (node.type as string) === 'text'

/** Appends `node` to `parent`. It must not have a parent yet. */
export function append(parent: ParentNode, node: ChildNode): void {
  const last = lastChildOf(parent)
  node.parent = parent
  if (last === undefined) {
    parent.children = arrayOfOne(node)
    return
  }
  last.next = node
  node.prev = last
  parent.children.push(node)
}

/**
 * Returns the last child of a node; undefined without one. An index of -1 would do as well, but V8 looks it up as the name
 * of a property, which took a tenth of the time for a tree.
 */
export const lastChildOf = ({ children }: ParentNode): ChildNode | undefined =>
  children.length === 0 ? undefined : children[children.length - 1]

/** Inserts `node` before `next`. It must not have a parent yet. */
export function insertBefore(next: ChildNode, node: ChildNode): void {
  const { parent } = next
  if (parent === null) return
  parent.children.splice(parent.children.lastIndexOf(next), 0, node)
  node.parent = parent
  node.prev = next.prev
  node.next = next
  if (next.prev !== null) next.prev.next = node
  next.prev = node
}

/** Makes nodes the children of `parent`, in place of those it has. */
export function setChildren(parent: ParentNode, children: ChildNode[]): void {
  parent.children = children
  let last: ChildNode | null = null
  for (const child of children) {
    child.parent = parent
    child.prev = last
    if (last !== null) last.next = child
    last = child
  }
  if (last !== null) last.next = null
}

/** Copies the elements and texts of a tree. */
export function copyTree(root: Document): Document {
  const copy = new Document([])
  let into: ParentNode = copy
  walk(
    root,
    (node) => {
      if (isText(node)) append(into, new Text(node.data))
      if (!isElement(node)) return
      const element = new Element(node.name, { ...node.attribs })
      element.endIndex = node.endIndex
      append(into, element)
      into = element
    },
    () => {
      into = into.parent ?? copy
    },
  )
  return copy
}

/**
 * Unlinks all nodes of a tree that is not needed any more, so that a node which is still referenced does not keep the
 * others in memory.
 *
 * V8's feedback about hidden classes and closures references single nodes until the next full garbage collection. If
 * they are linked, whole pages stay in memory and fill the old generation. The full collections that follow drop the
 * machine code of closures in a thread that idles between pages. With four pages a second, a thread spent two thirds of
 * its time on compiling them again.
 */
export function takeApart(root: ParentNode): void {
  const stack: ChildNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    node.parent = node.prev = node.next = null
    if (!('children' in node) || node.children.length === 0) continue
    for (const child of node.children) stack.push(child)
    // A new array in an old node would be work for each collection of the young generation.
    node.children.length = 0
  }
}

/** A set of nodes, or a test for them. */
export interface NodeSet {
  has(node: ChildNode): boolean
}

/** Answer of a walk's `enter`: `false` skips the descendants of the node, `'stop'` ends the walk. */
type WalkAnswer = boolean | 'stop' | void

/**
 * Visits the descendants of `root` in document order.
 *
 * Walks over whole pages pass functions of their module, and keep what they note in `state`. V8 drops the machine code of
 * a closure in each full garbage collection at whose time no page is being walked with it, and compiles it again for the
 * next pages: more than half of all its compilations in a crawl.
 *
 * @param enter called for each node
 * @param leave called for each element after its descendants, skipped or not
 * @param state passed on to both
 */
export function walk(root: ParentNode, enter: (node: ChildNode) => WalkAnswer, leave?: (element: Element) => void): void
export function walk<State>(
  root: ParentNode,
  enter: (node: ChildNode, state: State) => WalkAnswer,
  leave: ((element: Element, state: State) => void) | undefined,
  state: State,
): void
export function walk(
  root: ParentNode,
  enter: (node: ChildNode, state?: unknown) => WalkAnswer,
  leave?: (element: Element, state?: unknown) => void,
  state?: unknown,
): void {
  let node = root.children[0]
  while (node !== undefined) {
    const answer = enter(node, state)
    if (answer === 'stop') return
    const below: ChildNode | undefined = answer !== false && isElement(node) ? node.children[0] : undefined
    if (below !== undefined) {
      node = below
      continue
    }
    for (let at: ChildNode = node; ;) {
      if (leave !== undefined && isElement(at)) leave(at, state)
      if (at.next !== null) {
        node = at.next
        break
      }
      const parent: ParentNode | null = at.parent
      if (parent === root || parent === null || !isElement(parent)) return
      at = parent
    }
  }
}

/** Concatenates the text below `root`, unchanged. */
export function textOf(root: ParentNode): string {
  const { children } = root
  const only = children.length === 1 ? children[0] : undefined
  if (only !== undefined && isText(only)) return only.data
  const read = { text: '' }
  walk(root, addText, undefined, read)
  return read.text
}

function addText(node: ChildNode, read: { text: string }): void {
  if (isText(node)) read.text += node.data
}

/** Tests whether there is any text below `root` but white space, in elements that are not skipped. */
export function hasText(root: ParentNode, skipped?: NodeSet): boolean {
  const search: TextSearch = { skipped, isFound: false }
  walk(root, findText, undefined, search)
  return search.isFound
}

interface TextSearch {
  readonly skipped: NodeSet | undefined
  isFound: boolean
}

function findText(node: ChildNode, search: TextSearch): WalkAnswer {
  if (isText(node)) {
    if (node.data.trim() === '') return true
    search.isFound = true
    return 'stop'
  }
  return search.skipped === undefined || !isElement(node) || !search.skipped.has(node)
}

/**
 * Replaces each run of white space with one space. The pattern matches only runs that are not one space already: with a
 * match for each word, a text of megabytes would cost more than everything else done with it.
 */
export function singleSpaces(text: string): string {
  // Half of the texts of a page are the line break and the indentation between two tags.
  let at = 0
  while (at < text.length && isSpace(codeAt(text, at))) at += 1
  if (at === text.length) return at === 0 ? text : ' '
  return text.replace(/ {2,}\s*| ?[^\S ]\s*/g, ' ')
}

/** True for white space of ASCII. */
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/** Replaces each run of white space with one space, and trims both ends. */
export const collapse = (text: string): string => singleSpaces(text).trim()

/** Finds the first element below `root` that passes the test, in document order. */
export function findElement(root: ParentNode, passes: (element: Element) => boolean): Element | undefined {
  const search: ElementSearch = { passes, found: undefined }
  walk(root, testElement, undefined, search)
  return search.found
}

interface ElementSearch {
  readonly passes: (element: Element) => boolean
  found: Element | undefined
}

function testElement(node: ChildNode, search: ElementSearch): WalkAnswer {
  if (!isElement(node) || !search.passes(node)) return true
  search.found = node
  return 'stop'
}

/** True for `h1` to `h6`. */
export function isHeading({ name }: Element): boolean {
  const level = name.charCodeAt(1)
  return name.length === 2 && name.startsWith('h') && level >= ONE && level <= SIX
}

const ONE = '1'.charCodeAt(0)
const SIX = '6'.charCodeAt(0)

/** True for an image, also one of AMP, which a script of the page replaces. */
export const isImage = ({ name }: Element): boolean => name === 'img' || name === 'amp-img' || name === 'amp-anim'

/** Returns the language that an element states, in XHTML often as `xml:lang` only. */
const statedLanguage = ({ attribs }: Element): string | undefined => attribs['lang'] ?? attribs['xml:lang']

/** Returns the language that the `html` element or else its body states; undefined without one. */
export function languageOfPage(html: Element): string | undefined {
  const body = html.children.find((child): child is Element => isElement(child) && child.name === 'body')
  return statedLanguage(html)?.trim() || (body && statedLanguage(body)?.trim()) || undefined
}

/** Returns the parent of a node if it is an element; undefined at the root. */
export const parentElement = ({ parent }: ChildNode): Element | undefined =>
  parent !== null && isElement(parent) ? parent : undefined

/** Elements that begin a new line of text. @see https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3 */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noframes ol optgroup option p ' +
    'plaintext pre search section summary table tbody td tfoot th thead tr ul xmp'
  ).split(' '),
)

/** Value of `endIndex`, which nothing else sets, of an element that begins a new line whatever its name. */
const AS_BLOCK = 1

/** True for an element that begins a new line of text, by its name or by what a parser has found out about it. */
export const isBlockElement = ({ name, endIndex }: Element): boolean =>
  endIndex === AS_BLOCK || BLOCK_ELEMENTS.has(name)

/** Makes an element begin a new line of text. Its name and attributes stay as the page has them. */
export function markAsBlock(element: Element): void {
  element.endIndex = AS_BLOCK
}
