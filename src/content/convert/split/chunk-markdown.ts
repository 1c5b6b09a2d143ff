import { type Definition, Definitions } from './definitions.js'
import { TOKEN, estimateTokens, weigh } from './estimate-tokens.js'
import { CharacterBudget } from '../../html/document-limits.js'
import { type MarkdownBlock, readBlocks } from '../markdown-blocks/markdown-blocks.js'
import { packBlocks, splitBlock } from './split-block.js'
import { cutText } from '../../../base/text/cut-text.js'
import { findSpans } from './find-spans.js'
import { isRule } from '../markdown-blocks/markdown-lines.js'

/** The text of a chunk, with its place. */
interface ChunkText {
  /** Headings above the chunk, outermost first and including its own: plain text, each at most 120 characters. */
  path: string[]
  /** Self-contained Markdown: its own heading first, fences closed, a table's header above its rows. */
  markdown: string
}

/** A chunk of a page's Markdown. */
export interface Chunk extends ChunkText {
  /** Estimated tokens of `markdown`. */
  tokens: number
}

// Each chunk that uses a definition contains it. A long one that every word of a file uses would make gigabytes of
// output.
const MAX_DEFINITION_TOKENS = 100

/**
 * Splits Markdown into chunks: one for each heading with its text, or several if that exceeds `maxTokens`. A heading
 * without text of its own is joined with the next one, or at the end with the text before. A rule between two chunks is dropped.
 */
export const chunkMarkdown = (markdown: string, maxTokens: number): Chunk[] =>
  splitMarkdown(markdown, maxTokens).map((chunk) => ({ ...chunk, tokens: estimateTokens(chunk.markdown) }))

/**
 * Shortens chunks that are too long together: each repeats the headings above it, and a table its header. The paths are
 * shortened first.
 */
export function fitChunks(
  chunks: readonly Chunk[],
  mostCharacters: number,
): { readonly chunks: Chunk[]; readonly shortened: number; readonly leftOut: number } {
  const texts = new CharacterBudget(mostCharacters)
  const end = chunks.findIndex(({ markdown }) => !texts.take(markdown.length))
  const kept = end === -1 ? chunks : chunks.slice(0, end)
  const paths = new CharacterBudget(mostCharacters - kept.reduce((sum, { markdown }) => sum + markdown.length, 0))
  const fitting = kept.map((chunk) =>
    paths.take(chunk.path.reduce((sum, heading) => sum + heading.length, 0))
      ? chunk
      : { ...chunk, path: chunk.path.slice(-1) },
  )
  return { chunks: fitting, shortened: paths.leftOut, leftOut: chunks.length - kept.length }
}

/** Splits Markdown as {@link chunkMarkdown} does, without counting the tokens of the chunks. */
export function splitMarkdown(markdown: string, maxTokens: number): ChunkText[] {
  const blocks = readBlocks(markdown)
  const definitions = new Definitions(blocks, Math.min(MAX_DEFINITION_TOKENS, maxTokens / 4))
  const limit = maxTokens * TOKEN
  const weighAll = definitions.weigher()
  return joinHeadings(readSections(blocks), Math.min(SMALL, limit / 4)).flatMap(({ path, headings, content }) =>
    packSection(headings, content, limit, weighAll)
      .map(withoutRules)
      .filter((text) => text !== '')
      .map((text) => ({ path, markdown: withDefinitions(text, definitions.usedIn(text), limit) })),
  )
}

interface Section {
  readonly path: string[]
  readonly headings: readonly MarkdownBlock[]
  readonly content: readonly MarkdownBlock[]
}

function readSections(blocks: readonly MarkdownBlock[]): Section[] {
  const sections: Section[] = []
  let open: { level: number; text: string }[] = []
  let headings: Heading[] = []
  let content: MarkdownBlock[] = []
  const close = (): void => {
    // Headings without text, and then the one with this text, with the headings right above it.
    const from = content.length === 0 ? headings.length : lastDescent(headings)
    for (const [over, under] of [
      [headings.slice(0, from), []],
      [headings.slice(from), content],
    ] as const) {
      if (over.length + under.length === 0) continue
      const path = under.length === 0 ? commonPath(over) : open.map(({ text }) => text)
      sections.push({ path, headings: over.map(({ block }) => block), content: under })
    }
    headings = []
    content = []
  }
  for (const block of blocks) {
    if (block.kind === 'definition') continue
    const { level } = block
    if (level === undefined) {
      if (content.length > 0 || block.kind !== 'text' || !isRule(block.text)) content.push(block)
    } else {
      if (content.length > 0) close()
      open = [...open.filter((above) => above.level < level), { level, text: headingText(block.text) }]
      headings.push({ block, level, path: open.map(({ text }) => text) })
    }
  }
  close()
  return sections
}

/** Weight of headings alone, up to which they are no chunk of their own: a search would find them in place of a text. */
const SMALL = 30 * TOKEN

