import { type Definition, Definitions } from './definitions.js'
import { TOKEN, estimateTokens, weigh } from './estimate-tokens.js'
import { headingText } from '../markdown-blocks/heading-text.js'
import { type MarkdownBlock, readBlocks } from '../markdown-blocks/markdown-blocks.js'
import { packBlocks, splitBlock } from './split-block.js'

/** A piece of a page's Markdown. */
export interface Chunk {
  /** The headings that it stands under, outermost first, its own included: plain text, each of at most 120 characters. */
  path: string[]
  /** Markdown that stands by itself: its own heading first, fences closed, a table's header over its rows. */
  markdown: string
  /** About how many tokens a language model reads in `markdown`. */
  tokens: number
}

// A definition stands in each chunk that uses it: a long one, used by every word of a file, would make gigabytes of it.
const MAX_DEFINITION_TOKENS = 100

/**
 * Markdown in chunks: one for each heading and what stands under it, or several where that is more than `maxTokens`. A
 * heading with no text of its own goes with the next one.
 */
export function chunkMarkdown(markdown: string, maxTokens: number): Chunk[] {
  const blocks = readBlocks(markdown)
  const definitions = new Definitions(blocks, Math.min(MAX_DEFINITION_TOKENS, maxTokens / 4))
  const limit = maxTokens * TOKEN
  const weighAll = definitions.weigher()
  return readSections(blocks).flatMap(({ path, headings, content }) =>
    packSection(headings, content, limit, weighAll).map((text) => {
      const whole = withDefinitions(text, definitions.usedIn(text), limit)
      return { path, markdown: whole, tokens: estimateTokens(whole) }
    }),
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
    // Headings of parts that have no text, then the one whose text this is, with those right above it.
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
    if (level === undefined) content.push(block)
    else {
      if (content.length > 0) close()
      open = [...open.filter((above) => above.level < level), { level, text: headingText(block.text) }]
      headings.push({ block, level, path: open.map(({ text }) => text) })
    }
  }
  close()
  return sections
}

interface Heading {
  readonly block: MarkdownBlock
  readonly level: number
  readonly path: readonly string[]
}

/** Where the last run of headings begins in which each is below the one before. */
function lastDescent(headings: readonly Heading[]): number {
  let from = Math.max(0, headings.length - 1)
  while (from > 0 && (headings[from - 1]?.level ?? 0) < (headings[from]?.level ?? 0)) from -= 1
  return from
}

/** What the paths of several headings begin with. */
function commonPath([first, ...others]: readonly Heading[]): string[] {
  const path = first?.path ?? []
  const end = path.findIndex((text, at) => others.some((other) => other.path[at] !== text))
  return path.slice(0, end === -1 ? path.length : end)
}

/** A section in texts of at most `limit`. Its headings stay with what comes first under them. */
function packSection(
  headings: readonly MarkdownBlock[],
  [first, ...rest]: readonly MarkdownBlock[],
  limit: number,
  weighAll: typeof weigh,
): string[] {
  const head = headings.map(({ text }) => text).join('\n\n')
  const room = limit - weighAll(`${head}\n\n`)
  // Headings alone, or so long that little room is left beside them.
  if (first === undefined || headings.length === 0 || room < limit / 2) {
    return packBlocks([...headings, ...(first === undefined ? [] : [first]), ...rest], limit, weighAll)
  }
  const [start = '', ...more] = splitBlock(first, room, weighAll)
  const parts: MarkdownBlock[] = [`${head}\n\n${start}`, ...more].map((text) => ({ kind: 'text', text }))
  return packBlocks([...parts, ...rest], limit, weighAll)
}

/** A text with the definitions that it uses, as far as they fit: a single address may be longer than any chunk. */
function withDefinitions(text: string, definitions: readonly Definition[], limit: number): string {
  const fitting: string[] = []
  let left = limit - weigh(`${text}\n`)
  for (const definition of definitions) {
    if (definition.weight > left) continue
    fitting.push(definition.text)
    left -= definition.weight
  }
  return fitting.length === 0 ? text : `${text}\n\n${fitting.join('\n')}`
}
