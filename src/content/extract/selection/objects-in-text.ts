import { wordsIn } from '../../../base/text/words-in.js'
import { type Block, isWithin, type Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** Maximum blocks and characters of an object. A longer one is a text of its own. */
const MAX_BLOCKS = 12
const MAX_LENGTH = 2000
/** Maximum share of links in a quotation. A list of links may be written as one. */
const MAX_LINK_SHARE = 0.5

/** Names of the quotation that a page holds in place of a post of another site, until the script of that site draws it. */
const POST =
  /(?:^|[\s_-])(?:tweet|embed|bq|fb-xfbml-parse-ignore|(?:instagram|text-post|threads|truthsocial)-(?:media|post))(?=$|[\s_-])/i
/** Names of the figure around a link to another page with its title, picture and description. */
const CARD = /(?:^|[\s_-])(?:bookmark|embed)(?=$|[\s_-])/i
/** An article of the same kind of site, which such a page mostly puts in to be read next. */
const OWN_CARD = /(?:^|\s)wp-embedded-content(?=\s|$)/

const isPost = ({ element: { name, attribs } }: Region): boolean =>
  name === 'blockquote' && POST.test(attribs['class'] ?? '') && !OWN_CARD.test(attribs['class'] ?? '')

const isCard = ({ element: { name, attribs }, text, link }: Region): boolean =>
  name === 'figure' && link > MAX_LINK_SHARE * text && CARD.test(attribs['class'] ?? '')

/** A quotation, post or figure of a text, with its blocks. */
interface InText {
  readonly region: Region
  /** True for a post or card, of which no part stays without the others. */
  readonly isWhole: boolean
  readonly blocks: Block[]
}

/**
 * Finds the quotations, posts of other sites, and cards in figures that stand within the text, as the model judges their short lines one
 * by one. A post of which a line is kept is kept with its author and its link. One of which none is kept, and a quotation, is
 * kept if the text goes on before and after it. A quotation that repeats words of the text is none.
 */
export function findObjectsInText(
  { read: { blocks, regions }, verdictOf }: { read: TextBlocks; verdictOf: (region: Region) => number },
  kept: ReadonlySet<Block>,
): Block[] {
  const objects = findObjects(blocks, regions)
  let said: string | undefined
  const repeats = (own: readonly Block[]): boolean => {
    said ??= [...kept].map(({ text }) => spell(text)).join('')
    return own.some(({ text, words }) => words > 2 && said?.includes(spell(text)))
  }
  return objects.flatMap(({ region, isWhole, blocks: own }, at) => {
    const isPart = own.some((block) => kept.has(block))
    if (isPart) return isWhole ? own : []
    if (region.text > MAX_LENGTH || own.length > MAX_BLOCKS) return []
    if (!isWhole && (region.link > MAX_LINK_SHARE * region.text || verdictOf(region) === -1)) return []
    const [before, after] = [besideOf(objects, at, -1, blocks), besideOf(objects, at, 1, blocks)]
    const isAfter = before !== undefined && kept.has(before)
    const isBefore = after !== undefined && kept.has(after)
    // The last post of a text has only what follows the article after it.
    const isEnd = isWhole && isAfter && before.region.parent !== undefined && isWithin(region, before.region.parent)
    if (!(isAfter && isBefore) && !isEnd) return []
    const isText = [before, after].some((block) => block?.isProse === true && kept.has(block))
    return isText && (isWhole || !repeats(own)) ? own : []
  })
}

const spell = (text: string): string => ` ${wordsIn(text).join(' ')} `

/** Finds the outermost quotations, and figures around one or around a link, in document order. */
function findObjects(blocks: readonly Block[], regions: readonly Region[]): InText[] {
  const outermost = new Int32Array(regions.length)
  /** 1 for regions with a quotation in them, 2 for those with a post. */
  const quotes = new Uint8Array(regions.length)
  for (let at = regions.length - 1; at > 0; at -= 1) {
    const region = regions[at]
    if (region === undefined) continue
    if (region.element.name === 'blockquote') quotes[at] = Math.max(quotes[at] ?? 0, isPost(region) ? 2 : 1)
    const around = region.parent?.at ?? 0
    quotes[around] = Math.max(quotes[around] ?? 0, quotes[at] ?? 0)
  }
  // Parents stand before their children.
  for (const region of regions) {
    const { at, element, parent } = region
    const around = parent === undefined ? 0 : (outermost[parent.at] ?? 0)
    const isObject =
      element.name === 'blockquote' || (element.name === 'figure' && (quotes[at] !== 0 || isCard(region)))
    outermost[at] = around === 0 && isObject ? at : around
  }
  const objects: InText[] = []
  for (const block of blocks) {
    const region = regions[outermost[block.region.at] ?? 0]
    if (region === undefined || region.at === 0) continue
    const last = objects.at(-1)
    if (last?.region === region) last.blocks.push(block)
    else objects.push({ region, isWhole: quotes[region.at] === 2 || isCard(region), blocks: [block] })
  }
  return objects
}

/** Returns the block before or after an object, and after those right beside it. */
function besideOf(objects: readonly InText[], nth: number, step: 1 | -1, blocks: readonly Block[]): Block | undefined {
  for (let at = nth; ; at += step) {
    const edge = step === 1 ? objects[at]?.blocks.at(-1) : objects[at]?.blocks[0]
    if (edge === undefined) return undefined
    const beside = blocks[edge.at + step]
    const next = step === 1 ? objects[at + 1]?.blocks[0] : objects[at - 1]?.blocks.at(-1)
    if (beside === undefined || beside !== next) return beside
  }
}
