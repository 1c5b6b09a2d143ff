import { type ChildNode, isElement, type ParentNode } from '../../html/tree.js'
import type { Block, PageText, Region } from '../blocks/read-blocks.js'

/** A choice of blocks, and what it was made by. */
export interface Choice {
  readonly read: PageText
  readonly kept: ReadonlySet<Block>
  readonly probabilityOf: (block: Block) => number
  /** Whether the rules of mark-up take a region for content: 1, leave it out: 0, or drop it: -1. */
  readonly verdictOf: (region: Region) => number
}

/** What belongs to the text that is kept, each for a reason that the page itself gives, however likely it was by itself. */
export function findRelatedBlocks(choice: Choice): Block[] {
  const kept = new Set(choice.kept)
  for (const find of [
    findNumbered,
    findLabels,
    findAnnounced,
    findNumberedLists,
    findOnlyLines,
    findUpperTitles,
    findAlike,
    findReferences,
  ])
    for (const block of find({ ...choice, kept })) kept.add(block)
  return [...kept].filter((block) => !choice.kept.has(block))
}

const HEADING = /^h[1-6]$/
/** The number of a section. One alone has a sign behind it: a title may well begin with how many things it is about. */
const NUMBER = /^(\d+(?=[.):]\s)|\d+(?:\.\d+)+)[.):]?\s/
const COLON = /[:：]$/

const isHeading = ({ region }: Block): boolean => HEADING.test(region.element.name)

/** Headings that carry on the numbers of others of their level, which are kept: nobody skips the last section of a text. */
export function findNumbered({ read: { blocks }, kept, verdictOf }: Choice): Block[] {
  const places = new Set<string>()
  const found: Block[] = []
  const keyOf = ({ region }: Block, number: string): string => `${region.element.name} ${region.parent?.at} ${number}`
  const visit = (block: Block, by: -1 | 1): void => {
    const number = isHeading(block) ? NUMBER.exec(block.text)?.[1] : undefined
    if (number === undefined) return
    const beside = number.replace(/\d+$/, (last) => `${Number(last) + by}`)
    const isNext = verdictOf(block.region) !== -1 && places.has(keyOf(block, beside))
    if (isNext && !kept.has(block)) found.push(block)
    if (isNext || kept.has(block)) places.add(keyOf(block, number))
  }
  for (const block of blocks) visit(block, -1)
  places.clear()
  for (const block of [...blocks].reverse()) visit(block, 1)
  return found
}

/** The list right under a numbered heading. */
export function findNumberedLists({ read: { blocks }, kept }: Choice): Block[] {
  return blocks.flatMap((heading) => {
    if (!kept.has(heading) || !isHeading(heading) || !NUMBER.test(heading.text)) return []
    const list = findListAfter(heading, blocks)
    return list.some((block) => kept.has(block)) ? [] : list
  })
}

/** Links that end with a colon, as paragraphs in the text: they are no ways on but names of what comes next. */
export function findLabels({ read: { blocks }, kept }: Choice): Block[] {
  const found: Block[] = []
  let open: Block[] = []
  let isInText = false
  for (const block of blocks) {
    if (kept.has(block)) {
      if (isInText) found.push(...open)
      open = []
      isInText = true
    } else if (isLabel(block)) open.push(block)
    // Of a diagram under a label the words alone are seen here.
    else if (!isInside(block.inner, 'svg')) {
      open = []
      isInText = false
    }
  }
  return found
}

/** What a button beside it says does not count. */
function isLabel({ nodes, link, region }: Block): boolean {
  if (region.element.name !== 'p' || link === 0) return false
  const text = nodes
    .filter((node) => !isInside(node, 'button'))
    .map(({ data }) => data)
    .join('')
    .trim()
  return COLON.test(text) && link > 0.9 * text.length
}

/**
 * What a line before a list must be for that list to belong to it: a few words before a colon may as well lead out of the
 * text, a sentence says more than that something follows, and several are a paragraph.
 */
const SURE_WORDS = 0.9
const SURE_SENTENCE = 0.8
const SURE_SENTENCES = 0.5

/** Lists right after a line that ends with a colon and is surely part of the text: it announces them. */
export function findAnnounced({ read: { blocks }, kept, probabilityOf }: Choice): Block[] {
  return blocks.flatMap((lead) => {
    const { text, link, stops, isProse } = lead
    if (!kept.has(lead) || !COLON.test(text) || link > 0.5 * text.length || isHeading(lead)) return []
    const least = stops > 2 ? SURE_SENTENCES : isProse ? SURE_SENTENCE : SURE_WORDS
    return probabilityOf(lead) >= least ? findListAfter(lead, blocks) : []
  })
}

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl'])

