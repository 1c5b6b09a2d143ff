import {
  type ChildNode,
  type Document,
  type Element,
  isElement,
  isText,
  type ParentNode,
  walk,
  isHeading,
} from '../../content/html/tree.js'
import {
  type ContentBlock,
  type ContentBlocks,
  describeBlocks,
  isDroppable,
  isMediaElement,
  mayRepeat,
  readContentBlocks,
} from './content-blocks.js'
import type { ExtractedPage } from '../../content/extract/extracted-page.js'
import type { BlockToDrop } from '../../content/extract/fidelity/drop-blocks.js'
import type { LearntBlocks, PageBlocks } from './repeated-block.js'

interface RepeatedBlock extends BlockToDrop {
  readonly characters: number
}

/** A block of the page that repeats on other pages. */
interface MatchedBlock extends ContentBlock {
  readonly reason: string
  /** True if it is dropped only at the start or end of the content. */
  readonly atBorder: boolean
}

/** The blocks of a content, and those of them to drop. */
interface Repeats {
  readonly blocks: PageBlocks
  readonly learnt: readonly RepeatedBlock[]
}

/**
 * Finds the blocks of a content that repeat on other pages, the outermost ones. Headings, code, tables and blocks with
 * most of the page's text are kept. Nothing is dropped if only headings would remain.
 *
 * @returns undefined for content that does not come from HTML
 */
export function findRepeats(content: ExtractedPage, learnt: readonly LearntBlocks[]): Repeats | undefined {
  const { root } = content.tree
  if (content.page.markdown !== undefined || content.page.isFile) return undefined
  const read = readContentBlocks(root)
  return { blocks: describeBlocks(read), learnt: findLearnt(root, read, learnt) }
}

function findLearnt(content: Document, read: ContentBlocks, learnt: readonly LearntBlocks[]): RepeatedBlock[] {
  const repeated = findRepeated(read, learnt)
  if (repeated.size === 0) return []
  const outermost = new Set([...findAtBorder(content, repeated, 'start'), ...findAtBorder(content, repeated, 'end')])
  walk(content, (node) => {
    const block = isElement(node) ? repeated.get(node) : undefined
    if (block === undefined) return true
    if (block.isAlone && !block.atBorder) outermost.add(block)
    return block.protects !== 'code' && !outermost.has(block)
  })
  const blocks = new Map(read.blocks.map((block) => [block.element, block]))
  const parts = [...outermost].flatMap((block) => withoutHeadings(block, blocks))
  const headings = read.blocks.filter(({ element }) => isHeading(element))
  return read.characters > sum(parts) + sum(headings) ? parts : []
}

function findRepeated(read: ContentBlocks, learnt: readonly LearntBlocks[]): Map<Element, MatchedBlock> {
  const reasons = new Map<number, { reason: string; atBorder: boolean }>()
  for (const { reason, hashes } of learnt) {
    for (const signed of hashes) {
      const hash = Math.abs(signed)
      const known = reasons.get(hash)
      // A block may repeat in several groups of pages. If one group drops it at any position, the others do not matter.
      reasons.set(hash, { reason: known?.reason ?? reason, atBorder: signed < 0 && known?.atBorder !== false })
    }
  }
  const found = new Map<Element, MatchedBlock>()
  for (const block of read.blocks) {
    const known = reasons.get(block.hash)
    if (known !== undefined && mayRepeat(block, read.characters)) found.set(block.element, { ...block, ...known })
  }
  return found
}

/** Finds the repeated blocks before the first, or after the last, content of the page's own. */
function findAtBorder(
  content: Document,
  repeated: ReadonlyMap<Element, MatchedBlock>,
  border: 'start' | 'end',
): MatchedBlock[] {
  const first = (parent: ParentNode): ChildNode | null => (border === 'start' ? parent.firstChild : parent.lastChild)
  const found: MatchedBlock[] = []
  let node = first(content)
  while (node !== null) {
    const block = isElement(node) ? repeated.get(node) : undefined
    // A repeated block with code is content, and so is everything after it.
    if (block?.protects === 'code') return found
    if (block !== undefined) found.push(block)
    else if (isText(node) ? node.data.trim() !== '' : isElement(node) && isMediaElement(node.name)) {
      // The block right below a heading of the page's own is kept, so that the heading is never left without text.
      return border === 'end' && isInHeading(node) ? found.slice(0, -1) : found
    }
    const below: ChildNode | null = block === undefined && isElement(node) ? first(node) : null
    node = below ?? nextOf(node, content, border)
  }
  return found
}

function isInHeading(node: ChildNode): boolean {
  let { parent } = node
  while (parent !== null && isElement(parent) && !isHeading(parent)) parent = parent.parent
  return parent !== null && isElement(parent)
}

function nextOf(node: ChildNode, root: ParentNode, border: 'start' | 'end'): ChildNode | null {
  for (let at: ChildNode = node; ;) {
    const beside = border === 'start' ? at.next : at.prev
    if (beside !== null) return beside
    const { parent } = at
    if (parent === null || parent === root || !isElement(parent)) return null
    at = parent
  }
}

/** Returns the parts of a block to drop: the whole block, or its parts without headings. */
function withoutHeadings(block: MatchedBlock, blocks: ReadonlyMap<Element, ContentBlock>): RepeatedBlock[] {
  if (!isDroppable(block)) return []
  if (block.protects === 'nothing') return [block]
  const parts: RepeatedBlock[] = []
  walk(block.element, (node) => {
    if (!isElement(node) || isHeading(node)) return false
    const inner = blocks.get(node)
    if (inner?.protects !== 'nothing') return true
    parts.push({ element: node, characters: inner.characters, reason: block.reason })
    return false
  })
  return parts
}

const sum = (blocks: readonly { readonly characters: number }[]): number =>
  blocks.reduce((total, { characters }) => total + characters, 0)
