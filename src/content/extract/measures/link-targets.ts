import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import type { EnclosingRegions } from './share-features.js'
import type { Put } from './feature-vector.js'

/** Kinds of link targets, as feature values. */
const PLACE_ON_PAGE = 0
const OTHER_HOST = 1
const SAME_HOST = 2
/** A page whose path has the form of this page's: of the same template. */
const SAME_TEMPLATE = 3

/** The addresses that the links of a page lead to, by region. */
interface LinkTargets {
  /** The number of the address that all links in a region lead to; 0 without links, {@link SEVERAL} for several. */
  readonly sole: Int32Array
  /** Kind of each address, by its number. */
  readonly kinds: readonly number[]
  /** Numbers of links in each region: all, and those to pages of this page's template. */
  readonly links: Int32Array
  readonly likes: Int32Array
  /** Number of children of each region that have a sole address: the cards in a list of teasers. */
  readonly cards: Int32Array
}

const SEVERAL = -1

/** Reads where the links of a page lead to. A teaser is an element all of whose links lead to one other page. */
export function readLinkTargets({ regions }: TextBlocks, address: string): LinkTargets {
  const numbers = new Map<string, number>()
  const kinds: number[] = [-1]
  const here = readForm(address, undefined)
  const sole = new Int32Array(regions.length)
  const links = new Int32Array(regions.length)
  const likes = new Int32Array(regions.length)
  const cards = new Int32Array(regions.length)
  for (const { at, element } of regions) {
    const href = element.name === 'a' ? element.attribs['href'] : undefined
    if (href === undefined) continue
    const end = href.indexOf('#')
    const target = end > 0 ? href.slice(0, end) : href
    let number = numbers.get(target)
    if (number === undefined) {
      number = kinds.length
      numbers.set(target, number)
      kinds.push(compareForms(readForm(target, here), here))
    }
    sole[at] = number
    links[at] = 1
    if (kinds[number] === SAME_TEMPLATE) likes[at] = 1
  }
  // Children stand after their parents.
  for (let at = regions.length - 1; at > 0; at -= 1) {
    const around = regions[at]?.parent?.at ?? 0
    const own = sole[at] ?? 0
    if (own === 0) continue
    const outer = sole[around] ?? 0
    sole[around] = outer === 0 || outer === own ? own : SEVERAL
    links[around] = (links[around] ?? 0) + (links[at] ?? 0)
    likes[around] = (likes[around] ?? 0) + (likes[at] ?? 0)
    if (own !== SEVERAL) cards[around] = (cards[around] ?? 0) + 1
  }
  return { sole, kinds, links, likes, cards }
}

/** Properties of an address that pages of one template share. */
interface AddressForm {
  readonly host: string
  readonly depth: number
  readonly hasSlug: boolean
  readonly hasNumber: boolean
}

/** Read without `URL`, which takes several times as long. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)/i
const MIN_SLUG_WORDS = 4

/** @param here the form of the page's own address, which relative addresses share */
function readForm(address: string, here: AddressForm | undefined): AddressForm | undefined {
  if (address.startsWith('#') || /^\s*(?!https?:)[a-z][a-z\d+.-]*:/i.test(address)) return undefined
  const [, host, path = ''] = ADDRESS.exec(address.trim()) ?? []
  const { segments, hasSlug, hasNumber } = readPath(path)
  const isRelative = host === undefined && !path.startsWith('/')
  return {
    host: host === undefined ? (here?.host ?? '') : host.toLowerCase().replace(/^www\./, ''),
    depth: segments + (isRelative ? Math.max(0, (here?.depth ?? 1) - 1) : 0),
    hasSlug,
    hasNumber,
  }
}

/** Counts the segments of a path, and looks for one of several words and for a number of several digits, in one loop. */
function readPath(path: string): { segments: number; hasSlug: boolean; hasNumber: boolean } {
  let segments = 0
  let hasSlug = false
  let hasNumber = false
  let length = 0
  let dividers = 0
  let digits = 0
  for (let at = 0; at < path.length; at += 1) {
    const code = path.charCodeAt(at)
    digits = code >= ZERO && code <= NINE ? digits + 1 : 0
    if (digits === NUMBER_DIGITS) hasNumber = true
    if (code === SLASH) length = dividers = 0
    else {
      if (length === 0) segments += 1
      length += 1
      if (code === HYPHEN || code === LOW_LINE) dividers += 1
      if (dividers === MIN_SLUG_WORDS - 1) hasSlug = true
    }
  }
  return { segments, hasSlug, hasNumber }
}

const NUMBER_DIGITS = 4
const SLASH = 47
const ZERO = 48
const NINE = 57
const HYPHEN = 45
const LOW_LINE = 95

function compareForms(form: AddressForm | undefined, here: AddressForm | undefined): number {
  if (form === undefined || here === undefined) return PLACE_ON_PAGE
  if (form.host !== here.host) return OTHER_HOST
  const isMarked = form.hasSlug || form.hasNumber
  const isAlike = form.hasSlug === here.hasSlug && form.hasNumber === here.hasNumber
  return isMarked && isAlike && Math.abs(form.depth - here.depth) <= 1 ? SAME_TEMPLATE : SAME_HOST
}

/** Levels of ancestors that are examined for a teaser. */
const MAX_LEVELS = 7

/** Writes features of the teaser around a block, and of the links in the elements around it. */
export function readTargetFeatures(
  { region }: Block,
  { paragraph, section, partOfBody }: EnclosingRegions,
  { sole, kinds, links, likes, cards }: LinkTargets,
  put: Put,
): void {
  let teaser: Region | undefined
  let level = 0
  for (let at: Region | undefined = region; level < MAX_LEVELS && at !== undefined; level += 1, at = at.parent) {
    const target = sole[at.at] ?? 0
    if (target === SEVERAL) break
    if (target > 0) teaser = at
  }
  const likesOf = (part: Region | undefined): number => {
    const all = part === undefined ? 0 : (links[part.at] ?? 0)
    return part === undefined || all === 0 ? -1 : (likes[part.at] ?? 0) / all
  }
  put('teaserKind', teaser === undefined ? -1 : (kinds[sole[teaser.at] ?? 0] ?? -1))
  put('teaserLength', teaser === undefined ? -1 : Math.log1p(teaser.text))
  put('teaserLevels', teaser === undefined ? -1 : region.depth - teaser.depth)
  put('teaserLinks', teaser === undefined || teaser.text === 0 ? -1 : teaser.link / teaser.text)
  put('teaserImages', teaser === undefined ? -1 : Math.min(3, teaser.images))
  put('teaserHeadings', teaser === undefined ? -1 : Math.min(3, teaser.headings))
  put('teasersBeside', teaser?.parent === undefined ? -1 : Math.log1p(cards[teaser.parent.at] ?? 0))
  put('paragraphTargets', Math.log1p(links[paragraph.at] ?? 0))
  put('paragraphLikes', likesOf(paragraph))
  put('sectionLikes', likesOf(section))
  put('partLikes', likesOf(partOfBody))
  put('partCards', partOfBody === undefined ? -1 : Math.log1p(cards[partOfBody.at] ?? 0))
}
