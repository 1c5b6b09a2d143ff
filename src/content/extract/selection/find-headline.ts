import { type Element, findElement, isElement, isHeading, parentElement } from '../../html/tree.js'
import { wordsIn } from '../../../base/text/words-in.js'
import { parseUrl } from '../../../base/url.js'
import { boilerplateByTag, boilerplateKind } from '../rules/boilerplate.js'
import type { HtmlMetadata } from '../extracted-page.js'
import type { Block, Region } from '../blocks/block.js'

/** Minimum share of the words of a title in its headline. The rest names the site or the section. */
const MIN_TITLE_SHARE = 0.5
/** Minimum share of words that a first heading and the title, or its longest part, have in common; they may say it in other words. */
const MIN_COMMON_SHARE = 0.6
/** Minimum words that they have in common. */
const MIN_COMMON = 4
/** Minimum characters of a headline, and maximum characters of its blocks. */
const MIN_LENGTH = 4
const MAX_LENGTH = 400

/** Maximum levels of elements inside a heading, and maximum headings that are examined. */
const MAX_LEVELS = 5
const MAX_HEADINGS = 50

/** A heading with the blocks of its text: a line above the headline is one of its own. */
interface Heading {
  readonly element: Element
  readonly blocks: Block[]
}

/** Changes of what is kept of a page. */
interface HeadlineChanges {
  readonly added: readonly Block[]
  readonly dropped: readonly Block[]
}

/**
 * Finds the blocks of a page's headline: of the heading before the text that says what the page's title says, or one part of it. The
 * model is not sure of it, because the reference texts of most news leave it out. The last such heading counts: sites repeat it
 * in the bar above the page. Beside it, a heading that names the site is dropped.
 *
 * @param url of the page
 */
export function findHeadline(
  blocks: readonly Block[],
  kept: ReadonlySet<Block>,
  metadata: HtmlMetadata,
  url: string,
): HeadlineChanges {
  const begin = blocks.findIndex((block) => block.isProse && kept.has(block))
  const isText = (block: Block): boolean => kept.has(block) && headingAround(block) === undefined
  const end = begin === -1 ? blocks.findIndex(isText) : begin
  if (end <= 0) return NO_CHANGES
  const shareOf = createShareOf(metadata, url)
  const named = headingsOf(blocks.slice(0, end))
    .map((heading) => ({ ...heading, share: shareOf(heading) }))
    .filter(({ share }) => share !== undefined)
    .slice(-MAX_HEADINGS)
    .map((heading) => ({ ...heading, target: findTarget(heading.element, url) }))
  const most = named.filter(({ share, target }) => share === 'most' && target !== 'first page')
  const headlines = most.length > 0 ? most : named.filter(({ share, target }) => share === 'part' && !target)
  const isKept = headlines.some((heading) => heading.blocks.some((block) => kept.has(block)))
  const around = ancestorsOf(blocks[end])
  const found = isKept
    ? undefined
    : headlines.length > 0
      ? (headlines.findLast(({ element }) => !isBesideText(element, around)) ??
        // Names of classes say where a heading stands, such as in a bar with breadcrumbs, and not what a first heading is: unless the
        // text has the heading of the page, and the bar that of the book.
        (named.some(({ share, blocks: own }) => share === 'part' && own.some((block) => kept.has(block)))
          ? undefined
          : most.findLast(({ element }) => element.name === 'h1' && !isBesideText(element, around, boilerplateByTag))))
      : findDrawn(blocks.slice(0, end), around, shareOf)
  if (!isKept && found === undefined) return NO_CHANGES
  const isName = ({ share, target }: (typeof named)[number]): boolean => share === 'site' || target === 'first page'
  const names = isFirstPage(url) ? [] : named.filter(isName)
  return { added: found?.blocks ?? [], dropped: names.flatMap((heading) => heading.blocks) }
}

/** Names of an element that is drawn as the headline. */
const HEADLINE = /(?:^|[\s_-])(?:head(?:line|ing)|title|titel|titre|titulo|titolo|h1)(?:$|[\s_-])/i

/** Finds the last headline in an element that is none by its tag, but by its name. */
function findDrawn(
  blocks: readonly Block[],
  around: ReadonlySet<Element>,
  shareOf: (heading: Heading) => TitleShare | undefined,
): Heading | undefined {
  const stated = blocks.filter(({ region: { element, text }, inner }) => {
    const isStated = [element, inner].some(({ attribs }) => attribs['itemprop'] === 'headline')
    return isStated && text <= MAX_LENGTH
  })
  // Cards of other stories state theirs as well.
  const only = stated.length === 1 ? stated[0] : undefined
  if (only?.link === 0 && !isBesideText(only.inner, around)) return { element: only.inner, blocks: [only] }
  const block = blocks.findLast(({ region: { element, text }, inner }) => {
    const isNamed = [element, inner].some(
      ({ attribs }) => attribs['itemprop'] === 'headline' || HEADLINE.test(attribs['class'] ?? ''),
    )
    return isNamed && text <= MAX_LENGTH
  })
  if (block === undefined) return undefined
  const heading = { element: block.inner, blocks: [block] }
  return shareOf(heading) === 'most' && block.link === 0 && !isBesideText(heading.element, around) ? heading : undefined
}

