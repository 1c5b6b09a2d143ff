import { type Element, isElement, isHeading } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { boilerplateKind } from '../rules/boilerplate.js'
import { isMenuLine } from '../rules/is-menu-line.js'

/** Elements by which a template divides its pages, and the field in which readers write on one: a program has made that page. */
export const TEMPLATE_PARTS: readonly string[] = 'header footer nav main aside article section iframe textarea'.split(
  ' ',
)

/** Minimum share of the text below the first heading, but for menus, that stands right in the page for the page to be plain. */
const MIN_PLAIN_SHARE = 0.9
/** The same for the text that is kept already. */
const MIN_KEPT_SHARE = 0.5
/** Maximum containers around a line of such text. A template has more. */
const MAX_CONTAINERS = 1
const CONTAINERS: ReadonlySet<string> = new Set(['div', 'form', 'fieldset'])
/** Minimum rows of a table of data whose cells may be divided as a page is, and elements that divide it. */
const MIN_ROWS = 5
const IN_LAYOUT = /^(?:div|p|h[1-6]|table|[uo]l|hr)$/

/** Maximum blocks below the last line drawn across the page that are its foot, and maximum characters of a line that closes a page. */
const MAX_FOOT_BLOCKS = 4
const MAX_CLOSING_LENGTH = 120
/** The last lines of a page by hand: asks of its readers, who wrote it and when, a way back. */
const CLOSING =
  /^[^\p{L}©]*(?:©|\(c\)|copyright|all rights|(?:please )?(?:(?:follow|like|join|visit|find|support) us|share(?: this| on| via)|tweet|subscribe|(?:bookmark|e-?mail|print) this)\b|(?:go |return |back )+(?:to|home|up)\b|(?:please )?(?:log|sign) ?(?:in|up)\b|(?:jump to|search|webmaster|visitors?|hits|best viewed)\b|(?:desktop|full|mobile) (?:site|version)\b|(?:back|home|home ?page|up|top|previous|prev|next|index|contents|main (?:page|menu)|site ?map)[^\p{L}]*$)|\b(?:last|page) (?:updated|modified|changed)\b|\b(?:powered|hosted) by\b/iu

/** The beginnings of what a page of news or a weblog has beside its text: the ways to its other texts, and to the pages of others. */
const BESIDE =
  /^[^\p{L}]*(?:(?:more|other|latest|recent|related|top|popular|similar|previous|older) (?:news|stories|headlines|articles|posts|entries|comments|products)|also in\b|most (?:read|popular|viewed|e-?mailed|commented)|customers (?:who|also)|you (?:may|might) also|(?:monthly )?archives?[^\p{L}]|(?:monthly )?archives?$|blog ?roll|categories$|(?:categories|tags|friends|syndicate|links) ?:|tags$|filed (?:under|in)\b|posted (?:in|by|on)\b)/iu
/** Minimum links below the title that lead to other pages, before the text, for a menu. */
const MIN_MENU_LINKS = 3

/** Minimum share of the links in a line of links. The rest are numbers, and signs between them. */
const MIN_LINK_SHARE = 0.6

/** Pattern of a line that begins with the name of what follows. */
const NAMED = /^[^:：]{1,40}[:：]/u

/**
 * Finds the text of a page that nobody has made a template for: a manual or reference that was written by hand, as HTML was in its
 * first years. Nothing but menus at its top stands around the text of such a page, and no markup tells short lines apart that belong
 * to it: "See also", the places where something is used, a listing. From the first heading on, all is text but the closing lines.
 *
 * @returns nothing of any other page
 */
export function findPlainText({ read }: { readonly read: TextBlocks }, kept: ReadonlySet<Block>): readonly Block[] {
  const { blocks } = read
  if (kept.size === 0) return []
  const depths = readDepths(read)
  // The words in a drawing are in no block of their own.
  const depthOf = ({ region, inner }: Block): number => depths[(read.regionOf.get(inner) ?? region).at] ?? 0
  const isPlain = (block: Block): boolean => depthOf(block) <= MAX_CONTAINERS
  const heading = blocks.findIndex((block) => isPlain(block) && isInHeading(block.region))
  const first = heading === -1 ? blocks.findIndex(isPlain) : heading
  const below = blocks.slice(Math.max(0, first)).filter((block) => depthOf(block) !== NO_TEXT)
  // A template has the text in containers, and only its foot right in the page.
  const chosen = [...kept].filter((block) => depthOf(block) !== NO_TEXT)
  if (plainShare(chosen, isPlain) < MIN_KEPT_SHARE || plainShare(below, isPlain) < MIN_PLAIN_SHARE) return []
  const foot = readFoot(read)
  const beside = findBeside(below)
  // Links right below a heading are what it announces, but for the title of the page, or name of the site.
  const isOfHeading = ({ at }: Block): boolean => at > first + 1 && isInHeading(blocks[at - 1]?.region ?? read.body)
  const isMenu = (block: Block): boolean =>
    beside.has(block) || (isMenuLine(block) && !isEntry(block) && !NAMED.test(block.text) && !isOfHeading(block))
  const isClosing = (block: Block): boolean =>
    foot.has(block) || isMenu(block) || (block.text.length <= MAX_CLOSING_LENGTH && CLOSING.test(block.text))
  const last = below.findLastIndex((block) => !isClosing(block))
  return below.slice(0, last + 1).filter((block) => !isMenu(block))
}