/** The blocks of a list right after a line: beside it or in the same element, alone in what it may be wrapped in. */
function findListAfter(line: Block, blocks: readonly Block[]): Block[] {
  const next = blocks[line.at + 1]
  let list: Region | undefined
  let outer: Region | undefined
  for (let at = next?.region; at !== undefined && !isIn(line.region, at); at = at.parent) {
    if (LISTS.has(at.element.name)) list = at
    outer = at
  }
  if (next === undefined || list === undefined || outer === undefined || outer.text > list.text) return []
  if (outer.parent !== line.region.parent && outer.parent !== line.region) return []
  return blocks.slice(next.at, next.at + list.blocks)
}

/** What the only line under a heading must be, and how much of it may be links. Of a few words less is known than of prose. */
const MIN_WORDS = 0.25
const MIN_PROSE = 0.3
const MAX_LINK = 0.8

/** The only line under a heading that is kept: without it the heading would seem to be that of what comes after. */
export function findOnlyLines({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  return blocks.filter((block) => {
    const { at, region, text, link } = block
    const before = blocks[at - 1]
    const after = blocks[at + 1]
    if (kept.has(block) || before === undefined || !kept.has(before) || !isHeading(before)) return false
    if (after !== undefined && !isHeading(after)) return false
    const around = before.region.parent
    const isBeside = region === around || (region.parent === around && region.element.name === 'p')
    const least = block.isProse ? MIN_PROSE : MIN_WORDS
    return isBeside && verdictOf(region) === 1 && probabilityOf(block) >= least && link < MAX_LINK * text.length
  })
}

/** What the upper of two titles must be, and the lower. */
const MIN_UPPER = 0.1
const MIN_LOWER = 0.65

/** The heading right above the one with which the text begins, of its level: a title in two parts. */
export function findUpperTitles({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  const first = blocks.find((block) => kept.has(block))
  return blocks.filter((block) => {
    const next = blocks[block.at + 1]
    if (next === undefined || next !== first || !isHeading(block)) return false
    const verdict = verdictOf(block.region)
    return (
      block.region.element.name === next.region.element.name &&
      verdict !== -1 &&
      verdict === verdictOf(next.region) &&
      probabilityOf(block) >= MIN_UPPER &&
      probabilityOf(next) >= MIN_LOWER
    )
  })
}

/** Items of a list that are no further apart than this are alike; of such a list, this share must be kept. */
const MAX_APART = 0.17
const MIN_SHARE = 0.25
/** With fewer, that they are alike says little. */
const MIN_ITEMS = 3

/** The rest of a list of links, none of which is clearly more likely than others: it is chosen as a whole. */
export function findAlike({ read: { blocks }, kept, probabilityOf }: Choice): Block[] {
  const lists = new Map<Region, Block[]>()
  for (const block of blocks) {
    const list = block.region.element.name === 'li' ? block.region.parent : undefined
    if (list === undefined) continue
    const items = lists.get(list)
    if (items === undefined) lists.set(list, [block])
    else items.push(block)
  }
  return [...lists.values()].flatMap((items) => {
    const share = items.filter((item) => kept.has(item)).length / items.length
    if (items.length < MIN_ITEMS || share < MIN_SHARE || items.some(({ link }) => link === 0)) return []
    const probabilities = items.map(probabilityOf)
    const most = probabilities.reduce((one, other) => Math.max(one, other))
    const least = probabilities.reduce((one, other) => Math.min(one, other))
    return most - least <= MAX_APART ? items.filter((item) => !kept.has(item)) : []
  })
}

/** What a reference must be, and how much of it is links. */
const MIN_REFERENCE = 0.25
const REFERENCE_LINK = { least: 0.3, most: 0.6 }

/** Sentences that name what else to read, right after the text and in what holds it: a list of links has no such words. */
export function findReferences({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  return blocks.filter((block) => {
    const { at, region, text, link } = block
    const before = blocks[at - 1]
    if (kept.has(block) || before === undefined || !kept.has(before) || isHeading(before)) return false
    if (region.element.name !== 'p' || region.parent === undefined || !isIn(before.region, region.parent)) return false
    const share = link / text.length
    return (
      /[.!?]$/.test(text) &&
      share > REFERENCE_LINK.least &&
      share < REFERENCE_LINK.most &&
      verdictOf(region) !== -1 &&
      probabilityOf(block) >= MIN_REFERENCE
    )
  })
}

function isInside(node: ChildNode, name: string): boolean {
  let at: ChildNode | ParentNode | null = node
  while (at !== null && !(isElement(at) && at.name === name)) at = at.parent
  return at !== null
}

function isIn(region: Region, outer: Region): boolean {
  let at: Region | undefined = region
  while (at !== undefined && at.depth > outer.depth) at = at.parent
  return at === outer
}
