import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { clamp, type Put, sumOf } from './feature-vector.js'
import { kindOf } from './element-kinds.js'

/**
 * The run of paragraphs that makes up most of a page's text: prose blocks of one kind in one element. What stands after
 * its end, such as teasers, comments and forms, is seldom part of an article.
 */
interface TextRun {
  /** The element with the paragraphs; `undefined` on a page without prose. */
  readonly holder: Region | undefined
  /** Indices of the first and the last paragraph. */
  readonly first: number
  readonly last: number
  /** Number of paragraphs, and their characters. */
  readonly count: number
  readonly length: number
  /** Characters of paragraphs of the run before each block; the last entry is the total. */
  readonly before: Float64Array
  /** Levels from the holder out to the element that it shares with a region, by {@link Region.at}; 0 inside the holder. */
  readonly distances: Int32Array
}

/** Share by which paragraphs one level further down must exceed the others for their element to be the holder. */
const OUTER_GAIN = 1.5

/** Finds the longest run of paragraphs. */
export function findTextRun({ blocks, holders, regions }: TextBlocks): TextRun {
  const holder = findHolder(blocks, regions.length)
  const before = new Float64Array(blocks.length + 1)
  let first = -1
  let last = -1
  let count = 0
  let length = 0
  const kind = holder && findMainKind(blocks, holder)
  for (const [at, block] of blocks.entries()) {
    before[at] = length
    if (holder === undefined || !block.isProse || kindIn(block, holder) !== kind) continue
    if (first === -1) first = at
    last = at
    count += 1
    length += block.text.length
  }
  before[blocks.length] = length
  return { holder, first, last, count, length, before, distances: measureDistances(holders, holder, regions.length) }
}

function findHolder(blocks: readonly Block[], size: number): Region | undefined {
  const inner = new Float64Array(size)
  const outer = new Float64Array(size)
  let ofInner: Region | undefined
  let ofOuter: Region | undefined
  for (const { region, text, isProse } of blocks) {
    const { parent } = region
    if (!isProse || parent === undefined) continue
    inner[parent.at] = (inner[parent.at] ?? 0) + text.length
    if (ofInner === undefined || (inner[parent.at] ?? 0) > (inner[ofInner.at] ?? 0)) ofInner = parent
    const around = parent.parent
    if (around === undefined) continue
    outer[around.at] = (outer[around.at] ?? 0) + text.length
    if (ofOuter === undefined || (outer[around.at] ?? 0) > (outer[ofOuter.at] ?? 0)) ofOuter = around
  }
  if (ofInner === undefined || ofOuter === undefined) return ofInner
  return (outer[ofOuter.at] ?? 0) > OUTER_GAIN * (inner[ofInner.at] ?? 0) ? ofOuter : ofInner
}

/** Returns the kind of a block's element if it is a child or grandchild of the holder; otherwise nothing. */
function kindIn({ region }: Block, holder: Region): string | undefined {
  const { parent } = region
  if (parent === holder) return kindOf(region.element)
  return parent?.parent === holder ? `${kindOf(parent.element)} ${region.element.name}` : undefined
}

/** Returns the kind of paragraphs with most text in the holder. */
function findMainKind(blocks: readonly Block[], holder: Region): string | undefined {
  const lengths = new Map<string, number>()
  let main: string | undefined
  for (const block of blocks) {
    const kind = block.isProse ? kindIn(block, holder) : undefined
    if (kind === undefined) continue
    const length = (lengths.get(kind) ?? 0) + block.text.length
    lengths.set(kind, length)
    if (main === undefined || length > (lengths.get(main) ?? 0)) main = kind
  }
  return main
}

function measureDistances(holders: readonly Region[], holder: Region | undefined, size: number): Int32Array {
  const distances = new Int32Array(size)
  if (holder === undefined) return distances.fill(-1)
  const around = new Set<Region>()
  for (let at: Region | undefined = holder; at !== undefined; at = at.parent) around.add(at)
  for (const region of holders)
    distances[region.at] = around.has(region)
      ? holder.depth - region.depth
      : region.parent === undefined
        ? 0
        : (distances[region.parent.at] ?? 0)
  return distances
}

/** Writes the position of a block relative to the longest run of paragraphs, and the text between its end and the block. */
export function readRunFeatures(
  { at, region, start }: Block,
  { holder, first, last, count, length, before, distances }: TextRun,
  { blocks, linkBefore, proseBefore, body }: RunSurroundings,
  put: Put,
): void {
  const distance = distances[region.at] ?? -1
  const end = blocks[last]
  const gap = end === undefined || at <= last ? 0 : start - end.start - end.text.length
  put('runDistance', distance)
  put('runDepth', holder === undefined || distance !== 0 ? -1 : region.depth - holder.depth)
  put('fromRunStart', first < 0 ? 0 : clamp(at - first, -40, 60))
  put('fromRunEnd', last < 0 ? 0 : clamp(at - last, -100, 60))
  put('runRest', length === 0 ? -1 : 1 - (before[at] ?? 0) / length)
  put('gapLength', gap <= 0 ? 0 : Math.log1p(gap))
  put('gapLinks', gap <= 0 ? -1 : sumOf(linkBefore, last + 1, at) / gap)
  put('gapProse', gap <= 0 ? -1 : sumOf(proseBefore, last + 1, at) / gap)
  put('runLength', Math.log1p(length))
  put('runShare', length / Math.max(1, body.text))
  put('runOfProse', body.prose > 0 ? length / body.prose : 0)
  put('runCount', Math.log1p(count))
}

interface RunSurroundings {
  readonly blocks: readonly Block[]
  readonly body: Region
  readonly linkBefore: Float64Array
  readonly proseBefore: Float64Array
}
