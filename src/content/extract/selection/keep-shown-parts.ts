import {
  type ChildNode,
  type Element,
  isElement,
  isHeading,
  isText,
  type NodeSet,
  type ParentNode,
} from '../../html/tree.js'
import { createFinderOfEnds } from './whole-series.js'
import type { Verdicts } from './content-rule.js'
import { LAST_STEPS } from './page-rules.js'
import { type Block, isTitle, type Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { wordsOf } from '../blocks/name-words.js'
import { type Boilerplate, boilerplateKind } from '../rules/boilerplate.js'
import { findNotices } from '../rules/find-notices.js'

/** A page, and the blocks of text chosen of it. */
interface TextChoice {
  readonly read: TextBlocks
  readonly kept: ReadonlySet<Block>
  readonly probabilities: Float64Array
  /** Elements that are not visible. */
  readonly cleared: ReadonlySet<Element>
  /** Get the fate of each block that is kept or dropped by this. @default nothing is recorded */
  readonly verdicts?: Verdicts
}

/** Maximum words of a choice that is nearly nothing, beside the title; it also has no prose outside of notices and footers. */
const MAX_FEW_WORDS = 30

/**
 * Minimum probability of text that is kept beside such a choice. The entries of a category of a blog are links alone, and
 * less likely than the title above them; but without them, the page says nothing.
 */
const MIN_LIKELY = 0.25

/** Maximum words of such a choice with notices and footers. */
const MAX_NOTICE_WORDS = 150

/** Maximum blocks of text beside a picture that are its caption. */
const MAX_CAPTION_BLOCKS = 3

/**
 * Keeps the pictures, players, tables, lists and likely texts outside of the frame of a page, if hardly any text of the page
 * was chosen. The model scores blocks of text only, so that it has nothing to say about such a page.
 *
 * @returns what is dropped; undefined if the choice has enough text, or the page shows nothing else
 */
export function keepShownParts({ read, kept, probabilities, cleared, verdicts }: TextChoice): NodeSet | undefined {
  // Read for a page with a notice only, or with hardly any text.
  let frame: ((region: Region) => boolean) | undefined
  const isFrame = (region: Region): boolean => (frame ??= createFrameTest(read.regions))(region)
  const isNoticed = createTest((region) => isNotice(region) && isFrame(region))
  const isFramed = createTest(isFrame)
  let memberOf: ((region: Region) => Region | undefined) | undefined
  /** The header and footer of each card are parts of the card. */
  const isOfMember = (region: Region): boolean => {
    const member = (memberOf ??= createFinderOfEnds(read))(region)
    return member?.parent !== undefined && !isFramed(member.parent)
  }
  let words = 0
  let noticeWords = 0
  for (const block of kept) {
    // The title is kept even if nothing else is, and may be long.
    if (isTitle(block.region)) continue
    const isOnlyNotice = isNoticed(block.region) && !isOfMember(block.region)
    if (isOnlyNotice) noticeWords += block.words
    else words += block.words
    if ((block.isProse && !isOnlyNotice) || words > MAX_FEW_WORDS || noticeWords > MAX_NOTICE_WORDS) return undefined
  }
  const shown = read.regions.filter((region) => isMedia(region.element) && !isFramed(region))
  const media = shown.every(({ element }) => isDecoration(element)) ? [] : shown
  const isEntry = createEntryTest(read.regions)
  const outside = read.blocks.filter((block) => {
    const { region, inner, link } = block
    const isOwnText = inner.name !== 'button' && link === 0 && isEntry(region)
    return !isFramed(region) || ((kept.has(block) || isOwnText) && isOfMember(region))
  })
  const likely = outside.filter((block) => (probabilities[block.at] ?? 0) >= MIN_LIKELY || isEntry(block.region))
  if (media.length === 0 && likely.every((block) => kept.has(block)) && (words > 0 || outside.length === 0))
    return undefined
  // Below a title, the likely texts are the content; where no other text is likely, all of it may be.
  const isTitled = [...kept].some(({ region }) => isTitle(region)) && likely.some((block) => !kept.has(block))
  const isLikely = new Set(likely)
  const isChosen = (block: Block): boolean =>
    kept.has(block) || isLikely.has(block) || isPart(block) || isCaption(block)
  const chosen = words === 0 && !isTitled ? outside : outside.filter(isChosen)
  const notices = new Set(findNotices(read, new Set(chosen)))
  const blocks = notices.size === 0 ? chosen : chosen.filter((block) => !notices.has(block))
  verdicts?.recordChanges(LAST_STEPS.shownPart, read.blocks, kept, new Set(blocks))
  return dropAllBut({ blocks, media, cleared, read })
}

/** Minimum `article` elements of a page that are the entries of a list. */
const MIN_ENTRIES = 3

/** Creates a test for the parts of entries of a list. */
function createEntryTest(regions: readonly Region[]): (region: Region) => boolean {
  const isArticle = ({ element }: Region): boolean => element.name === 'article'
  return regions.filter(isArticle).length >= MIN_ENTRIES ? createTest(isArticle) : () => false
}

const FRAME_KINDS: ReadonlySet<Boilerplate> = new Set([
  'navigation',
  'header',
  'footer',
  'aside',
  'dialog',
  'extra',
  'comments',
  'control',
])

/** Names of the parts around the content of every page of a site, on sites that have `div` elements only. */
const FRAME_WORDS: ReadonlySet<string> = new Set(['header', 'masthead', 'topbar', 'logo', 'branding', 'footer'])

/** Elements that may have a header of their own. */
const SECTIONS: ReadonlySet<string> = new Set(['main', 'article'])

/** Creates a test for regions that pass another test, or lie in one that does. */
function createTest(passes: (region: Region) => boolean): (region: Region) => boolean {
  const known = new Map<Region, boolean>()
  return (region) => {
    const open: Region[] = []
    let at: Region | undefined = region
    for (; at !== undefined && !known.has(at); at = at.parent) open.push(at)
    let answer = at !== undefined && known.get(at) === true
    for (const each of open.reverse()) {
      answer ||= passes(each)
      known.set(each, answer)
    }
    return answer
  }
}

const NOTICE_ELEMENTS: ReadonlySet<string> = new Set(['header', 'footer', 'nav', 'dialog'])
const NOTICE_WORDS: ReadonlySet<string> = new Set(['cookie', 'cookies', 'consent', 'gdpr', 'onetrust', 'copyright'])

/** True for a header, footer or cookie notice, whose text alone is no content, if it is part of the frame. */
const isNotice = ({ element }: Region): boolean =>
  NOTICE_ELEMENTS.has(element.name) || wordsOf(element).some((word) => NOTICE_WORDS.has(word))

/** Creates a test for the parts around the content. What holds the content or title of the page is none, whatever its name. */
function createFrameTest(regions: readonly Region[]): (region: Region) => boolean {
  const holders = new Set<Region>()
  for (const region of regions) {
    if (!SECTIONS.has(region.element.name) && region.element.name !== 'h1') continue
    for (let at: Region | undefined = region; at !== undefined && !holders.has(at); at = at.parent) holders.add(at)
  }
  const isInArticle = createTest(({ element }) => element.name === 'article')
  return (region) => {
    const { element, parent } = region
    if (parent === undefined || SECTIONS.has(element.name) || holders.has(region)) return false
    // The header of an entry has its title.
    if (element.name === 'header' && isInArticle(region)) return false
    const kind = boilerplateKind(element)
    const isNamed = kind === undefined ? wordsOf(element).some((word) => FRAME_WORDS.has(word)) : FRAME_KINDS.has(kind)
    return isNamed && !isHeading(element)
  }
}

const MEDIA: ReadonlySet<string> = new Set(['img', 'video', 'audio', 'iframe', 'object', 'embed'])

/** True for a picture or player of more than two pixels. Smaller ones count visits. */
function isMedia({ name, attribs }: Element): boolean {
  const isSmall = (size: string | undefined): boolean => size !== undefined && /^\s*[0-2](?:px)?\s*$/.test(size)
  return MEDIA.has(name) && !isSmall(attribs['width']) && !isSmall(attribs['height'])
}

/** File names of pictures that templates have on every page. A page that waits for its scripts shows nothing else. */
const DECORATION = /(?:^|[^a-z])(?:banner|hero|logo|sprite|spacer)(?:[^a-z]|$)/i

const isDecoration = ({ name, attribs }: Element): boolean =>
  name === 'img' && DECORATION.test((attribs['src'] ?? '').split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '')

const PARTS: ReadonlySet<string> = new Set(['table', 'dl', 'ol', 'figure', 'address', 'h1'])

/** True for text of the title, or of a table or list that is more than links. */
function isPart({ region, link, text }: Block): boolean {
  if (link > 0.5 * text.length) return false
  for (let at: Region | undefined = region; at !== undefined; at = at.parent)
    if (PARTS.has(at.element.name)) return true
  return false
}

/** True for a short text beside a picture in an element of their own. */
function isCaption({ region, isProse }: Block): boolean {
  const around = region.images > 0 ? region : region.parent
  return around !== undefined && around.images > 0 && around.blocks <= MAX_CAPTION_BLOCKS && !isProse
}

interface ShownParts extends Pick<TextChoice, 'read' | 'cleared'> {
  readonly blocks: readonly Block[]
  readonly media: readonly Region[]
}

/** Drops everything but some blocks and media, and the elements around them. */
function dropAllBut({ blocks, media, cleared, read: { regionOf } }: ShownParts): NodeSet {
  const texts = new Set<ChildNode>(blocks.flatMap(({ nodes }) => nodes))
  const wholes = new Set<ParentNode>(media.map(({ element }) => element))
  const around = new Set<ParentNode>()
  for (const node of [...texts, ...wholes])
    for (let at: ParentNode | null = node.parent; at !== null && !around.has(at); at = at.parent) around.add(at)
  const isDropped = (node: ChildNode): boolean => {
    // White space separates pictures in one line.
    if (isText(node)) return !texts.has(node) && node.data.trim() !== ''
    if (!isElement(node) || cleared.has(node)) return true
    // An image of a `noscript` is no region of the page.
    if (regionOf.get(node) === undefined || around.has(node) || wholes.has(node) || KEPT_ALONG.has(node.name))
      return false
    return node.parent === null || !wholes.has(node.parent)
  }
  return { has: isDropped }
}

/** Elements without text that are parts of lines, tables and players. */
const KEPT_ALONG: ReadonlySet<string> = new Set(['br', 'hr', 'td', 'th', 'tr', 'source', 'track'])
