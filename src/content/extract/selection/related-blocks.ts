import { isCommandLabel } from '../rules/button-in-text.js'
import { type ChildNode, type Element, isElement, type ParentNode, isHeading, parentElement } from '../../html/tree.js'
import { type Block, type Region, isWithin } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** A choice of blocks, and its inputs. */
export interface Choice {
  readonly read: TextBlocks
  readonly kept: ReadonlySet<Block>
  readonly probabilityOf: (block: Block) => number
  /** Verdict of the markup rules on a region: 1 for content, 0 for other text, -1 for boilerplate. */
  readonly verdictOf: (region: Region) => number
}

// These rules find what belongs to the kept text by the page's own structure, even if its own probability is low.

/**
 * The number of a section. A number without a dot inside needs a sign behind it: a title may well begin with a count.
 */
const NUMBER = /^(\d+(?=[.):]\s)|\d+(?:\.\d+)+)[.):]?\s/
/** The same where an element of its own sets the number apart from the title. */
const SET_APART = /^(\d+(?:\.\d+)*)[.):]?$/
const endsInColon = (text: string): boolean => text.endsWith(':') || text.endsWith('：')

/** Finds headings whose numbers continue those of kept headings of the same level. */
export function findNumberedHeadings({ read: { blocks }, kept, verdictOf }: Choice): Block[] {
  const numbered = blocks.filter((block) => numberOf(block) !== undefined)
  if (numbered.length < 2) return []
  const places = new Set<string>()
  const found: Block[] = []
  const visit = (block: Block, by: -1 | 1): void => {
    const { region } = block
    const number = numberOf(block) ?? ''
    const beside = number.replace(/\d+$/, (last) => `${Number(last) + by}`)
    const place = `${region.element.name} ${region.parent?.at} `
    const section = sectionOf(block, blocks)
    const formOfSection =
      section && `${region.element.name} in ${section.parent?.at} ${section.element.attribs['class'] ?? ''} `
    // The markup rules may take a section with links for a menu, but a menu has no number among the sections of the text.
    const isNext =
      (verdictOf(region) !== -1 && places.has(place + beside)) ||
      (formOfSection !== undefined && places.has(formOfSection + beside))
    if (isNext && !kept.has(block)) found.push(block)
    if (!isNext && !kept.has(block)) return
    places.add(place + number)
    if (formOfSection !== undefined) places.add(formOfSection + number)
  }
  for (const block of numbered) visit(block, -1)
  places.clear()
  for (const block of numbered.reverse()) visit(block, 1)
  return found
}

/** Returns the number of the section that a block is the heading of. */
function numberOf(block: Block): string | undefined {
  if (!isHeading(block.region.element)) return undefined
  const said = NUMBER.exec(block.text)?.[1]
  if (said !== undefined || !/^\d/.test(block.text)) return said
  const first = block.nodes.find(({ data }) => data.trim() !== '')
  const isOwn = first !== undefined && first.parent !== block.region.element && block.nodes.length > 1
  return isOwn ? SET_APART.exec(first.data.trim())?.[1] : undefined
}

/** Returns the element around a section that begins with its heading, and has more. */
function sectionOf({ at, region: { parent } }: Block, blocks: readonly Block[]): Region | undefined {
  const before = blocks[at - 1]
  if (parent === undefined || parent.blocks < 2 || !SECTIONS.has(parent.element.name)) return undefined
  return before !== undefined && isWithin(before.region, parent) ? undefined : parent
}

const SECTIONS: ReadonlySet<string> = new Set(['div', 'section'])

/** Finds the lists right below a numbered heading. */
export function findNumberedLists({ read: { blocks }, kept }: Choice): Block[] {
  const found: Block[] = []
  for (const heading of blocks) {
    if (!kept.has(heading) || numberOf(heading) === undefined) continue
    const list = findListAfter(heading, blocks)
    if (!list.some((block) => kept.has(block))) found.push(...list)
  }
  return found
}

/** Finds links in paragraphs of the text that end with a colon: they name what follows, and are not navigation. */
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
    // Only the words of a diagram below a label are blocks.
    else if (!isInside(block.inner, 'svg')) {
      open = []
      isInText = false
    }
  }
  return found
}

/** Maximum length of the name of a value, of a value, and of the element around them and others. Characters. */
const MAX_NAME = 40
const MAX_VALUE = 200
const MAX_AROUND = 500
/** Minimum probability of a value, and of a line that introduces what is kept. A name beside a value needs none. */
const MIN_VALUE = 0.1
const MIN_LEAD = 0.2

/**
 * Finds the other half of a value and its name, which a line with a colon before it is, and the lines with a colon right above a part
 * of the content in one element. A name says nothing without its value, nor a value without its name.
 */
