import { type Element, isElement, isHeading, isText, singleSpaces, type Text } from '../../html/tree.js'
import { BLOCK, CONTROL, LINE_BREAK, LINK, listNodes, MAY_BE_UNSHOWN, type PageNodes } from '../../html/page-nodes.js'
import { type Block, closeBlock, type OpenBlock, openRegion, type Region } from './block.js'

/** A page's text in blocks, and the regions around them. */
export interface TextBlocks {
  readonly blocks: readonly Block[]
  readonly body: Region
  /** All visible elements; parents stand before their children. */
  readonly regions: readonly Region[]
  /** The regions that contain text, which are far fewer than all. */
  readonly holders: readonly Region[]
  readonly regionOf: RegionsByElement
  /** Names of all visible elements: a step that is for elements of some names has nothing to do on a page without them. */
  readonly names: ReadonlySet<string>
}

/**
 * Reads the visible text of a page in one loop.
 *
 * @param cleared elements that are not visible
 * @param nodes nodes of the page. @default they are listed
 */
export function readBlocks(
  bodyElement: Element,
  cleared: ReadonlySet<Element>,
  nodes: PageNodes = listNodes(bodyElement),
): TextBlocks {
  const reader = new BlockReader(bodyElement, nodes)
  reader.readNodes(nodes.mark(cleared))
  const { blocks, body, regions, names } = reader
  addUp(blocks, regions)
  return { blocks, body, regions, holders: regions.filter((each) => each.blocks > 0), regionOf: reader, names }
}

/** The regions of a page by their elements. */
interface RegionsByElement {
  get(element: Element): Region | undefined
}

class BlockReader implements RegionsByElement {
  readonly body: Region
  readonly regions: Region[]
  readonly blocks: Block[] = []
  readonly names = new Set<string>()
  readonly #nodes: PageNodes
  /** Number of the region of each node, from 1; 0 for none. A map with each element would be the largest thing that is read of a page. */
  readonly #numbers: Int32Array
  #region: Region
  /** The open block elements. */
  readonly #around: Region[]
  /** Number of open links. */
  #links = 0
  /** Characters so far. */
  #length = 0
  #line: OpenBlock | undefined

  constructor(bodyElement: Element, nodes: PageNodes) {
    this.body = openRegion(0, bodyElement, undefined, 0)
    this.regions = [this.body]
    this.#nodes = nodes
    this.#numbers = new Int32Array(nodes.nodes.length)
    const at = nodes.indexOf(bodyElement)
    if (at !== -1) this.#numbers[at] = 1
    this.#region = this.body
    this.#around = [this.body]
  }

  get(element: Element): Region | undefined {
    const index = this.#nodes.indexOf(element)
    const number = index === -1 ? 0 : (this.#numbers[index] ?? 0)
    return number === 0 ? undefined : this.regions[number - 1]
  }

  /** @param isCleared 1 for the nodes that are not visible */
  readNodes(isCleared: Uint8Array): void {
    const { nodes, kinds, ends, parents } = this.#nodes
    const { element } = this.body
    const begin = this.#nodes.indexOf(element)
    const end = this.#nodes.endOf(element)
    let open = begin
    for (let at = begin + 1; at < end;) {
      for (; open !== begin && (ends[open] ?? 0) <= at; open = parents[open] ?? begin) this.#leave(kinds[open] ?? 0)
      const node = nodes[at]
      if (node === undefined) break
      if (isText(node)) this.#addText(node, at, kinds[open] ?? 0)
      else if (isElement(node)) {
        if (isCleared[at] === 1) {
          at = ends[at] ?? end
          continue
        }
        this.#enter(node, at, kinds[at] ?? 0)
        open = at
      }
      at += 1
    }
    this.#endLine()
  }

  #enter(element: Element, at: number, kind: number): void {
    const isBlock = (kind & BLOCK) !== 0
    this.names.add(element.name)
    if ((kind & LINE_BREAK) !== 0 && this.#line !== undefined) this.#line.text += ' '
    if (isBlock) this.#endLine()
    if (element.name === 'img') this.#region.images += 1
    else if ((kind & CONTROL) !== 0) this.#region.controls += 1
    else if (isBlock && isHeading(element)) this.#region.headings += 1
    if ((kind & LINK) !== 0) this.#links += 1
    this.#region = openRegion(this.regions.length, element, this.#region, this.#length)
    this.#numbers[at] = this.regions.push(this.#region)
    if (isBlock) this.#around.push(this.#region)
  }

  #leave(kind: number): void {
    if ((kind & BLOCK) !== 0) {
      this.#endLine()
      this.#around.pop()
    }
    if ((kind & LINK) !== 0) this.#links -= 1
    this.#region = this.#region.parent ?? this.body
  }

  #endLine(): void {
    const block = this.#line === undefined ? undefined : closeBlock(this.#line, this.blocks.length)
    if (block !== undefined) this.blocks.push(block)
    this.#line = undefined
  }

  /** @param around flags of the element around the text */
  #addText(node: Text, at: number, around: number): void {
    // The characters of scripts and styles are not counted.
    const isBlank = this.#nodes.lengths[at] === 0 && (around & MAY_BE_UNSHOWN) === 0
    if (isBlank && this.#line === undefined) return
    const text = isBlank ? node.data && ' ' : singleSpaces(node.data)
    if (text === '' || (text === ' ' && this.#line === undefined)) return
    if (this.#line === undefined) this.#line = this.#beginLine()
    else this.#line.isJoined = true
    this.#line.text += text
    this.#line.nodes.push(node)
    if (this.#links > 0) this.#line.link += text.trim().length
    this.#length += text.length
  }

  #beginLine(): OpenBlock {
    const region = this.#around.at(-1) ?? this.body
    const { element } = this.#region
    return { region, inner: element, nodes: [], start: this.#length, text: '', link: 0, isJoined: false }
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