/** Finds what stands beside the text: the menu between the title and the text, and what names itself so, up to a heading or sentences. */
function findBeside(blocks: readonly Block[]): ReadonlySet<Block> {
  const menuEnd = blocks.findIndex((block, at) => at > 0 && !leadsAway(block))
  const menu = blocks.slice(1, Math.max(1, menuEnd))
  const found = new Set(new Set(menu.flatMap(linksOf)).size >= MIN_MENU_LINKS ? menu : [])
  let open: Block[] = []
  const end = (): void => {
    if (open.some(({ link }) => link > 0)) for (const block of open) found.add(block)
    open = []
  }
  for (const block of blocks) {
    const begins = block.text.length - block.link <= MAX_CLOSING_LENGTH && BESIDE.test(block.text)
    if (begins || block.isProse || isInHeading(block.region)) end()
    if (begins || open.length > 0) open.push(block)
  }
  end()
  return found
}

/** True for a line of links to other pages. */
const leadsAway = (block: Block): boolean =>
  block.link > MIN_LINK_SHARE * block.text.length &&
  linksOf(block).every(({ attribs }) => attribs['href']?.startsWith('#') !== true)

const linksOf = ({ nodes }: Block): readonly Element[] =>
  nodes.flatMap(({ parent }) => (parent && isElement(parent) && parent.name === 'a' ? [parent] : []))

/** True for a row of a list or table, such as that of an index. */
const isEntry = ({ region }: Block): boolean => /^(?:li|d[dt]|t[dh])$/.test(region.element.name)

function plainShare(blocks: readonly Block[], isPlain: (block: Block) => boolean): number {
  let all = 0
  let plain = 0
  for (const block of blocks) {
    all += block.text.length
    if (isPlain(block)) plain += block.text.length
  }
  return all === 0 ? 0 : plain / all
}

/** Depth of what its markup declares a menu or the like, and of the words in a drawing. */
const NO_TEXT = 100

/** Returns the number of containers around each region below the body. */
function readDepths({ regions }: TextBlocks): Uint8Array {
  const depths = new Uint8Array(regions.length)
  for (const { at, element, parent } of regions) {
    if (parent === undefined) continue
    const around = depths[parent.at] ?? 0
    if (around === NO_TEXT || element.name === 'svg' || boilerplateKind(element) !== undefined) depths[at] = NO_TEXT
    else depths[at] = Math.min(around + containersOf(element.name, parent), NO_TEXT - 1)
  }
  return depths
}

/** A cell is one of data, unless it is divided as a page is. */
const containersOf = (name: string, { element, parent }: Region): number =>
  CONTAINERS.has(name)
    ? 1
    : element.name === 'td' && IN_LAYOUT.test(name) && (name === 'table' || !isRowOfMany(parent))
      ? MAX_CONTAINERS + 1
      : 0

/** True for a row of a table that has too many for the layout of a page. */
function isRowOfMany(row: Region | undefined): boolean {
  let rows = 0
  return (
    row?.parent?.element.children.some(
      (child) => isElement(child) && child.name === 'tr' && (rows += 1) >= MIN_ROWS,
    ) === true
  )
}

function isInHeading(region: Region): boolean {
  return isHeading(region.element) || (region.parent !== undefined && isHeading(region.parent.element))
}

/** Returns the blocks of the foot: a few short lines below the last line that is drawn across the page. */
function readFoot({ blocks, regions }: TextBlocks): ReadonlySet<Block> {
  const rule = regions.findLast(({ element }) => element.name === 'hr')
  const foot = rule === undefined ? [] : blocks.filter(({ start }) => start >= rule.start)
  const isFoot = foot.length <= MAX_FOOT_BLOCKS && foot.every((block) => isShort(block) && !isInHeading(block.region))
  return new Set(isFoot ? foot : [])
}

const isShort = ({ isProse, text }: Block): boolean => !isProse && text.length <= MAX_CLOSING_LENGTH
