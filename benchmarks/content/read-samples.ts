import { evenOut } from '../../src/content/extract/main-content/predict-content.js'
import { selectContent } from '../../src/content/extract/main-content/main-content.js'
import { readMetadata } from '../../src/content/extract/structured-data/metadata.js'
import type { Block, Region } from '../../src/content/extract/blocks/block.js'
import { type TextBlocks, readBlocks } from '../../src/content/extract/blocks/read-blocks.js'
import { findPageKind } from '../../src/content/extract/blocks/page-kind.js'
import { createVerdictOf, selectByRules } from '../../src/content/extract/rules/select-by-rules.js'
import { findVisibility, type Visibility } from '../../src/content/extract/visibility/visibility.js'
import { listNodes } from '../../src/content/html/page-nodes.js'
import type { ChildNode, Element, NodeSet, Text } from '../../src/content/html/tree.js'
import { isElement } from '../../src/content/html/tree.js'
import { type JudgedContent, buildFeatures } from '../../src/content/extract/measures/build-features.js'
import { wordsOf } from '../../src/content/extract/blocks/name-words.js'
import { readPageFacts } from '../../src/content/extract/measures/page-features.js'
import { namesPut, FeatureVector, type Put } from '../../src/content/extract/measures/feature-vector.js'
import { wordsIn } from '../../src/base/text/words-in.js'
import { parse } from '../../src/content/parse/parse.js'
import { parsePlan } from '../../test/content/parse/pages.js'
import { alignWords } from './align-words.js'

/** A page with a reference answer. */
export interface ReferencePage {
  readonly id: string
  readonly set: string
  readonly type: string
  readonly url: string
  readonly html: string
  /** The text of its main content. */
  readonly text?: string
  /** Texts that must, and that must not, be in it. */
  readonly want: readonly string[]
  readonly unwanted: readonly string[]
}

/** A block of a page with a reference answer. */
export interface SampleBlock {
  readonly text: string
  readonly words: number
  /** True for the page's headline, if the reference text leaves headlines out. */
  readonly isHeadline: boolean
}

/** A page's blocks with their labels. */
export interface PageSamples {
  readonly page: Omit<ReferencePage, 'html'>
  readonly site: string
  readonly blocks: readonly SampleBlock[]
  /** Share of content in each block; -1 if unknown. */
  readonly labels: readonly number[]
  readonly weights: readonly number[]
  /** Words in the names of all elements around each block. */
  readonly names: readonly (readonly string[])[]
  /** Returns the features of each block and their names, given the weights of words in names. */
  featuresOf(nameWeights: ReadonlyMap<string, number>): {
    readonly names: readonly string[]
    readonly numbers: readonly Float32Array[]
  }
  /** Returns the text that an extraction would keep, given the prediction of the forest for each block, without the headline. */
  chooseText(predicted: Float64Array): string
}

/** Reads a page as an extraction does, and labels its blocks by its reference answer. */
export function readSamples({ html, ...page }: ReferencePage): PageSamples {
  const source = readPage(page, html)
  const { read } = source
  const headlines = findHeadlines(source, page)
  const labels = labelBlocks(read, page).map((label, at) => (headlines.has(at) ? -1 : label))
  const all = read.blocks.reduce((sum, { words }) => sum + words, 0)
  const wanted = page.text === undefined ? 0 : wordsIn(page.text).length
  // Each page has the same total weight, and a block its share of the page's words. Of a page with only a few known
  // parts, each part has a fixed weight.
  const weigh = (label: number, words: number): number => {
    if (label < 0) return 0
    return page.text === undefined ? PART_WEIGHT : Math.max(1, words) / Math.max(MIN_WORDS, wanted + 0.3 * all)
  }
  return {
    page,
    site: siteOf(page),
    blocks: read.blocks.map((block) => ({
      text: block.text,
      words: block.words,
      isHeadline: headlines.has(block.at),
    })),
    labels,
    weights: labels.map((label, at) => weigh(label, read.blocks[at]?.words ?? 0)),
    names: read.blocks.map(({ region }) => namesAround(region)),
    featuresOf(nameWeights) {
      // Parsed again: a thousand trees at once take too much memory.
      const parsed = readPage(page, html)
      const gathered = buildFeatures({ ...parsed, nameWeights })
      return readRows(parsed.read.blocks, (block, put) => gathered.read(block, put))
    },
    chooseText(predicted) {
      const { body, visibility, ...parsed } = readPage(page, html)
      const { blocks } = parsed.read
      const predictionOf = new Map(blocks.flatMap(({ at, nodes }) => nodes.map((node) => [node, predicted[at] ?? 0])))
      const { invisible: cleared, disclosed: panels } = visibility
      // Without its panels, a page has other blocks, of the same texts.
      const { dropped } = selectContent(
        {
          page: parsed.page,
          metadata: parsed.metadata,
          nodes: listNodes(parsed.page.tree.root),
          body,
          cleared,
          panels,
        },
        ({ read: some }) =>
          evenOut(
            some,
            Float64Array.from(some.blocks, ({ nodes }) => meanOf(nodes, predictionOf)),
          ),
      )
      return blocks
        .filter((block) => !headlines.has(block.at) && block.nodes.some((node) => !isDropped(node, dropped)))
        .map(({ text }) => text)
        .join('\n')
    },
  }
}