export function findNamedValues({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  const found: Block[] = []
  for (const name of blocks) {
    const { text, region, link, at } = name
    const value = blocks[at + 1]
    const around = region.parent
    if (!endsInColon(text) || text.length > 2 * MAX_NAME || value === undefined || around === undefined) continue
    if (kept.has(name) === kept.has(value) || link > 0 || !isWithin(value.region, around)) continue
    if (kept.has(value)) {
      const isName = text.length <= MAX_NAME && around.text <= MAX_AROUND
      if (verdictOf(region) === 1 && (isName || probabilityOf(name) >= MIN_LEAD)) found.push(name)
    } else if (
      text.length <= MAX_NAME &&
      around.text <= MAX_AROUND &&
      value.text.length <= MAX_VALUE &&
      !endsInColon(value.text) &&
      !isHeading(value.region.element) &&
      verdictOf(value.region) === 1 &&
      probabilityOf(value) >= MIN_VALUE
    )
      found.push(value)
  }
  return found
}

/** The text of a button beside the link does not count. */
function isLabel({ nodes, link, region }: Block): boolean {
  if (region.element.name !== 'p' || link === 0) return false
  const text = nodes
    .filter((node) => !isInside(node, 'button'))
    .map(({ data }) => data)
    .join('')
    .trim()
  return endsInColon(text) && link > 0.9 * text.length
}

/**
 * Minimum probability of the line before a list for the list to belong to it. It depends on the line: a few words with
 * a colon, which may also introduce links to other pages; a sentence; a paragraph of several sentences.
 */
const MIN_WORDS_LEAD = 0.9
const MIN_SENTENCE_LEAD = 0.8
const MIN_PARAGRAPH_LEAD = 0.5

/** Finds the lists right after a line that ends with a colon and is very likely part of the text. */
export function findIntroducedLists({ read: { blocks }, kept, probabilityOf }: Choice): Block[] {
  const found: Block[] = []
  for (const lead of blocks) {
    const { text, link, stops, isProse } = lead
    if (!endsInColon(text) || !kept.has(lead) || link > 0.5 * text.length || isHeading(lead.region.element)) continue
    const least = stops > 2 ? MIN_PARAGRAPH_LEAD : isProse ? MIN_SENTENCE_LEAD : MIN_WORDS_LEAD
    if (probabilityOf(lead) >= least) found.push(...findListAfter(lead, blocks))
  }
  return found
}

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl'])

/**
 * Returns the blocks of a list right after a line: its sibling or in the same element, with no other text in the list's
 * wrappers.
 */
function findListAfter(line: Block, blocks: readonly Block[]): Block[] {
  const next = blocks[line.at + 1]
  let list: Region | undefined
  let outer: Region | undefined
  for (let at = next?.region; at !== undefined && !isWithin(line.region, at); at = at.parent) {
    if (LISTS.has(at.element.name)) list = at
    outer = at
  }
  if (next === undefined || list === undefined || outer === undefined || outer.text > list.text) return []
  if (outer.parent !== line.region.parent && outer.parent !== line.region) return []
  return blocks.slice(next.at, next.at + list.blocks)
}

/**
 * Minimum probability of the only line below a heading, as words or as prose, and its maximum share of links. The model
 * is less sure of a few words than of prose.
 */
const MIN_SOLE_WORDS = 0.25
const MIN_SOLE_PROSE = 0.3
const MAX_SOLE_LINK_SHARE = 0.8

/** Finds the only line below a kept heading. Without it, the heading would seem to belong to the text that follows. */
export function findSoleLines({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  return blocks.filter((block) => {
    const { at, region, text, link } = block
    const before = blocks[at - 1]
    const after = blocks[at + 1]
    if (kept.has(block) || before === undefined || !kept.has(before) || !isHeading(before.region.element)) return false
    if (after !== undefined && !isHeading(after.region.element)) return false
    const around = before.region.parent
    const isBeside = region === around || (region.parent === around && region.element.name === 'p')
    const least = block.isProse ? MIN_SOLE_PROSE : MIN_SOLE_WORDS
    return (
      isBeside && verdictOf(region) === 1 && probabilityOf(block) >= least && link < MAX_SOLE_LINK_SHARE * text.length
    )
  })
}

/** Minimum probabilities of the upper and the lower of two titles. */
const MIN_UPPER_TITLE = 0.1
const MIN_LOWER_TITLE = 0.65

/** Finds the heading right above the one that starts the text, of the same level: a title in two parts. */
export function findUpperTitles({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  const next = blocks.find((block) => kept.has(block))
  const title = next && blocks[next.at - 1]
  if (next === undefined || title === undefined || !isHeading(title.region.element)) return []
  const verdict = verdictOf(title.region)
  const isUpperTitle =
    title.region.element.name === next.region.element.name &&
    verdict !== -1 &&
    verdict === verdictOf(next.region) &&
    probabilityOf(title) >= MIN_UPPER_TITLE &&
    probabilityOf(next) >= MIN_LOWER_TITLE
  return isUpperTitle ? [title] : []
}

/** Maximum difference of probabilities in a list of similar items, and minimum share of items that are kept already. */
const MAX_SPREAD = 0.17
const MIN_KEPT_SHARE = 0.25
/** Minimum items in a list for their similarity to be significant. */
const MIN_ITEMS = 3

/**
 * Finds the dropped items of a list of links of which a part is kept. The whole list is kept if all of its items have
 * similar probabilities.
 */
export function findSimilarItems({ read: { blocks }, kept, probabilityOf }: Choice): Block[] {
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
    if (items.length < MIN_ITEMS || share < MIN_KEPT_SHARE || items.some(({ link }) => link === 0)) return []
    const probabilities = items.map(probabilityOf)
    const most = probabilities.reduce((one, other) => Math.max(one, other))
    const least = probabilities.reduce((one, other) => Math.min(one, other))
    return most - least <= MAX_SPREAD ? items.filter((item) => !kept.has(item)) : []
  })
}

/** Minimum probability of a reference, and bounds of its share of links. */
const MIN_REFERENCE = 0.25
const REFERENCE_LINK_SHARE = { least: 0.3, most: 0.6 }

/**
 * Finds sentences with further reading right after the text and in the same element. A list of links has no such
 * sentences.
 */
export function findReferences({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  return blocks.filter((block) => {
    const { at, region, text, link } = block
    const before = blocks[at - 1]
    if (kept.has(block) || before === undefined || !kept.has(before) || isHeading(before.region.element)) return false
    if (region.element.name !== 'p' || region.parent === undefined || !isWithin(before.region, region.parent))
      return false
    const share = link / text.length
    return (
      /[.!?]$/.test(text) &&
      share > REFERENCE_LINK_SHARE.least &&
      share < REFERENCE_LINK_SHARE.most &&
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

/** Maximum elements from a text out to the control that it is the label of, and to the element around the control and its part. */
const MAX_TO_CONTROL = 3

/** Finds the labels of controls that open the text right after them, which is in the content. A command is none. */
export function findOpeners({ read: { blocks }, kept, verdictOf }: Omit<Choice, 'probabilityOf'>): Block[] {
  return blocks.filter((block) => {
    const next = blocks[block.at + 1]
    if (next === undefined || kept.has(block) || !kept.has(next) || !isOpener(block.inner)) return false
    let around: Region | undefined = block.region
    for (let level = 0; level < MAX_TO_CONTROL && around?.parent !== undefined; level += 1) around = around.parent
    return (
      around !== undefined &&
      isWithin(next.region, around) &&
      !isCommandLabel(block.text) &&
      verdictOf(block.region) >= verdictOf(next.region)
    )
  })
}

function isOpener(inner: Element): boolean {
  let at: Element | undefined = inner
  for (let level = 0; level <= MAX_TO_CONTROL && at !== undefined; level += 1, at = parentElement(at)) {
    const { attribs } = at
    const opens = attribs['data-bs-toggle'] ?? attribs['data-toggle']
    if (attribs['aria-expanded'] !== undefined || opens === 'collapse') return true
  }
  return false
}

/**
 * Finds the summaries of `details` elements of which the text below is kept. It is the question of an answer, or the name of what
 * a click opens. An icon is none of them, nor is a command such as `Show more`.
 */
export function findSummaries(blocks: readonly Block[], kept: ReadonlySet<Block>): Block[] {
  const found: Block[] = []
  let open: { readonly details: Region; readonly blocks: Block[] } | undefined
  for (const block of blocks) {
    const details = findDetails(block.region)
    if (details === undefined) {
      if (open !== undefined && kept.has(block) && isWithin(block.region, open.details)) found.push(...open.blocks)
      open = undefined
    } else {
      if (open?.details !== details) open = { details, blocks: [] }
      if (!kept.has(block) && block.words > 0 && !isCommandLabel(block.text)) open.blocks.push(block)
    }
  }
  return found
}

/** Returns the `details` element of a text in its summary. */
function findDetails(region: Region): Region | undefined {
  let at: Region | undefined = region
  while (at !== undefined && at.element.name !== 'summary') at = at.parent
  return at?.parent?.element.name === 'details' ? at.parent : undefined
}

/** Minimum probability of a heading, and of the block right below it, for the heading to be kept with that block. */
const MIN_HEADING = 0.1
const MIN_TEXT_BELOW = 0.8
/** The same for a heading above prose that is kept, but less sure. */
const MIN_PROSE_HEADING = 0.3

/**
 * Finds the headings right above a block that is surely content, which would otherwise seem to belong to the text
 * above.
 */
export function findHeadings({ read, kept, probabilityOf, verdictOf }: Choice): Block[] {
  return read.blocks.filter((block) => {
    const next = read.blocks[block.at + 1]
    if (next === undefined || verdictOf(block.region) !== 1 || !kept.has(next)) return false
    const isSure = probabilityOf(next) >= MIN_TEXT_BELOW
    return (
      (next.isProse || isSure) &&
      probabilityOf(block) >= (isSure ? MIN_HEADING : MIN_PROSE_HEADING) &&
      /^(?:h[2-6]|dt|summary)$/.test(block.region.element.name)
    )
  })
}
