import {
  BLOCK_ELEMENTS,
  type ChildNode,
  type Document,
  type Element,
  isElement,
  isText,
  walk,
  isHeading,
} from '../../content/html/tree.js'
import type { PageBlocks } from './repeated-block.js'

/** A block of the content with text or media. */
export interface ContentBlock {
  readonly element: Element
  /** Hash of its text, its structure and its ancestors: 52 bits, above 0. */
  readonly hash: number
  /** Characters of text without white space. An image or other medium counts as one. */
  readonly characters: number
  /** True for a block of media without any text. */
  readonly isWordless: boolean
  /** Characters of content before it. */
  readonly start: number
  /** Contents that are never boilerplate, however often they repeat. `code` stands for tables and formulas as well. */
  readonly protects: Protection
  /**
   * True if no other block of the page has the same tag names and classes, its own and those of up to two ancestors.
   */
  readonly isAlone: boolean
}

type Protection = 'nothing' | 'heading' | 'code'

/** The blocks of a page's content. */
export interface ContentBlocks {
  /** In document order; ancestors stand before their descendants. */
  readonly blocks: readonly ContentBlock[]
  /** Hash of the whole content, 52 bits. */
  readonly whole: number
  readonly characters: number
}

/** A block during the walk, and after. */
interface OpenBlock {
  readonly element: Element | undefined
  readonly outer: OpenBlock | undefined
  readonly start: number
  readonly name: number
  readonly place: number
  high: number
  low: number
  characters: number
  media: number
  protects: Protection
}

const IS_BLOCK = 1
/** Elements that are not divided: an item of a list or a definition is no block of its own. */
const IS_UNDIVIDED = 1 << 1
const IS_CODE_OR_TABLE = 1 << 2
const IS_MEDIA = 1 << 3
const IS_HEADING = 1 << 4

const UNDIVIDED = 'ul ol dl menu dir pre table figure select svg math'.split(' ')
const CODE_OR_TABLE = 'pre code samp table math listing xmp plaintext'.split(' ')
const MEDIA_ELEMENTS: ReadonlySet<string> = new Set('img video audio iframe embed object'.split(' '))

/** Flags of elements by name: one lookup for each element in place of six. */
const FLAGS: ReadonlyMap<string, number> = readFlags()

function readFlags(): Map<string, number> {
  const flags = new Map<string, number>()
  const add = (names: Iterable<string>, added: number): void => {
    for (const name of names) flags.set(name, (flags.get(name) ?? 0) | added)
  }
  add(BLOCK_ELEMENTS, IS_BLOCK)
  add(UNDIVIDED, IS_BLOCK | IS_UNDIVIDED)
  add(CODE_OR_TABLE, IS_CODE_OR_TABLE)
  add(MEDIA_ELEMENTS, IS_MEDIA)
  add('h1 h2 h3 h4 h5 h6'.split(' '), IS_HEADING)
  return flags
}

const flagsOf = (name: string): number => FLAGS.get(name) ?? (name.includes('-') ? IS_BLOCK : 0)

/** Reads the blocks of a content in one walk. */
export function readContentBlocks(content: Document): ContentBlocks {
  const reader = new BlockReader()
  walk(content, enterNode, leaveElement, reader)
  return { blocks: settle(reader.read), whole: hashOf(reader.root), characters: reader.position }
}

const enterNode = (node: ChildNode, reader: BlockReader): boolean => reader.enter(node)
const leaveElement = (element: Element, reader: BlockReader): void => reader.leave(element)

class BlockReader {
  readonly root = begin(undefined, 0, undefined)
  /** Blocks in document order. */
  readonly read: OpenBlock[] = []
  /** Characters of content so far. */
  position = 0
  #top = this.root
  #undivided: Element | undefined

