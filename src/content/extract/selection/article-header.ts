import { type Element, isElement } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import type { ContentKind } from '../blocks/page-kind.js'

/** Bounds of subtitle, author and date: characters of each, and number of blocks. */
const MAX_HEADER_LENGTH = 200
const MAX_HEADER_BLOCKS = 6

/**
 * Minimum probabilities of the title and of other parts of the header. Links to share and follow are as short as a
 * byline, so these need more.
 */
const MIN_TITLE = 0.01
const MIN_BYLINE = 0.2
/** The same for a line whose markup names the author or the date. */
const MIN_NAMED_BYLINE = 0.15

/** A page with the predictions for its blocks. */
interface Predicted {
  readonly read: TextBlocks
  readonly probabilities: Float64Array
  /** Verdict of the markup rules on a region: 1 for content. */
  readonly verdictOf: (region: Region) => number
  readonly kind: ContentKind
}

/** Finds the title of an article and the blocks between it and the text, inside the element that contains the text. */
export function findHeader({ read, probabilities, verdictOf, kind }: Predicted, kept: ReadonlySet<Block>): Block[] {
  const { blocks } = read
  const title = blocks.findIndex(({ region }) => region.element.name === 'h1' && verdictOf(region) === 1)
  if (title === -1) return []
  if (kind !== 'article') return blocks.slice(title, title + 1)
  const begin = blocks.findIndex((block) => block.at > title && block.isProse && kept.has(block))
  // The sentences of a short article may be too short to be prose.
  if (begin === -1) return blocks.slice(title, title + 1).filter(({ at }) => (probabilities[at] ?? 0) >= MIN_TITLE)
  const end = begin - title > MAX_HEADER_BLOCKS + 1 ? title + 1 : begin
  const part = findPart(read, kept)
  const article = findAround(part, ({ element }) => element.name === 'article') ?? part
  const isIn = (region: Region, whole: Region): boolean =>
    findAround(region, (around) => around === whole) !== undefined
  const bylines = blocks
    .slice(title + 1, title + 1 + MAX_HEADER_BLOCKS)
    .filter(
      (block) => isByline(block) && (probabilities[block.at] ?? 0) >= MIN_NAMED_BYLINE && isIn(block.region, article),
    )
  const header = blocks.slice(title, end).filter(({ at, text, region }) => {
    if (
      text.length > MAX_HEADER_LENGTH ||
      (probabilities[at] ?? 0) < (at === title ? MIN_TITLE : MIN_BYLINE) ||
      verdictOf(region) !== 1
    )
      return false
    // Outside the innermost element with the text, links below the title may be those to share and follow.
    const whole = at === title ? article : part
    return isIn(region, whole)
  })
  return [...header, ...bylines]
}

/** True for a short line whose markup names the author or the date; it may stand below a subtitle. */
function isByline({ nodes, text }: Block): boolean {
  if (text.length > MAX_HEADER_LENGTH) return false
  return nodes.some(({ parent }) => parent !== null && isElement(parent) && namesAuthorOrDate(parent))
}

const namesAuthorOrDate = ({ name, attribs }: Element): boolean =>
  name === 'time' || attribs['rel'] === 'author' || attribs['itemprop'] === 'author'

function findAround(region: Region, passes: (around: Region) => boolean): Region | undefined {
  let at: Region | undefined = region
  while (at !== undefined && !passes(at)) at = at.parent
  return at
}

/** Minimum share of the kept text in the element that counts as its container. */
const MIN_CONTENT_SHARE = 0.9

/** Returns the innermost region that contains most of the kept text. */
function findPart({ body, holders }: TextBlocks, kept: ReadonlySet<Block>): Region {
  const held = new Map<Region, number>()
  let all = 0
  for (const { region, text } of kept) {
    held.set(region, (held.get(region) ?? 0) + text.length)
    all += text.length
  }
  // Parents precede their children, so that the first match from the end is the innermost.
  for (const region of [...holders].reverse()) {
    const own = held.get(region) ?? 0
    if (own >= MIN_CONTENT_SHARE * all) return region
    if (region.parent !== undefined) held.set(region.parent, (held.get(region.parent) ?? 0) + own)
  }
  return body
}
