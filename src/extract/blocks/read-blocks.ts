import {
  BLOCK_ELEMENTS,
  type Element,
  collapse,
  isElement,
  isText,
  singleSpaces,
  type Text,
  walk,
  isHeading,
} from '../../html/tree.js'
import { countWords } from '../../text/words-in.js'

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

/** A page's text in blocks, and the regions around them. */
export interface TextBlocks {
  readonly blocks: readonly Block[]
  readonly body: Region
  /** All visible elements; parents stand before their children. */
  readonly regions: readonly Region[]
  /** The regions that contain text, which are far fewer than all. */
  readonly holders: readonly Region[]
  readonly regionOf: ReadonlyMap<Element, Region>
}

const CONTROLS: ReadonlySet<string> = new Set(['input', 'select', 'button', 'textarea'])

/** Minimum length of a prose block, which also has at least one stop. Characters. */
const MIN_PROSE_LENGTH = 60
const MAX_PROSE_LINK_SHARE = 0.4

interface OpenBlock {
  readonly region: Region
  readonly inner: Element
  readonly nodes: Text[]
  readonly start: number
  text: string
  link: number
}

/**
 * Reads the visible text of a page in one walk.
 *
 * @param isCleared true for elements that are not visible
 */
export function readBlocks(bodyElement: Element, isCleared: (element: Element) => boolean): TextBlocks {
  const body = openRegion(0, bodyElement, undefined, 0)
  const regions = [body]
  const regionOf = new Map<Element, Region>([[bodyElement, body]])
  const blocks: Block[] = []
  let region = body
  // State of the walk: the open block elements and the number of open links.
  const around: Region[] = [body]
  let links = 0
  let read = 0
  let line: OpenBlock | undefined
  const endLine = (): void => {
    const block = line === undefined ? undefined : closeBlock(line, blocks.length)
    if (block !== undefined) blocks.push(block)
    line = undefined
  }
  walk(
    bodyElement,
    (node) => {
      if (isText(node)) {
        const text = singleSpaces(node.data)
        if (text === '' || (text === ' ' && line === undefined)) return false
        line ??= { region: around.at(-1) ?? body, inner: region.element, nodes: [], start: read, text: '', link: 0 }
        line.text += text
        line.nodes.push(node)
        if (links > 0) line.link += text.trim().length
        read += text.length
        return false
      }
      if (!isElement(node) || isCleared(node)) return false
      const { name } = node
      if (name === 'br' && line !== undefined) line.text += ' '
      const isBlock = BLOCK_ELEMENTS.has(name)
      if (isBlock) endLine()
      if (name === 'img') region.images += 1
      else if (CONTROLS.has(name)) region.controls += 1
      else if (isHeading(node)) region.headings += 1
      if (isLink(node)) links += 1
      region = openRegion(regions.length, node, region, read)
      regions.push(region)
      regionOf.set(node, region)
      if (isBlock) around.push(region)
      return true
    },
    (element) => {
      if (region.element !== element) return
      if (BLOCK_ELEMENTS.has(element.name)) {
        endLine()
        around.pop()
      }
      if (isLink(element)) links -= 1
      region = region.parent ?? body
    },
  )
  endLine()
  addUp(blocks, regions)
  return { blocks, body, regions, holders: regions.filter((each) => each.blocks > 0), regionOf }
}

const isLink = ({ name, attribs }: Element): boolean => name === 'a' && attribs['href'] !== undefined

const openRegion = (at: number, element: Element, parent: Region | undefined, start: number): Region => ({
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

function closeBlock(open: OpenBlock, at: number): Block | undefined {
  const text = collapse(open.text)
  if (text === '') return undefined
  const read = text.length > MAX_READ_LENGTH ? text.slice(0, MAX_READ_LENGTH) : text
  const scale = text.length / read.length
  const words = countWords(read) * scale
  const stops = read.match(/[.!?;:。！？؟।…](?=\s|$|["'”’)])|[。！？]/g)?.length ?? 0
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

/** Adds the totals of each region to all regions around it. */
function addUp(blocks: readonly Block[], regions: readonly Region[]): void {
  for (const { region, text, link, isProse } of blocks) {
    region.text += text.length
    region.link += link
    region.blocks += 1
    if (isProse) region.prose += text.length
  }
  // Children stand after their parents, so that backwards each total is complete before it is added.
  for (let at = regions.length - 1; at > 0; at -= 1) {
    const inner = regions[at]
    const outer = inner?.parent
    if (inner === undefined || outer === undefined) continue
    outer.text += inner.text
    outer.link += inner.link
    outer.prose += inner.prose
    outer.blocks += inner.blocks
    outer.images += inner.images
    outer.controls += inner.controls
    outer.headings += inner.headings
  }
}

/** True for a region that is another one, or lies inside it. */
export function isWithin(region: Region, outer: Region): boolean {
  let at: Region | undefined = region
  while (at !== undefined && at.depth > outer.depth) at = at.parent
  return at === outer
}