  enter(node: ChildNode): boolean {
    if (isText(node)) {
      this.position += readText(node.data, this.#top)
      return false
    }
    if (!isElement(node)) return false
    const flags = flagsOf(node.name)
    if (this.#undivided === undefined && (flags & IS_BLOCK) !== 0) {
      this.#top = begin(node, this.position, this.#top)
      this.read.push(this.#top)
      if ((flags & IS_UNDIVIDED) !== 0) this.#undivided = node
    }
    readTag(node, flags, this.#top)
    if ((flags & IS_MEDIA) === 0) return true
    this.#top.characters += 1
    this.#top.media += 1
    this.position += 1
    return true
  }

  leave(element: Element): void {
    if (this.#undivided === element) this.#undivided = undefined
    const { outer } = this.#top
    if (this.#top.element !== element || outer === undefined) return
    include(this.#top, outer)
    this.#top = outer
  }
}

/** Selects the hashes of blocks that are compared with other pages. */
export function describeBlocks({ blocks, whole, characters }: ContentBlocks): PageBlocks {
  const near = blocks.filter((block) => mayRepeat(block, characters))
  const compared = near.length <= MAX_BLOCKS ? near : [...near.slice(0, MAX_BLOCKS / 2), ...near.slice(-MAX_BLOCKS / 2)]
  const hashes = new Float64Array(compared.length)
  const droppable = new Uint8Array(compared.length)
  for (const [at, block] of compared.entries()) {
    hashes[at] = block.isAlone ? block.hash : -block.hash
    if (isDroppable(block)) droppable[at] = 1
  }
  return compared === near ? { whole, hashes, droppable } : { whole, hashes }
}

/** Maximum blocks of a page that are compared. */
export const MAX_BLOCKS = 256
/**
 * Distance from the start and end of the content, in characters, within which a block may be boilerplate even if it is
 * not alone ({@link ContentBlock.isAlone}).
 */
const BORDER_LENGTH = 4000

/** True for a block that may be boilerplate by its position. A block with most of the page's text is its content. */
export function mayRepeat({ start, characters, isAlone }: ContentBlock, whole: number): boolean {
  if (characters * 2 > whole) return false
  return isAlone || start < BORDER_LENGTH || whole - start - characters < BORDER_LENGTH
}

/**
 * Minimum length of a dropped block, in characters. Shorter ones often belong to the text although they repeat: `New in
 * version 3.8.`, `Package java.util.concurrent`.
 */
const MIN_BLOCK_LENGTH = 40

/** False for a block that is kept although it repeats: a short one, a heading, and one with code or a table. */
export function isDroppable({ element, characters, isWordless, protects }: ContentBlock): boolean {
  if (characters < MIN_BLOCK_LENGTH && !isWordless) return false
  return protects !== 'code' && !isHeading(element)
}

export const isMediaElement = (name: string): boolean => MEDIA_ELEMENTS.has(name)

function begin(element: Element | undefined, start: number, outer: OpenBlock | undefined): OpenBlock {
  const name = hashText(element?.name ?? '', 0)
  const place = mix(mix(mix(name, readClasses(element)), outer?.name ?? 0), outer?.outer?.name ?? 0)
  return { element, outer, start, name, place, high: name, low: place, characters: 0, media: 0, protects: 'nothing' }
}

/** Hashes the class names of an element. Digits are skipped: they count pages, columns and posts. */
function readClasses(element: Element | undefined): number {
  const names = element?.attribs['class']
  let hash = FNV_OFFSET
  if (names === undefined) return hash
  for (let at = 0; at < names.length; at += 1) {
    const code = names.charCodeAt(at)
    if (code > 32 && (code < 48 || code > 57)) hash = Math.imul(hash ^ code, FNV_PRIME)
  }
  return hash
}

/** Adds text to the hash of its block, and returns its length. */
function readText(text: string, to: OpenBlock): number {
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

/** Adds a tag to the hash of its block: the target of a link and the source of an image are part of its content. */
function readTag({ name, attribs }: Element, flags: number, to: OpenBlock): void {
  if ((flags & IS_CODE_OR_TABLE) !== 0) to.protects = 'code'
  else if ((flags & IS_HEADING) !== 0 && to.protects === 'nothing') to.protects = 'heading'
  to.low = mix(to.low, hashText(addressOf(name, attribs) ?? name, 1))
}

function addressOf(name: string, attribs: Element['attribs']): string | undefined {
  // The query of a link often only names the page that it is on: `/login?next=/docs/a`.
  if (name === 'a') return withoutQuery(attribs['href'])
  return attribs['src'] ?? attribs['srcset'] ?? attribs['data']
}

const withoutQuery = (address: string | undefined): string | undefined =>
  address?.includes('?') === true ? address.replace(/\?[^#]*/, '') : address

function include(inner: OpenBlock, outer: OpenBlock): void {
  outer.high = mix(outer.high, inner.high)
  outer.low = mix(outer.low, inner.low)
  outer.characters += inner.characters
  outer.media += inner.media
  if (inner.protects === 'code' || outer.protects === 'nothing') outer.protects = inner.protects
}

function settle(read: readonly OpenBlock[]): ContentBlock[] {
  const places = new Map<number, number>()
  for (const { place, characters } of read) if (characters > 0) places.set(place, (places.get(place) ?? 0) + 1)
  const blocks: ContentBlock[] = []
  for (const block of read) {
    const { element, start, place, characters, media, protects } = block
    if (element === undefined || characters === 0) continue
    const isAlone = places.get(place) === 1
    blocks.push({
      element,
      start,
      characters,
      isWordless: characters === media,
      protects,
      hash: hashOf(block),
      isAlone,
    })
  }
  return blocks
}

/** Joins two words to 52 bits, which a number stores exactly; never 0. */
const hashOf = ({ high, low, place }: OpenBlock): number =>
  ((scatter(high) ^ place) >>> 0) * 0x10_0000 + (scatter(low) >>> 12) + 1

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

function hashText(text: string, seed: number): number {
  let hash = FNV_OFFSET ^ seed
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return hash
}

const mix = (into: number, word: number): number => scatter(Math.imul(into, 0x9e3779b1) + word)

/** The final mix of MurmurHash3. */
function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
