import type { Block, Region } from '../blocks/block.js'
import { type Element, findElement } from '../../html/tree.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/**
 * Finds the captions of kept tables, listings and quotes, and the sources of kept quotes. A table without its caption does not
 * say what it shows, nor a quote without its source who said it. The model judges most of them as lines beside the text, since
 * they are short.
 *
 * The captions of pictures in news are left to the model. Most of them name the photographer, and the reference texts of articles
 * leave them out. One with a number, to which the text refers, is kept, and so is one that names no photographer on other pages,
 * between two blocks of the text. A player there is kept with its caption, as it would be without one.
 *
 * @param isNews true for a page that states that it is an article
 */
export function findCaptions(read: TextBlocks, kept: ReadonlySet<Block>, isNews: boolean): Block[] {
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
  const pictures = findPictures(read, kept, objects, isNews)
  if (!hasCaption && pictures.size === 0) return []
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
  const isOfPicture = ({ region }: Block): boolean => pictures.has(objects[region.at] ?? NONE)
  return blocks.filter((block) => !kept.has(block) && (isKept[ownerOf(block)] === 1 || isOfPicture(block)))
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

/** True for a caption in words of its own, and not a credit, a label or a link. */
const isTold = ({ text, link }: Block): boolean => link === 0 && /\S\s+\S+\s+\S/.test(text) && !CREDIT.test(text)

/** True for a figure of a card, whose text is its buttons and stock. */
function isInCard(figure: Region): boolean {
  for (let at: Region | undefined = figure; at !== undefined; at = at.parent)
    if (/^(?:li|a|td)$/.test(at.element.name) || CARD.test(at.element.attribs['class'] ?? '')) return true
  return findElement(figure.element, ({ name }) => name === 'button' || name === 'form') !== undefined
}

const CARD = /(?:^|[\s_-])(?:cards?|products?|tiles?|grid-item)(?=$|[\s_-])/i

/** A caption to which the text refers by its number. */
const NUMBERED =
  /^(?:fig(?:ure|\.)?|abb(?:ildung|\.)?|figura|рис(?:унок|\.)?|obr(?:ázek|\.)?|ry[cs](?:ina|unek|\.)?|plate|map|chart|scheme|listing|tab(?:le|\.)?|图|圖|図|그림)\s*[\dIVX]+/iu
const CREDIT =
  /©|\((?:c|ap)\)|\b(?:photo(?:graph|s)?|foto\w*|image|picture|credits?|courtesy|getty|reuters|afp|shutterstock|unsplash|flickr|wikimedia|bild|quelle|source)\b/i
/** Maximum length of a caption. Characters. */
const MAX_CAPTION = 400

/**
 * Returns the figures with a picture and a caption that belongs to the text, right between two kept blocks, by their regions.
 *
 * @param objects the innermost figure or quote around each region
 */
function findPictures(
  { blocks, regions }: TextBlocks,
  kept: ReadonlySet<Block>,
  objects: Int32Array,
  isNews: boolean,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (let at = 1; at < blocks.length; at += 1) {
    const [before, block] = [blocks[at - 1], blocks[at]]
    if (before === undefined || block === undefined || kept.has(block) || !kept.has(before)) continue
    const figure = regions[objects[block.region.at] ?? NONE]
    if (figure === undefined || figure.element.name !== 'figure' || figure.images === 0) continue
    const after = blocks[at + figure.blocks]
    if (figure.blocks > MAX_CAPTION_BLOCKS || figure.text > MAX_CAPTION || after === undefined || !kept.has(after))
      continue
    if (NUMBERED.test(block.text) || (!isNews && isTold(block) && !isInCard(figure))) found.add(figure.at)
  }
  return found
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
