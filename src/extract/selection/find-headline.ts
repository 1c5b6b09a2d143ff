import { type Element, isElement, isHeading } from '../../html/tree.js'
import { wordsIn } from '../../text/words-in.js'
import { boilerplateKind } from '../rules/boilerplate.js'
import type { HtmlMetadata } from '../extracted-page.js'
import type { Block, Region } from '../blocks/read-blocks.js'

/** Minimum share of the words of a title in its headline. The rest names the site or the section. */
const MIN_TITLE_SHARE = 0.5
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

/**
 * Finds the blocks of a page's headline: of the heading before the text that says what the page's title says. The model is
 * not sure of it, because the reference texts of most news leave it out. The last such heading counts: sites repeat it in
 * the bar above the page.
 *
 * @returns none if there is no headline, or if it is kept already
 */
export function findHeadline(blocks: readonly Block[], kept: ReadonlySet<Block>, metadata: HtmlMetadata): Block[] {
  const begin = blocks.findIndex((block) => block.isProse && kept.has(block))
  const end = begin === -1 ? blocks.findIndex((block) => kept.has(block)) : begin
  if (end <= 0) return []
  const titles = [metadata.title, metadata['og:title']].map(spaceWords).filter(isLong)
  const site = spaceWords(metadata['og:site_name'])
  const headlines = headingsOf(blocks.slice(0, end)).filter((heading) => {
    const words = spaceWords(heading.blocks.map(({ text }) => text.slice(0, MAX_LENGTH)).join(' '))
    if (!isLong(words) || words === site) return false
    return titles.some((title) => title.includes(words) && words.length >= MIN_TITLE_SHARE * title.length)
  })
  if (headlines.some((heading) => heading.blocks.some((block) => kept.has(block)))) return []
  const around = ancestorsOf(blocks[end])
  return headlines.slice(-MAX_HEADINGS).findLast(({ element }) => !isBesideText(element, around))?.blocks ?? []
}

/** Returns the words of a text with a space around each. */
const spaceWords = (text: unknown): string =>
  typeof text === 'string' ? ` ${wordsIn(text.slice(0, MAX_LENGTH)).join(' ')} ` : ''

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

/** True for a heading in navigation, a footer or a side bar. What holds the text as well is none, whatever its name. */
function isBesideText({ parent }: Element, around: ReadonlySet<Element>): boolean {
  for (let at = parent; at !== null && isElement(at) && !around.has(at); at = at.parent) {
    const kind = boilerplateKind(at)
    if (kind !== undefined && BESIDE_TEXT.has(kind)) return true
  }
  return false
}

const BESIDE_TEXT: ReadonlySet<string> = new Set(['navigation', 'footer', 'aside', 'dialog', 'extra'])
