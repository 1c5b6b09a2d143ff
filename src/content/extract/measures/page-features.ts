import type { ParsedPage } from '../../parse/parser.js'
import { isHeading } from '../../html/tree.js'
import { resolveUrl } from '../../../base/url.js'
import type { HtmlMetadata } from '../extracted-page.js'
import type { ContentKind } from '../blocks/page-kind.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { isTitle } from '../blocks/block.js'
import { readJsonLd } from '../structured-data/structured-data.js'
import { wordsIn } from '../../../base/text/words-in.js'

/** Properties of a whole page that the features of its blocks refer to. */
export interface PageFacts {
  readonly blocks: readonly Block[]
  readonly body: Region
  /** Number of blocks with the same text, by text. */
  readonly timesOf: ReadonlyMap<string, number>
  readonly titleWords: ReadonlySet<string>
  /** Words of the blocks that were compared with the title, by {@link Block.at}. They are read once. */
  readonly wordsOf: readonly (readonly string[] | undefined)[]
  /** Phrases of three words from texts in the page's structured data (JSON-LD). */
  readonly statedPhrases: Phrases
  readonly describedPhrases: Phrases
  /** Index of the block of the first `h1`, and of the block most similar to the title; -1 if there is none. */
  readonly headingAt: number
  readonly titleAt: number
  readonly firstProseAt: number
  readonly lastProseAt: number
  /** Cumulative characters of text, of links and of prose before each block; the last entry is the total. */
  readonly textBefore: Float64Array
  readonly linkBefore: Float64Array
  readonly proseBefore: Float64Array
  readonly pageFeatures: Readonly<Record<string, number>>
}

/** Reads the properties that the blocks of a page share. */
export function readPageFacts(
  page: ParsedPage,
  metadata: HtmlMetadata,
  read: TextBlocks,
  kind: ContentKind,
): PageFacts {
  const { blocks, body } = read
  const stated = readStructured(page)
  const titleWords = new Set(wordsIn(`${metadata.title ?? ''} ${String(metadata['og:title'] ?? '')}`))
  const timesOf = new Map<string, number>()
  for (const { text } of blocks) timesOf.set(text, (timesOf.get(text) ?? 0) + 1)
  const wordsOf: (readonly string[] | undefined)[] = []
  return {
    blocks,
    body,
    timesOf,
    titleWords,
    wordsOf,
    statedPhrases: new Phrases(stated.text, MIN_STATED_WORDS),
    describedPhrases: new Phrases(metadata.description ?? '', 3),
    headingAt: blocks.findIndex(({ region }) => isTitle(region)),
    titleAt: findTitle(blocks, titleWords, wordsOf),
    firstProseAt: blocks.findIndex(({ isProse }) => isProse),
    lastProseAt: blocks.findLastIndex(({ isProse }) => isProse),
    textBefore: addUp(blocks, ({ text }) => text.length),
    linkBefore: addUp(blocks, ({ link }) => link),
    proseBefore: addUp(blocks, ({ isProse, text }) => (isProse ? text.length : 0)),
    pageFeatures: {
      ...measurePage(read),
      ...readAddress(page.url),
      isForum: kind === 'discussion' ? 1 : 0,
      isArticle: kind === 'article' ? 1 : 0,
      statedLength: stated.text.length / Math.max(1, read.body.prose),
      isStatedArticle: stated.isArticle ? 1 : 0,
    },
  }
}

/** Returns for each block the sum over all blocks before it; the last entry is the total. */
function addUp(blocks: readonly Block[], measure: (block: Block) => number): Float64Array {
  const sums = new Float64Array(blocks.length + 1)
  for (const [at, block] of blocks.entries()) sums[at + 1] = (sums[at] ?? 0) + measure(block)
  return sums
}

/** Minimum length of a text in structured data. A shorter one is a caption. Words. */
const MIN_STATED_WORDS = 10

/** Things with parts of their own, so that an article that is stated beside it is not all of the page. */
const ITEM = /(?:^|,)(?:Recipe|Product|ProductGroup|\w*Event|HowTo|Course|JobPosting)(?:,|$)/

