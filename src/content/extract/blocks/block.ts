import { keepShape } from '../../../base/collections/keep-shape.js'
import { collapse, Element, type Text } from '../../html/tree.js'
import { countWords } from '../../../base/text/words-in.js'

/** An element with totals over all of its descendants. */
export interface Region {
  /** Index among the regions of the page. */
  readonly at: number
  readonly element: Element
  readonly parent: Region | undefined
  /** 0 for the page's body. */
  readonly depth: number
  /** Visible text before the region, in characters. */
  readonly start: number
  /** Visible text of the region, in characters. */
  text: number
  /** Text of links in the region, in characters. */
  link: number
  /** Text of prose blocks in the region, in characters. */
  prose: number
  blocks: number
  images: number
  /** Number of form fields and buttons. */
  controls: number
  headings: number
}

/** A block of text: a line of the page between two boundaries of block elements. */
export interface Block {
  /** Index among the blocks of the page. */
  readonly at: number
  /** The block element around the text. */
  readonly region: Region
  /** The innermost element around the first text node. */
  readonly inner: Element
  readonly nodes: readonly Text[]
  /** Text with white space collapsed. */
  readonly text: string
  /** Text of links in the block, in characters. */
  readonly link: number
  /** Visible text before the block, in characters. */
  readonly start: number
  readonly words: number
  /** Number of punctuation marks that end sentences or clauses. */
  readonly stops: number
  readonly isProse: boolean
}

/** A block of which the text is still being read. */
export interface OpenBlock {
  readonly region: Region
  readonly inner: Element
  readonly nodes: Text[]
  readonly start: number
  text: string
  link: number
  /** True for the text of several nodes, which may have several spaces in succession. */
  isJoined: boolean
}

/** Minimum length of a prose block, which also has at least one stop. Characters. */
const MIN_PROSE_LENGTH = 60
const MAX_PROSE_LINK_SHARE = 0.4

export const openRegion = (at: number, element: Element, parent: Region | undefined, start: number): Region => ({
  at,
  element,
  parent,
  depth: parent === undefined ? 0 : parent.depth + 1,
  start,
  text: 0,
  link: 0,
  prose: 0,
  blocks: 0,
  images: 0,
  controls: 0,
  headings: 0,
})

/** Maximum length of a block that features are computed from, which bounds the cost of a huge block. Characters. */
export const MAX_READ_LENGTH = 4000

/** Returns the block of a text that has been read; undefined for one without text. */
export function closeBlock(open: OpenBlock, at: number): Block | undefined {
  const text = open.isJoined ? collapse(open.text) : open.text.trim()
  if (text === '') return undefined
  const read = text.length > MAX_READ_LENGTH ? text.slice(0, MAX_READ_LENGTH) : text
  const scale = text.length / read.length
  const words = countWords(read) * scale
  const stops = countStops(read)
  const link = Math.min(open.link, text.length)
  const isProse =
    text.length >= MIN_PROSE_LENGTH && (stops > 0 || /[,，、]/.test(read)) && link <= MAX_PROSE_LINK_SHARE * text.length
  return {
    at,
    region: open.region,
    inner: open.inner,
    nodes: open.nodes,
    text,
    link,
    start: open.start,
    words,
    stops,
    isProse,
  }
}

/**
 * Counts the punctuation marks that end sentences or clauses, of which most stand before a space, a quotation mark or a
 * parenthesis.
 */
function countStops(text: string): number {
  let stops = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Spaces and letters of European scripts are decided without a set.
    if (code === SPACE || (code > LAST_ASCII_STOP && code < FIRST_OTHER_STOP) || !STOPS.has(code)) continue
    if (at + 1 === text.length || AFTER_STOPS.has(text.charCodeAt(at + 1)) || FULL_STOPS.has(code)) stops += 1
  }
  return stops
}

const codesOf = (signs: string): ReadonlySet<number> => new Set(Array.from(signs, (sign) => sign.charCodeAt(0)))

const SPACE = 32
const STOPS = codesOf('.!?;:。！？؟।…')
/** Stops that no space follows. */
const FULL_STOPS = codesOf('。！？')
const AFTER_STOPS = codesOf(' "\'”’)')
const LAST_ASCII_STOP = '?'.charCodeAt(0)
const FIRST_OTHER_STOP = '؟'.charCodeAt(0)

const sampleElement = new Element('p', {})
const sampleLine: OpenBlock = {
  region: openRegion(0, sampleElement, undefined, 0),
  inner: sampleElement,
  nodes: [],
  start: 0,
  text: 'word '.repeat(MAX_READ_LENGTH / 4),
  link: 0,
  isJoined: false,
}
// Otherwise the first block with more text than is read, of which the number of words is a fraction, dropped the code of
// eighty functions.
keepShape([closeBlock(sampleLine, 0)])

/** True for a region that is another one, or lies inside it. */
export function isWithin(region: Region, outer: Region): boolean {
  let at: Region | undefined = region
  while (at !== undefined && at.depth > outer.depth) at = at.parent
  return at === outer
}

/** True for a first heading, and a part of it. */
export const isTitle = ({ element, parent }: Region): boolean => element.name === 'h1' || parent?.element.name === 'h1'