/** Returns the features of each block, and their names. */
function readRows(
  blocks: readonly Block[],
  read: (block: Block, put: Put) => void,
): { names: readonly string[]; numbers: readonly Float32Array[] } {
  const names = blocks.slice(0, 1).flatMap((block) => namesPut((put) => read(block, put)))
  const row = new FeatureVector(names.length)
  const numbers = blocks.map((block) => {
    row.moveTo(0)
    read(block, row.put)
    return Float32Array.from(row.numbers)
  })
  return { names, numbers }
}

const meanOf = (nodes: readonly Text[], predictionOf: ReadonlyMap<Text, number>): number =>
  nodes.reduce((sum, node) => sum + (predictionOf.get(node) ?? 0), 0) / Math.max(1, nodes.length)

function isDropped(node: Text, dropped: NodeSet): boolean {
  for (let at: ChildNode | undefined = node; at !== undefined; at = isChild(at.parent) ? at.parent : undefined)
    if (dropped.has(at)) return true
  return false
}

const isChild = (parent: ChildNode['parent']): parent is Element => parent !== null && isElement(parent)

/** Weight of a known part of an otherwise unknown text. */
const PART_WEIGHT = 0.09
const MIN_WORDS = 50

interface ReadPage extends JudgedContent {
  readonly body: Element
  readonly visibility: Visibility
}

function readPage({ url, set, id }: Omit<ReferencePage, 'html'>, html: string): ReadPage {
  const input = { url, body: Buffer.from(html), contentType: 'text/html; charset=utf-8' }
  const page = parse(input, parsePlan)
  const body = page.tree.$('body')[0]
  if (body === undefined) throw new Error(`${set}/${id} has no body`)
  const visibility = findVisibility(body)
  const cleared = visibility.invisible
  const kind = findPageKind(page)
  const read = readBlocks(body, cleared)
  const verdictOf = createVerdictOf(selectByRules(body, cleared, kind), read)
  return { page, metadata: readMetadata(page), read, kind, verdictOf, body, visibility }
}

function labelBlocks({ blocks }: TextBlocks, { text, want, unwanted }: Omit<ReferencePage, 'html'>): number[] {
  if (text === undefined)
    return blocks.map((block) => labelByParts(block.text, want.map(squeeze), unwanted.map(squeeze)))
  const words = blocks.map((block) => tokensIn(block.text))
  const found = alignWords(words.flat(), tokensIn(text))
  let from = 0
  return words.map(({ length }) => {
    const hits = found.subarray(from, from + length).reduce((sum, hit) => sum + hit, 0)
    from += length
    return length > 0 ? hits / length : -1
  })
}

/** Returns words, and the single characters of scripts that are written without spaces. */
const tokensIn = (text: string): string[] =>
  text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .toLowerCase()
    .match(TOKEN) ?? []

const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}_])+/gu

/** Sets whose reference texts leave the headline out, although it belongs to the main content. */
export const SETS_WITHOUT_HEADLINE: ReadonlySet<string> = new Set(['aeb', 'fundus', 'turing'])

/** Minimum share of a block's words that are in the page's title, for the block to be the headline. */
const MIN_TITLE_SHARE = 0.6

/** Finds the blocks of a page's headline, if the reference text leaves it out. */
function findHeadlines(
  { page, metadata, read, kind }: JudgedContent,
  { set, text = '' }: Omit<ReferencePage, 'html'>,
): ReadonlySet<number> {
  if (!SETS_WITHOUT_HEADLINE.has(set)) return new Set()
  const { titleAt, titleWords } = readPageFacts(page, metadata, read, kind)
  const known = squeeze(text)
  const found = read.blocks.filter((block) => {
    if (known.includes(block.text)) return false
    const words = wordsIn(block.text)
    const shared = words.filter((word) => titleWords.has(word)).length
    return block.at === titleAt || (isInHeading(block.region) && shared >= MIN_TITLE_SHARE * words.length)
  })
  return new Set(found.map(({ at }) => at))
}

const isInHeading = ({ element, parent }: Region): boolean => element.name === 'h1' || parent?.element.name === 'h1'

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Minimum length of a part. Shorter texts occur in others by chance. Characters. */
const MIN_PART = 4
const MIN_BLOCK = 12

function labelByParts(text: string, want: readonly string[], unwanted: readonly string[]): number {
  const shares = (part: string): boolean => text.includes(part) || (text.length >= MIN_BLOCK && part.includes(text))
  if (want.some((part) => part.length >= MIN_PART && shares(part))) return 1
  return unwanted.some(shares) ? 0 : -1
}

/** Returns the site of a page. Pages of one site are never used for training and validation at once. */
function siteOf({ url, id }: { readonly url: string; readonly id: string }): string {
  if (!URL.canParse(url)) return id
  const { hostname } = new URL(url)
  return hostname
    .split('.')
    .slice(/\.(?:co|com|org|gov|ac)\.\w\w$/.test(hostname) ? -3 : -2)
    .join('.')
}

function namesAround(region: Region): string[] {
  const words: string[] = []
  for (let at: Region | undefined = region; at !== undefined; at = at.parent)
    words.push(...new Set(wordsOf(at.element)))
  return words
}