const NO_CHANGES: HeadlineChanges = { added: [], dropped: [] }

/**
 * The words of a heading: most of the page's title, a part at its beginning or end, such a part that the host says as well, or the
 * stated name of the site.
 */
type TitleShare = 'most' | 'part' | 'host' | 'site'

function createShareOf(metadata: HtmlMetadata, url: string): (heading: Heading) => TitleShare | undefined {
  const stated = [metadata.title, metadata['og:title']].filter((title) => title !== undefined).map(startOf)
  const titles = stated.map(spaceWords).filter(isLong)
  const parts = stated.map((title) => title.split(SEPARATOR).map(spaceWords)).filter(({ length }) => length > 1)
  const ends = new Set(parts.flatMap((words) => [words[0], words.at(-1)]))
  const longest = parts.map((words) => words.reduce((most, part) => (part.length > most.length ? part : most), ''))
  const wordings = [...titles, ...longest]
  const site = spaceWords(startOf(metadata['og:site_name']))
  const host = parseUrl(url)?.host ?? ''
  return ({ element, blocks }) => {
    const words = spaceWords(blocks.map(({ text }) => startOf(text)).join(' '))
    if (!isLong(words)) return undefined
    if (words === site) return 'site'
    if (titles.some((title) => title.includes(words) && words.length >= MIN_TITLE_SHARE * title.length)) return 'most'
    if (element.name === 'h1' && wordings.some((wording) => isMuchAlike(words, wording))) return 'most'
    if (!ends.has(words)) return undefined
    return host.includes(words.replaceAll(' ', '')) ? 'host' : 'part'
  }
}

/** True for words of which most are in a title, and the reverse. */
function isMuchAlike(words: string, wording: string): boolean {
  const own = new Set(words.trim().split(' '))
  const title = new Set(wording.trim().split(' '))
  let common = 0
  for (const word of own) if (title.has(word)) common += 1
  return common >= MIN_COMMON && 2 * common >= MIN_COMMON_SHARE * (own.size + title.size)
}

/** The parts of a title are the headline, the section and the name of the site. */
const SEPARATOR = /\s[-–—|·•:»«›‹/]\s/

/** Tells if the first link in a heading, or the one around it, leads to the first page of the site or another one; undefined for the page itself. */
function findTarget(heading: Element, url: string): 'first page' | 'other page' | undefined {
  const isLink = ({ name, attribs }: Element): boolean => name === 'a' && attribs['href'] !== undefined
  const around = parentElement(heading)
  const link = around !== undefined && isLink(around) ? around : findElement(heading, isLink)
  if (link === undefined) return undefined
  const target = parseUrl(link.attribs['href'] ?? '', url)
  const page = parseUrl(url)
  if (target === undefined || page === undefined || hostOf(target) !== hostOf(page)) return 'other page'
  if (pathOf(target) === pathOf(page)) return undefined
  return pathOf(target) === '' ? 'first page' : 'other page'
}

const hostOf = ({ host }: URL): string => host.replace(/^www\./, '')

/** Returns the path of a URL without the slash at its end. */
const pathOf = ({ pathname }: URL): string => pathname.replace(/\/$/, '')

const isFirstPage = (url: string): boolean => parseUrl(url)?.pathname === '/'

const startOf = (text: unknown): string => (typeof text === 'string' ? text.slice(0, MAX_LENGTH) : '')

/** Returns the words of a text with a space around each. */
const spaceWords = (text: string): string => ` ${wordsIn(text).join(' ')} `

const isLong = (words: string): boolean => words.length >= MIN_LENGTH + 2

/** Groups the blocks of headings by heading. */
function headingsOf(blocks: readonly Block[]): Heading[] {
  const headings: Heading[] = []
  for (const block of blocks) {
    const element = headingAround(block)
    const last = headings.at(-1)
    if (element !== undefined && last?.element === element) last.blocks.push(block)
    else if (element !== undefined) headings.push({ element, blocks: [block] })
  }
  return headings
}

/** Returns the heading that the text of a block is in. */
function headingAround({ region }: Block): Element | undefined {
  let at: Region | undefined = region
  for (let level = 0; at !== undefined && level < MAX_LEVELS; level += 1) {
    if (isHeading(at.element)) return at.element
    at = at.parent
  }
  return undefined
}

/** Returns the elements around a block. */
function ancestorsOf(block: Block | undefined): ReadonlySet<Element> {
  const around = new Set<Element>()
  for (let at = block?.region; at !== undefined; at = at.parent) around.add(at.element)
  return around
}

/**
 * True for a heading in navigation, a footer or a side bar. What holds the text as well is none, whatever its name.
 *
 * @param kindOf tells which of them an element is. @default by its tag, role and names
 */
function isBesideText({ parent }: Element, around: ReadonlySet<Element>, kindOf = boilerplateKind): boolean {
  for (let at = parent; at !== null && isElement(at) && !around.has(at); at = at.parent) {
    const kind = kindOf(at)
    if (kind !== undefined && BESIDE_TEXT.has(kind)) return true
  }
  return false
}

const BESIDE_TEXT: ReadonlySet<string> = new Set(['navigation', 'footer', 'aside', 'dialog', 'extra'])
