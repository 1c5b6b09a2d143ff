import { listNodes, type PageNodes } from '../../html/page-nodes.js'
import { type ChildNode, type Element, isText } from '../../html/tree.js'
import type { Block } from '../blocks/block.js'
import { readBlocks, type TextBlocks } from '../blocks/read-blocks.js'
import { isPrice } from '../measures/page-features.js'
import { findSeries } from '../measures/series.js'
import { type Fidelity, type VisibleChoice, visitVisible } from '../fidelity/fidelity.js'
import { findFrame } from '../rules/frame.js'

/**
 * Maximum share of a page's running text that is in the content, and minimum words of it that were left out, for a warning.
 */
const MAX_KEPT_TEXT = 1 / 3
const MIN_DROPPED_WORDS = 150

/** Maximum share of all visible words for the running text to be compared, and for series and prices. */
const MAX_KEPT_WORDS = 0.4
const MAX_KEPT_BESIDE_SERIES = 2 / 3

/** Minimum members of a series, and minimum words of all of them, for a warning. */
const MIN_MEMBERS = 5
const MIN_SERIES_WORDS = 30
/** Maximum share of a series' words that is in the content. */
const MAX_KEPT_OF_SERIES = 0.2
/** Minimum words of a series relative to the content. Related stories below a text are fewer. */
const MIN_SERIES_SHARE = 0.8

/** Minimum prices of a page, none of which is in the content, for a warning. */
const MIN_PRICES = 8

/** Maximum share of links in a line of text. */
const MAX_LINK_SHARE = 0.3

const ADVICE = '`onlyMainContent: false` gives the whole page, `trace` lists what was left out.'

/**
 * Warns if most of a page's text was left out, or a series such as the products of a grid, or all prices. Text is what has
 * sentences, outside of links. What the markup declares boilerplate, such as menus and comments, does not count.
 *
 * @param cleared elements that are not visible
 */
export function warnOfDropped(
  body: Element,
  cleared: ReadonlySet<Element>,
  choice: VisibleChoice & { readonly read?: TextBlocks },
  { words = 1, nodes = listNodes(body) }: Fidelity & { readonly nodes?: PageNodes },
): string | undefined {
  if (words > MAX_KEPT_BESIDE_SERIES) return undefined
  const keptNodes = new Set<ChildNode>()
  visitVisible(body, cleared, choice, { visit: addKept, state: keptNodes })
  const read = choice.read ?? readBlocks(body, cleared, nodes)
  const isFramed = findFrame(read.regions)
  const isKept = (block: Block): boolean => block.nodes.some((node) => keptNodes.has(node))
  const isLost = (block: Block): boolean => !isKept(block) && !isFramed(block.region)
  return (
    (words > MAX_KEPT_WORDS ? undefined : warnOfText(read, isKept, isLost)) ??
    warnOfSeries(read, isKept, isLost) ??
    warnOfPrices(read, isKept, isLost)
  )
}

type Test = (block: Block) => boolean

function warnOfText({ blocks }: TextBlocks, isKept: Test, isLost: Test): string | undefined {
  const kept = wordsOf(blocks.filter(isKept))
  const dropped = wordsOf(blocks.filter((block) => isRunningText(block) && isLost(block)))
  const share = kept / (kept + dropped)
  if (dropped < MIN_DROPPED_WORDS || share > MAX_KEPT_TEXT) return undefined
  return (
    `Only ${Math.round(100 * share)}% of the page's text is in the content: ${Math.round(dropped)} words outside of menus, headers ` +
    `and footers were left out. ${ADVICE}`
  )
}

function warnOfSeries(read: TextBlocks, isKept: Test, isLost: Test): string | undefined {
  const kept = wordsOf(read.blocks.filter(isKept))
  let worst: { readonly lost: readonly Block[]; readonly members: number; readonly words: number } | undefined
  for (const { members, blocks } of findSeries(read).all) {
    if (members.length < MIN_MEMBERS) continue
    const lost = blocks.filter(isLost)
    const words = wordsOf(lost)
    if (words < MIN_SERIES_WORDS || words < MIN_SERIES_SHARE * kept || words <= (worst?.words ?? 0)) continue
    if (words >= (1 - MAX_KEPT_OF_SERIES) * wordsOf(blocks)) worst = { lost, members: members.length, words }
  }
  if (worst === undefined) return undefined
  const { text } = worst.lost[0] ?? { text: '' }
  const start = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).trimEnd()}…` : text
  return `A series of ${worst.members} parts of one form, which begins with "${start}", was left out. ${ADVICE}`
}

/** Maximum characters of the text that names a series. */
const MAX_QUOTED = 60

function warnOfPrices({ blocks }: TextBlocks, isKept: Test, isLost: Test): string | undefined {
  const prices = blocks.filter(({ text }) => isPrice(text))
  if (prices.some(isKept)) return undefined
  const lost = prices.filter(isLost)
  return lost.length < MIN_PRICES ? undefined : `All ${lost.length} prices of the page were left out. ${ADVICE}`
}

const wordsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { words }) => sum + words, 0)

function addKept(node: ChildNode, isKept: boolean, _isInCode: boolean, kept: Set<ChildNode>): void {
  if (isKept && isText(node)) kept.add(node)
}

const isRunningText = ({ isProse, link, text }: Block): boolean => isProse && link <= MAX_LINK_SHARE * text.length