/** Joins headings without text with the section after them; at the end with the one before. */
function joinHeadings(sections: readonly Section[], most: number): Section[] {
  const joined: Section[] = []
  let before: readonly MarkdownBlock[] = []
  for (const section of sections) {
    const headings = [...before, ...section.headings]
    const isSmall = section.content.length === 0 && weigh(writeBlocks(headings), most) <= most
    before = isSmall ? headings : []
    if (!isSmall) joined.push({ ...section, headings })
  }
  if (before.length === 0) return joined
  const last = joined.pop()
  if (last === undefined) return [{ path: sections[0]?.path ?? [], headings: before, content: [] }]
  const content = before.map(({ text }): MarkdownBlock => ({ kind: 'lines', text }))
  return [...joined, { ...last, content: [...last.content, ...content] }]
}

const writeBlocks = (blocks: readonly MarkdownBlock[]): string => blocks.map(({ text }) => text).join('\n\n')

/** Drops the rules at both ends of a text: they stand between two chunks. */
function withoutRules(text: string): string {
  const lines = text.split('\n')
  if (!isRule(lines[0] ?? '') && !isRule(lines.at(-1) ?? '')) return text
  const isBlankAt = (at: number): boolean => (lines[at] ?? '') === ''
  let from = 0
  let to = lines.length
  while (from < to && (isBlankAt(from) || (isRule(lines[from] ?? '') && isBlankAt(from + 1)))) from += 1
  // After a line of text, it would be the mark of a heading.
  while (to > from && (isBlankAt(to - 1) || (isRule(lines[to - 1] ?? '') && isBlankAt(to - 2)))) to -= 1
  return lines.slice(from, to).join('\n')
}

interface Heading {
  readonly block: MarkdownBlock
  readonly level: number
  readonly path: readonly string[]
}

/** Returns the start of the last run of headings in which each is below the one before. */
function lastDescent(headings: readonly Heading[]): number {
  let from = Math.max(0, headings.length - 1)
  while (from > 0 && (headings[from - 1]?.level ?? 0) < (headings[from]?.level ?? 0)) from -= 1
  return from
}

/** Returns the common start of several headings' paths. */
function commonPath([first, ...others]: readonly Heading[]): string[] {
  const path = first?.path ?? []
  const end = path.findIndex((text, at) => others.some((other) => other.path[at] !== text))
  return path.slice(0, end === -1 ? path.length : end)
}

/** Packs a section into texts of at most `limit`. Its headings stay with the first block below them. */
function packSection(
  headings: readonly MarkdownBlock[],
  [first, ...rest]: readonly MarkdownBlock[],
  limit: number,
  weighAll: typeof weigh,
): string[] {
  const head = writeBlocks(headings)
  const room = limit - weighAll(`${head}\n\n`)
  // Headings alone, or headings so long that they leave little space.
  if (first === undefined || headings.length === 0 || room < limit / 2) {
    return packBlocks([...headings, ...(first === undefined ? [] : [first]), ...rest], limit, weighAll)
  }
  const [start = '', ...more] = splitBlock(first, room, weighAll)
  const parts: MarkdownBlock[] = [`${head}\n\n${start}`, ...more].map((text) => ({ kind: 'text', text }))
  return packBlocks([...parts, ...rest], limit, weighAll)
}

/** Adds the definitions that a text uses, as far as they fit: a single URL may be longer than any chunk. */
function withDefinitions(text: string, definitions: readonly Definition[], limit: number): string {
  if (definitions.length === 0) return text
  const fitting: string[] = []
  let left = limit - weigh(`${text}\n`)
  for (const definition of definitions) {
    if (definition.weight > left) continue
    fitting.push(definition.text)
    left -= definition.weight
  }
  return fitting.length === 0 ? text : `${text}\n\n${fitting.join('\n')}`
}

const MAX_HEADING_LENGTH = 120

const MARKS = /\\([!-/:-@[-`{-~])|<\/?[a-z][^<>]*>|\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/giu

/** Returns a heading's text without markup, at most 120 characters, for the path of each chunk in its section. */
function headingText(heading: string): string {
  // Bounded before any search, because a heading may have any length.
  const text = heading.slice(0, 2000).replace(/\n[ \t]*(?:=+|-+)[ \t]*$/, '')
  const line = text.replace(/^ {0,3}#{1,6}/, '').replace(/[ \t]#+[ \t]*$/, '')
  const plain = plainText(line).replace(/\s+/g, ' ').trim()
  return plain.length <= MAX_HEADING_LENGTH ? plain : `${cutText(plain, MAX_HEADING_LENGTH - 1).trimEnd()}…`
}

/** Returns a text without marks, with the texts of its links and images and with its code as written. */
function plainText(line: string): string {
  const kept = findSpans(line)
    .flatMap(({ kind, from, to, inner: [start, end] }) => {
      if (kind === 'mark') return []
      if (kind === 'code') return [{ from, to, code: line.slice(start, end).trim() }]
      return [
        { from, to: start, code: '' },
        { from: end, to, code: '' },
      ]
    })
    .sort((one, other) => one.from - other.from)
  let plain = ''
  let at = 0
  for (const { from, to, code } of kept) {
    plain += withoutMarks(line.slice(at, from)) + code
    at = to
  }
  return plain + withoutMarks(line.slice(at))
}

const withoutMarks = (text: string): string => text.replace(MARKS, (_, escaped: string | undefined) => escaped ?? '')