function readStructured(page: ParsedPage): { text: string; isArticle: boolean } {
  const texts: string[] = []
  let isArticle = false
  let isItem = false
  for (const object of readJsonLd(page)) {
    for (const name of ['articleBody', 'description', 'text', 'reviewBody']) {
      const value = object[name]
      if (typeof value === 'string') texts.push(value.replace(/<[^<>]*>/g, ' '))
    }
    const type = String(object['@type'])
    if (/Article|BlogPosting/.test(type)) isArticle = true
    if (ITEM.test(type)) isItem = true
    const { recipeIngredient } = object
    if (Array.isArray(recipeIngredient)) texts.push(recipeIngredient.filter((one) => typeof one === 'string').join(' '))
  }
  return { text: texts.join(' '), isArticle: isArticle && !isItem }
}

/** Finds the block that contains most words of the page's title and few others. */
function findTitle(
  blocks: readonly Block[],
  titleWords: ReadonlySet<string>,
  wordsOf: (readonly string[] | undefined)[],
): number {
  let found = -1
  let best = 0
  if (titleWords.size === 0) return found
  for (const { at, text, words, region } of blocks) {
    if (words < 2 || words >= 40) continue
    let shared = 0
    const own = wordsIn(text)
    wordsOf[at] = own
    for (const word of own) if (titleWords.has(word)) shared += 1
    if (shared < 2) continue
    const likeness =
      (shared / words) * Math.min(1, shared / Math.max(3, titleWords.size / 2)) + (isHeading(region.element) ? 0.2 : 0)
    if (likeness <= best) continue
    best = likeness
    found = at
  }
  return found
}

function measurePage({ blocks, body, regions }: TextBlocks): Record<string, number> {
  const text = Math.max(1, body.text)
  let paragraphs = 0
  let articles = 0
  for (const {
    element: { name },
  } of regions) {
    if (name === 'p') paragraphs += 1
    if (name === 'article') articles += 1
  }
  const longest = blocks.reduce((most, block) => Math.max(most, block.isProse ? block.text.length : 0), 0)
  return {
    pageText: Math.log1p(body.text),
    pageBlocks: Math.log1p(blocks.length),
    pageLinkShare: body.link / text,
    pageProseShare: body.prose / text,
    pageImages: Math.log1p(body.images),
    pageControls: Math.log1p(body.controls),
    pageHeadings: Math.log1p(body.headings),
    pageParagraphs: Math.log1p(paragraphs),
    pageArticles: Math.min(articles, 20),
    pageHasTitle: blocks.some(({ region }) => isTitle(region)) ? 1 : 0,
    pageLongestProse: Math.log1p(longest),
    pageBlockLength: text / Math.max(1, blocks.length),
    pagePrices: Math.log1p(blocks.filter(({ text: line }) => isPrice(line)).length),
  }
}

export const isPrice = (text: string): boolean => text.length < 200 && /[$€£¥]\s?\d|\d\s?(?:USD|EUR|€|kr|zł)/.test(text)

/** Computes features of the URL path: depth, digits, and hyphens of the last segment. */
function readAddress(address: string): Record<string, number> {
  const path = resolveUrl(address)?.pathname ?? ''
  const parts = path.split('/').filter((part) => part !== '')
  return {
    addressDepth: parts.length,
    addressDigits: path.replace(/\D/g, '').length,
    addressHyphens: (parts.at(-1)?.split('-').length ?? 1) - 1,
  }
}

/** The phrases of three words in a text. */
export class Phrases {
  /** Number of different phrases. */
  readonly size: number
  readonly #words: ReadonlySet<string>
  readonly #phrases: ReadonlySet<string>

  /** @param minWords minimum length of the text, in words. A shorter one has no phrases */
  constructor(text: string, minWords: number) {
    const words = wordsIn(text)
    const phrases = new Set<string>()
    const isShort = words.length < minWords
    const end = isShort ? 0 : words.length - 2
    for (let at = 0; at < end; at += 1) phrases.add(`${words[at]} ${words[at + 1]} ${words[at + 2]}`)
    this.#words = new Set(isShort ? [] : words)
    this.#phrases = phrases
    this.size = phrases.size
  }

  /** Returns the share of the phrases of `words` that the text has; -1 for fewer than three words. */
  shareOf(words: readonly string[]): number {
    if (words.length < 3) return -1
    if (this.size === 0) return 0
    let found = 0
    // Number of words in succession that the text has. Only three of them may be a phrase, which takes longer to find.
    let known = 0
    for (const [at, word] of words.entries()) {
      known = this.#words.has(word) ? known + 1 : 0
      if (known >= 3 && this.#phrases.has(`${words[at - 2]} ${words[at - 1]} ${word}`)) found += 1
    }
    return found / (words.length - 2)
  }
}
