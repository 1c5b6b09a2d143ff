import {
  BLOCK_ELEMENTS,
  type Element,
  collapse,
  isElement,
  isText,
  singleSpaces,
  type Text,
  walk,
} from '../../html/tree.js'

/** What an element holds, all that is below it counted in. */
export interface Region {
  /** Its place among the regions of the page. */
  readonly at: number
  readonly element: Element
  readonly parent: Region | undefined
  /** 0 for the page's body. */
  readonly depth: number
  /** Visible text that stands before it. Characters. */
  readonly start: number
  /** Its visible text. Characters. */
  text: number
  /** Of it, text of links. */
  link: number
  /** Of it, text of blocks that read as sentences: long, and not made of links. */
  prose: number
  blocks: number
  images: number
  /** Fields and buttons. */
  controls: number
  headings: number
}

/** A line of the page's text: what stands between two borders of block elements. */
export interface Block {
  /** Its place among the blocks of the page. */
  readonly at: number
  /** The block element that it stands in. */
  readonly region: Region
  /** The innermost element around its first text. */
  readonly inner: Element
  readonly nodes: readonly Text[]
  /** White space collapsed. */
  readonly text: string
  /** Of it, text of links. Characters. */
  readonly link: number
  /** Visible text that stands before it. Characters. */
  readonly start: number
  readonly words: number
  /** Ends of sentences and of parts of them. */
  readonly stops: number
  readonly isProse: boolean
}

/** A page's text, line by line, and what each element holds of it. */
export interface PageText {
  readonly blocks: readonly Block[]
  readonly body: Region
  /** Of every element that is seen; children stand after their parents. */
  readonly regions: readonly Region[]
  /** Those that hold text: what leads to the blocks, and they are much fewer. */
  readonly holders: readonly Region[]
  readonly regionOf: ReadonlyMap<Element, Region>
}

const CONTROLS: ReadonlySet<string> = new Set(['input', 'select', 'button', 'textarea'])
const HEADING = /^h[1-6]$/

/** A block is taken for prose from this length on, with at least one stop in it. */
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
 * @param isCleared what no reader sees
 */
export function readBlocks(bodyElement: Element, isCleared: (element: Element) => boolean): PageText {
  const body = openRegion(0, bodyElement, undefined, 0)
  const regions = [body]
  const regionOf = new Map<Element, Region>([[bodyElement, body]])
  const blocks: Block[] = []
  let region = body
  // Around the place of the walk: the block elements, and the links.
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
      if (BLOCK_ELEMENTS.has(name)) endLine()
      if (name === 'img') region.images += 1
      if (CONTROLS.has(name)) region.controls += 1
      if (HEADING.test(name)) region.headings += 1
      if (isLink(node)) links += 1
      region = openRegion(regions.length, node, region, read)
      regions.push(region)
      regionOf.set(node, region)
      if (BLOCK_ELEMENTS.has(name)) around.push(region)
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

/** What is read of a block for its evidence: enough to know it by, however long a page makes it. Characters. */
export const MAX_READ_LENGTH = 4000

function closeBlock(open: OpenBlock, at: number): Block | undefined {
  const text = collapse(open.text)
  if (text === '') return undefined
  const read = text.length > MAX_READ_LENGTH ? text.slice(0, MAX_READ_LENGTH) : text
  const scale = text.length / read.length
  const words = (read.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0) * scale
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

/** What lies in an element counts for all around it. */
function addUp(blocks: readonly Block[], regions: readonly Region[]): void {
  for (const { region, text, link, isProse } of blocks) {
    region.text += text.length
    region.link += link
    region.blocks += 1
    if (isProse) region.prose += text.length
  }
  // Children stand after their parents.
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
