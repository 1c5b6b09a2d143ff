import type { PageText, Region, Block } from '../blocks/read-blocks.js'

/** Elements whose parts are read as one. */
const WHOLES: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table'])

/** From this share of its words on, the rest of a list or table belongs to it. */
const MAX_WORDS = 0.75

/** A list with one item is no list. */
const MIN_BLOCKS = 3

/** Blocks of lists and tables of which most is kept: nobody keeps nine items of ten. */
export function findMissingParts(
  { blocks, holders }: PageText,
  kept: ReadonlySet<Block>,
  isDoubtful: (block: Block) => boolean,
): Block[] {
  const words = new Map<Region, { all: number; kept: number; blocks: number }>()
  for (const block of blocks)
    for (let at: Region | undefined = block.region; at !== undefined; at = at.parent) {
      if (!WHOLES.has(at.element.name)) continue
      const count = words.get(at) ?? { all: 0, kept: 0, blocks: 0 }
      words.set(at, count)
      count.all += Math.max(1, block.words)
      count.kept += kept.has(block) ? Math.max(1, block.words) : 0
      count.blocks += 1
    }
  const wholes = new Set<Region>()
  for (const region of holders) {
    const count = words.get(region)
    const isWhole = count !== undefined && count.blocks >= MIN_BLOCKS && count.kept >= MAX_WORDS * count.all
    if (isWhole || (region.parent !== undefined && wholes.has(region.parent))) wholes.add(region)
  }
  return blocks.filter((block) => !kept.has(block) && wholes.has(block.region) && isDoubtful(block))
}

/** Headings and lead-ins under which nothing is kept. The title of a page may stand alone. */
export function findLeftBehind(
  { blocks }: PageText,
  kept: ReadonlySet<Block>,
  isDoubtful: (block: Block) => boolean,
): Block[] {
  let next: Block | undefined
  const left: Block[] = []
  for (const block of [...blocks].reverse()) {
    const { at, region, text } = block
    const after = blocks[at + 1]
    const heading = /^h([2-6])$/.exec(region.element.name)
    const isEmpty = after !== undefined && !kept.has(after)
    if (kept.has(block)) {
      if (isEmpty && isDoubtful(block) && heading !== null && isHeadedAgain(block, next)) left.push(block)
      else if (
        isEmpty &&
        isDoubtful(block) &&
        after.region.element.name === 'li' &&
        region.element.name === 'p' &&
        /[:：]$/.test(text)
      )
        left.push(block)
      else next = block
    }
  }
  return left
}

/** Whether what is kept next does not stand under the heading: another one of its level or above does. */
function isHeadedAgain(heading: Block, next: Block | undefined): boolean {
  if (next === undefined) return true
  const level = Number(heading.region.element.name[1])
  const other = /^h([1-6])$/.exec(next.region.element.name)
  return other !== null && Number(other[1]) <= level
}

/** The numbers of lines beside a listing, which stand in a cell, or a listing, of their own. */
export function isLineNumbers(block: Block, after: Block | undefined): boolean {
  if (after === undefined || !/^\d+(?: \d+)*$/.test(block.text)) return false
  const row = findIn(block.region, 'tr')
  if (row === undefined || findIn(after.region, 'pre') === undefined || findIn(after.region, 'tr') !== row) return false
  const numbers = block.text.split(' ').map(Number)
  return numbers.every((number, at) => number === (numbers[0] ?? 0) + at)
}

function findIn(region: Region, name: string): Region | undefined {
  let at: Region | undefined = region
  while (at !== undefined && at.element.name !== name) at = at.parent
  return at
}
