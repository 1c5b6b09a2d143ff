import { codeAt } from '../../base/collections/code-at.js'
import { isWordCode } from './text-weight.js'
import {
  BLOCK_ELEMENTS,
  type ChildNode,
  type Element,
  isBlockElement,
  isElement,
  isText,
  type ParentNode,
} from './tree.js'

/** Flags of a node. A node has several. */
export const TEXT = 1
export const ELEMENT = 1 << 1
/** Elements that begin a new line of text. */
export const BLOCK = 1 << 2
export const LINE_BREAK = 1 << 3
/** An `a` element with a target. */
export const LINK = 1 << 4
/** Elements that may tell a fact about the page, or lead to another page. */
export const FACT = 1 << 5
/** Elements around the content: navigation, header, footer, dialogs, controls, drawings. */
export const FRAME = 1 << 6
export const CODE_BLOCK = 1 << 7
export const CELL = 1 << 8
/** Elements that are never shown, some of them only in certain places. */
export const MAY_BE_UNSHOWN = 1 << 9
export const NOSCRIPT = 1 << 10
export const DIALOG = 1 << 11
/** Buttons and fields. */
export const CONTROL = 1 << 22
/** A text with a digit. */
export const HAS_DIGIT = 1 << 12
/** A text with punctuation that ends sentences or their parts. */
export const HAS_STOP = 1 << 13
/** Elements with styles: style sheets, the `font` of old HTML, drawn texts; and those whose text is shown where they are not. */
export const STYLE_SHEET = 1 << 23
/** A text with signs that nobody sees. */
export const HAS_UNSEEN_SIGN = 1 << 24
/** Attributes of an element. */
export const HAS_CLASS = 1 << 14
export const HAS_ID = 1 << 15
export const HAS_ROLE = 1 << 16
export const HAS_STYLE = 1 << 17
export const HAS_HIDDEN = 1 << 18
export const HAS_OTHER = 1 << 19
export const HAS_ATTRIBUTES = HAS_CLASS | HAS_ID | HAS_ROLE | HAS_STYLE | HAS_HIDDEN | HAS_OTHER

const ATTRIBUTES: ReadonlyMap<string, number> = new Map([
  ['class', HAS_CLASS],
  ['id', HAS_ID],
  ['role', HAS_ROLE],
  ['style', HAS_STYLE],
  ['hidden', HAS_HIDDEN],
  ['itemprop', HAS_OTHER | FACT],
  ['itemscope', HAS_OTHER | FACT],
])

const ELEMENTS: readonly (readonly [flag: number, names: Iterable<string>])[] = [
  [BLOCK, BLOCK_ELEMENTS],
  [LINE_BREAK, ['br']],
  [FACT, 'html title meta script a link area iframe frame svg'.split(' ')],
  [FRAME, 'nav header footer dialog select svg math'.split(' ')],
  [CODE_BLOCK, ['pre']],
  [CELL, ['td', 'th']],
  [MAY_BE_UNSHOWN, 'script style link meta base title head param track datalist template input'.split(' ')],
  [NOSCRIPT, ['noscript']],
  [DIALOG, ['dialog']],
  [STYLE_SHEET, 'style link font text foreignObject foreignobject canvas video audio'.split(' ')],
  [CONTROL, 'button select textarea input'.split(' ')],
]

const FLAGS: ReadonlyMap<string, number> = readFlags()

function readFlags(): Map<string, number> {
  const flags = new Map<string, number>()
  for (const [flag, names] of ELEMENTS) for (const name of names) flags.set(name, (flags.get(name) ?? ELEMENT) | flag)
  return flags
}

/**
 * The nodes of a page in document order, with facts that several readers need. A reader that loops over them takes a
 * fifth of the time of a walk with callbacks, and each text is read once for all.
 *
 * The index of a node is its `startIndex`. A list is valid until the tree changes; all lists of one tree are the same.
 */
export class PageNodes {
  readonly nodes: readonly ChildNode[]
  /** Flags of each node. */
  readonly kinds: Int32Array
  /** Index after the last descendant of each node. */
  readonly ends: Int32Array
  /** Index of the element around each node; -1 without one. */
  readonly parents: Int32Array
  /** Characters of each text with runs of white space as one; 0 for white space alone. */
  readonly lengths: Int32Array
  /** Characters of each text without white space at its ends. */
  readonly trimmedLengths: Int32Array
  /** Words of each text, divided by white space. Each character of Chinese and Japanese is one. */
  readonly words: Int32Array
  /** The flags that any of the nodes has. */
  flags: number
  readonly #root: ParentNode

  constructor(root: ParentNode) {
    this.#root = root
    this.flags = 0
    const nodes: ChildNode[] = []
    this.nodes = nodes
    list(root, nodes)
    const { length } = nodes
    const memory = new Int32Array(6 * length)
    this.kinds = memory.subarray(0, length)
    this.ends = memory.subarray(length, 2 * length)
    this.parents = memory.subarray(2 * length, 3 * length)
    this.lengths = memory.subarray(3 * length, 4 * length)
    this.trimmedLengths = memory.subarray(4 * length, 5 * length)
    this.words = memory.subarray(5 * length)
    this.#readNodes(root)
  }

  /** Returns the index of a node; -1 for one that is not in the list, such as its root. */
  indexOf(node: ChildNode): number {
    const { startIndex } = node
    return startIndex !== null && this.nodes[startIndex] === node ? startIndex : -1
  }

