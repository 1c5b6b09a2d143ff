import type { Block, Region } from '../blocks/block.js'
import type { Element } from '../../html/tree.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/**
 * Finds the captions of kept tables, listings and quotes, and the sources of kept quotes. A table without its caption does not
 * say what it shows, nor a quote without its source who said it. The model judges most of them as lines beside the text, since
 * they are short.
 *
 * The captions of pictures are left to the model. Most of them name the photographer, and the reference texts of articles
 * leave them out. A player between two blocks of the text is kept with its caption, as it would be without one.
 */
export function findCaptions(read: TextBlocks, kept: ReadonlySet<Block>): Block[] {
  const { blocks, regions, regionOf } = read
  /** The innermost figure or quote around each region, or itself. */
  const objects = new Int32Array(regions.length).fill(NONE)
  /** The figure or quote whose caption or source a region is in. */
  const owners = new Int32Array(regions.length).fill(NONE)
  let hasCaption = false
  // Parents stand before their children.
  for (const region of regions) {
    const { at, element, parent } = region
    const around = parent === undefined ? NONE : (objects[parent.at] ?? NONE)
    const isOwned = isCaptionOf(element, regions[around])
    objects[at] = isObject(element.name) ? at : around
    owners[at] = isOwned ? around : parent === undefined ? NONE : (owners[parent.at] ?? NONE)
    hasCaption ||= isOwned
  }
  if (!hasCaption) return []
  // A source may be a line of a quote, in an element that is no block.
  const ownerOf = ({ inner, region }: Block): number => owners[(regionOf.get(inner) ?? region).at] ?? NONE
  const isKept = new Uint8Array(regions.length)
  for (const block of kept) {
    if (ownerOf(block) !== NONE) continue
    for (let at = objects[block.region.at] ?? NONE; at !== NONE && isKept[at] === 0;) {
      isKept[at] = 1
      const around = regions[at]?.parent
      at = around === undefined ? NONE : (objects[around.at] ?? NONE)
    }
  }
  for (const { at } of findPlayers(read, kept, objects)) isKept[at] = 1
  return blocks.filter((block) => isKept[ownerOf(block)] === 1 && !kept.has(block))
}

const NONE = -1

const isObject = (name: string): boolean => name === 'figure' || name === 'blockquote'

const PLAYERS: ReadonlySet<string> = new Set(['audio', 'video', 'iframe', 'object', 'embed'])
/** Maximum blocks of a player's caption. */
const MAX_CAPTION_BLOCKS = 3

const isCaptioned = ({ element, blocks, images }: Region): boolean =>
  element.name === 'figure' && blocks > 0 && blocks <= MAX_CAPTION_BLOCKS && images === 0

/**
 * Returns the figures with a player and a line or two of text that stand right between two kept blocks.
 *
 * @param objects the innermost figure or quote around each region
 */
function findPlayers({ blocks, regions }: TextBlocks, kept: ReadonlySet<Block>, objects: Int32Array): Region[] {
  if (!regions.some(isCaptioned)) return []
  const hasPlayer = new Uint8Array(regions.length)
  // Children stand after their parents.
  for (let at = regions.length - 1; at > 0; at -= 1) {
    const region = regions[at]
    if (region === undefined || (hasPlayer[at] !== 1 && !PLAYERS.has(region.element.name))) continue
    hasPlayer[region.parent?.at ?? 0] = 1
  }
  const firstOf = new Map<number, Block>()
  for (const block of blocks) {
    const figure = objects[block.region.at] ?? NONE
    if (!firstOf.has(figure)) firstOf.set(figure, block)
  }
  const isKept = (block: Block | undefined): boolean => block !== undefined && kept.has(block)
  return regions.filter((region) => {
    const first = isCaptioned(region) && hasPlayer[region.at] === 1 ? firstOf.get(region.at) : undefined
    return first !== undefined && isKept(blocks[first.at - 1]) && isKept(blocks[first.at + region.blocks])
  })
}

/** @param object the figure or quote around the element */
function isCaptionOf({ name, attribs }: Element, object: Region | undefined): boolean {
  if (object === undefined) return false
  if (name === 'figcaption') return object.element.name === 'figure' && object.images === 0
  return (
    object.element.name === 'blockquote' &&
    (name === 'footer' || name === 'cite' || SOURCE.test(attribs['class'] ?? ''))
  )
}

/** Names that forums give to the line with the author of what is quoted. */
const SOURCE = /citation|attribution|quote-?(?:author|source|header|by)|postedby|bbCodeBlock-title/i
