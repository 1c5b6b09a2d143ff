import { BLOCK_ELEMENTS, type Document, type Element, isElement, isText, walk } from '../../html/tree.js'
import type { PageBlocks } from './repeated-block.js'

/** A block of the content: one that has text or pictures. */
export interface ContentBlock {
  readonly element: Element
  /** What it says, how it is built and in what it stands: 52 bits, above 0. */
  readonly hash: number
  /** Characters of text, white space aside; a picture counts for one. */
  readonly characters: number
  /** Pictures alone, without a word. */
  readonly isWordless: boolean
  /** Characters of the content before it. */
  readonly start: number
  /** What it holds that is never boilerplate, whatever repeats it; `code` stands for tables and formulas as well. */
  readonly keeps: Keeps
  /** Whether nothing else on the page stands in a place like its own. */
  readonly isAlone: boolean
}

export type Keeps = 'nothing' | 'heading' | 'code'

/** The blocks of a page's content. */
export interface ContentBlocks {
  /** In document order, what lies around others before them. */
  readonly blocks: readonly ContentBlock[]
  /** The content as a whole, 52 bits. */
  readonly whole: number
  readonly characters: number
}

/** A block while it is read, and after. */
interface Reading {
  readonly element: Element | undefined
  readonly start: number
  readonly name: number
  readonly place: number
  high: number
  low: number
  characters: number
  pictures: number
  keeps: Keeps
}

const CODE_OR_TABLE = new Set(['pre', 'code', 'samp', 'table', 'math', 'listing', 'xmp', 'plaintext'])
/** What is taken as it is: an item of a list, or what a definition says, is no block of its own. */
const UNDIVIDED = new Set(['ul', 'ol', 'dl', 'menu', 'dir', 'pre', 'table', 'figure', 'select', 'svg', 'math'])
const PICTURES = new Set(['img', 'video', 'audio', 'iframe', 'embed', 'object'])

/** Reads the blocks of a content in one walk. */
export function readContentBlocks(content: Document): ContentBlocks {
  const root = begin(undefined, 0, [])
  const open: Reading[] = [root]
  const read: Reading[] = []
  let top = root
  let undivided: Element | undefined
  let position = 0
  walk(
    content,
    (node) => {
      if (isText(node)) position += readText(node.data, top)
      if (!isElement(node)) return false
      const { name } = node
      if (undivided === undefined && isBlock(name)) {
        top = begin(node, position, open)
        open.push(top)
        read.push(top)
        if (UNDIVIDED.has(name)) undivided = node
      }
      readTag(node, top)
      if (!PICTURES.has(name)) return true
      top.characters += 1
      top.pictures += 1
      position += 1
      return true
    },
    (element) => {
      if (undivided === element) undivided = undefined
      if (top.element !== element) return
      open.pop()
      const outer = open.at(-1) ?? root
      include(top, outer)
      top = outer
    },
  )
  return { blocks: settle(read), whole: hashOf(root), characters: position }
}

/** What of the blocks is compared with other pages. */
export function describeBlocks({ blocks, whole, characters }: ContentBlocks): PageBlocks {
  const near = blocks.filter((block) => mayRepeat(block, characters))
  const compared = near.length <= MAX_BLOCKS ? near : [...near.slice(0, MAX_BLOCKS / 2), ...near.slice(-MAX_BLOCKS / 2)]
  return { whole, hashes: Float64Array.from(compared, ({ hash, isAlone }) => (isAlone ? hash : -hash)) }
}

/** Blocks of a page that are compared. */
const MAX_BLOCKS = 256
/** How far from the borders of the content a block is looked for that shares its place with others. Characters. */
const BORDER = 4000

/** Whether a block can be boilerplate by where it stands. What makes up most of a page is its content. */
export function mayRepeat({ start, characters, isAlone }: ContentBlock, whole: number): boolean {
  if (characters * 2 > whole) return false
  return isAlone || start < BORDER || whole - start - characters < BORDER
}