  /** Returns the index after the last descendant of a node; 0 for one that is neither in the list nor its root. */
  endOf(node: ChildNode): number {
    return node === this.#root ? this.nodes.length : (this.ends[this.indexOf(node)] ?? 0)
  }

  /** Returns an array with 1 for each node of a set. */
  mark(marked: Iterable<ChildNode>): Uint8Array {
    const marks = new Uint8Array(this.nodes.length)
    for (const node of marked) {
      const at = this.indexOf(node)
      if (at !== -1) marks[at] = 1
    }
    return marks
  }

  #readNodes(root: ParentNode): void {
    const { nodes, kinds, ends, parents } = this
    let open = -1
    for (let at = 0; at < nodes.length; at += 1) {
      const node = nodes[at]
      if (node === undefined) continue
      // Elements that end before this node are closed.
      while (open !== -1 && nodes[open] !== node.parent) {
        ends[open] = at
        open = parents[open] ?? -1
      }
      parents[at] = open
      if (isText(node)) {
        ends[at] = at + 1
        const around = node.parent
        // The text of these two is not language.
        kinds[at] =
          around !== root &&
          around !== null &&
          isElement(around) &&
          (around.name === 'script' || around.name === 'style')
            ? TEXT
            : this.#readText(at, node.data)
      } else if (isElement(node)) {
        kinds[at] = flagsOf(node)
        open = at
      } else ends[at] = at + 1
      this.flags |= kinds[at] ?? 0
    }
    for (; open !== -1; open = parents[open] ?? -1) ends[open] = nodes.length
  }

  #readText(index: number, data: string): number {
    const { length } = data
    let flags = TEXT
    let first = -1
    let last = -1
    let signs = 0
    let spaces = 0
    let words = 0
    let isAfterSpace = false
    let isInWord = false
    for (let at = 0; at < length; at += 1) {
      const code = codeAt(data, at)
      const type = code < 128 ? (CHARACTERS[code] ?? 0) : typeOfRare(code)
      if ((type & SPACE) !== 0) {
        if (!isAfterSpace) spaces += 1
        isAfterSpace = true
        if ((type & DIVIDES) !== 0) isInWord = false
        else if (!isInWord) {
          words += 1
          isInWord = true
        }
        continue
      }
      isAfterSpace = false
      if (first === -1) first = at
      last = at
      signs += 1
      const isWhole = code >= 0x3040 && isWordCode(code)
      if (!isInWord || isWhole) words += 1
      isInWord = !isWhole
      flags |= type
    }
    this.words[index] = words
    if (first === -1) return flags
    this.lengths[index] = signs + spaces
    this.trimmedLengths[index] = last + 1 - first
    return flags
  }
}

/** Lists the nodes of the page around an element. */
export function listNodes(element: ParentNode): PageNodes {
  let root = element
  while (root.parent !== null) root = root.parent
  return new PageNodes(root)
}

function list(root: ParentNode, nodes: ChildNode[]): void {
  let node = root.children[0]
  while (node !== undefined) {
    node.startIndex = nodes.length
    nodes.push(node)
    const below: ChildNode | undefined = isElement(node) ? node.children[0] : undefined
    if (below !== undefined) {
      node = below
      continue
    }
    let at: ChildNode = node
    while (at.next === null) {
      const { parent }: ChildNode = at
      if (parent === root || parent === null || !isElement(parent)) return
      at = parent
    }
    node = at.next
  }
}

function flagsOf(element: Element): number {
  const { name, attribs } = element
  let flags = FLAGS.get(name) ?? (isBlockElement(element) ? ELEMENT | BLOCK : ELEMENT)
  for (const attribute in attribs) flags |= ATTRIBUTES.get(attribute) ?? HAS_OTHER
  return name === 'a' && attribs['href'] !== undefined ? flags | LINK : flags
}

/** White space, and the part of it that divides words. */
const SPACE = 1 << 20
const DIVIDES = 1 << 21

const CHARACTERS: Int32Array = readCharacters()

function readCharacters(): Int32Array {
  const types = new Int32Array(128)
  for (const sign of '.!?;:,') types[sign.charCodeAt(0)] = HAS_STOP
  for (const digit of '0123456789') types[digit.charCodeAt(0)] = HAS_DIGIT
  for (const space of ' \t\n\v\f\r') types[space.charCodeAt(0)] = SPACE | DIVIDES
  return types
}

const RARE: ReadonlyMap<number, number> = new Map([
  ...Array.from('。、，！？؟।', (sign): [number, number] => [sign.charCodeAt(0), HAS_STOP]),
  ...Array.from(
    '\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
    (space): [number, number] => [space.charCodeAt(0), SPACE],
  ),
  [0xa0, SPACE | DIVIDES],
  // The first half of tags and of further variation selectors, what turns letters around, and what has no width.
  ...Array.from(
    '\udb40\u202d\u202e\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064',
    (sign): [number, number] => [sign.charCodeAt(0), HAS_UNSEEN_SIGN],
  ),
  ...Array.from({ length: 16 }, (_, at): [number, number] => [0xfe00 + at, HAS_UNSEEN_SIGN]),
])

const typeOfRare = (code: number): number => RARE.get(code) ?? 0