export const isHeading = (name: string): boolean => /^h[1-6]$/.test(name)

export const isPicture = (name: string): boolean => PICTURES.has(name)

const isBlock = (name: string): boolean => BLOCK_ELEMENTS.has(name) || UNDIVIDED.has(name) || name.includes('-')

function begin(element: Element | undefined, start: number, around: readonly Reading[]): Reading {
  const name = hashText(element?.name ?? '', 0)
  const outer = around.at(-1)?.name ?? 0
  const place = mix(mix(mix(name, readClasses(element)), outer), around.at(-2)?.name ?? 0)
  return { element, start, name, place, high: name, low: place, characters: 0, pictures: 0, keeps: 'nothing' }
}

/** Numbers in class names count pages, columns and posts. */
const readClasses = (element: Element | undefined): number =>
  hashText(element?.attribs['class'] ?? '', 0, isNumberOrSpace)

const isNumberOrSpace = (code: number): boolean => code <= 32 || (code >= 48 && code <= 57)

/** Adds the text to the block that it stands in, and gives back how much it is. */
function readText(text: string, to: Reading): number {
  let { high, low } = to
  let characters = 0
  let isApart = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === 0xa0) {
      isApart = true
      continue
    }
    if (isApart && characters + to.characters > 0) low = Math.imul(low ^ 32, 0x01000193)
    isApart = false
    high = Math.imul(high ^ code, 0x85ebca6b) + 1
    low = Math.imul(low ^ code, 0x01000193)
    characters += 1
  }
  if (characters === 0) return 0
  to.high = high ^ (high >>> 15)
  to.low = low
  to.characters += characters
  return characters
}

/** Where a link leads, and what a picture shows, is part of what a block says. */
function readTag({ name, attribs }: Element, to: Reading): void {
  if (CODE_OR_TABLE.has(name)) to.keeps = 'code'
  else if (to.keeps === 'nothing' && isHeading(name)) to.keeps = 'heading'
  to.low = mix(to.low, hashText(addressOf(name, attribs) ?? name, 1))
}

function addressOf(name: string, attribs: Element['attribs']): string | undefined {
  // The query of a link often only says where from: `/login?next=/docs/a`.
  if (name === 'a') return attribs['href']?.replace(/\?[^#]*/, '')
  return attribs['src'] ?? attribs['srcset'] ?? attribs['data']
}

function include(inner: Reading, outer: Reading): void {
  outer.high = mix(outer.high, inner.high)
  outer.low = mix(outer.low, inner.low)
  outer.characters += inner.characters
  outer.pictures += inner.pictures
  if (inner.keeps === 'code' || outer.keeps === 'nothing') outer.keeps = inner.keeps
}

function settle(read: readonly Reading[]): ContentBlock[] {
  const filled = read.filter(({ characters }) => characters > 0)
  const places = new Map<number, number>()
  for (const { place } of filled) places.set(place, (places.get(place) ?? 0) + 1)
  return filled.flatMap((block) => {
    const { element, start, place, characters, pictures, keeps } = block
    if (element === undefined) return []
    const isAlone = places.get(place) === 1
    const isWordless = characters === pictures
    return [{ element, start, characters, isWordless, keeps, hash: hashOf(block), isAlone }]
  })
}

/** The 52 bits of two words that a number holds without loss; never 0. */
const hashOf = ({ high, low, place }: Reading): number =>
  ((scatter(high) ^ place) >>> 0) * 0x10_0000 + (scatter(low) >>> 12) + 1

function hashText(text: string, seed: number, isSkipped?: (code: number) => boolean): number {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!isSkipped?.(code)) hash = Math.imul(hash ^ code, 0x01000193)
  }
  return hash
}

const mix = (into: number, word: number): number => scatter(Math.imul(into, 0x9e3779b1) + word)

/** The last step of MurmurHash3. */
function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
