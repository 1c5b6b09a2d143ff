import { type Definition, Definitions } from './definitions.js'
import { TOKEN, weigh } from './estimate-tokens.js'
import { type MarkdownBlock, leadsIn, readBlocks } from '../markdown-blocks/markdown-blocks.js'
import { splitBlock } from './split-block.js'

/** Markdown that keeps a budget. */
export interface CutMarkdown {
  readonly markdown: string
  /** What was left out, in words; absent when nothing was. */
  readonly cut?: string
}

/**
 * The start of a text, within a budget: whole blocks, and of the one that is reached last as much as fits if otherwise
 * more than a quarter of the budget were not used. The last heading has its text, and the links kept have what they refer
 * to. A note at the end says how much is missing.
 *
 * @param maxTokens for all of it, the note included
 * @param taken how much of that stands before the text
 */
export function cutMarkdown(markdown: string, maxTokens: number, taken = 0): CutMarkdown {
  const total = weigh(markdown)
  const limit = (maxTokens - taken) * TOKEN
  if (total <= limit) return { markdown }
  const blocks = readBlocks(markdown)
  const definitions = new Definitions(blocks)
  const content = blocks.filter(({ kind }) => kind !== 'definition')
  const longest = writeNote(describeCut(maxTokens, Math.ceil(total / TOKEN), content.length))
  const { kept, next } = keepStart(content, definitions, limit - weigh(`\n\n${longest}\n\n`))
  const left = kept.reduce((rest, text) => rest - weigh(text), total)
  const sections = content.slice(next).filter(({ kind }) => kind === 'heading').length
  const cut = describeCut(maxTokens, Math.ceil(left / TOKEN), sections)
  const used = definitions.usedIn(kept.join('\n\n')).map(({ text }) => text)
  return { markdown: [...kept, writeNote(cut), ...(used.length > 0 ? [used.join('\n')] : [])].join('\n\n'), cut }
}

function describeCut(maxTokens: number, tokens: number, sections: number): string {
  const where = sections === 0 ? '' : `, in ${sections} more section${sections === 1 ? '' : 's'},`
  return `cut at ${maxTokens} tokens: about ${tokens} more${where} are left out.`
}

const writeNote = (cut: string): string => `*… ${cut}*`

const BETWEEN = weigh('\n\n')

/** The texts that fit, and the block that is the first to be left out, in whole or in part. */
function keepStart(
  blocks: readonly MarkdownBlock[],
  definitions: Definitions,
  limit: number,
): { kept: string[]; next: number } {
  const kept: string[] = []
  const used = new Set<Definition>()
  const weighNew = definitions.weigher(used)
  let left = limit
  for (const block of blocks) {
    const own = weighNew(block.text) + BETWEEN
    if (own > left) break
    kept.push(block.text)
    for (const definition of definitions.usedIn(block.text)) used.add(definition)
    left -= own
  }
  const reached = blocks[kept.length]
  if (reached !== undefined && left >= limit / 4 && (reached.level === undefined || kept.length === 0)) {
    const [start = ''] = splitBlock(reached, left - BETWEEN, weighNew)
    if (weighNew(start) <= left && /[\p{L}\p{N}]/u.test(start)) return { kept: [...kept, start], next: kept.length }
  }
  while (needsNext(blocks, kept.length)) kept.pop()
  return { kept, next: kept.length }
}

/** Whether the last block kept is a heading or leads in to something, and that is not kept. */
function needsNext(blocks: readonly MarkdownBlock[], count: number): boolean {
  const last = blocks[count - 1]
  if (last === undefined) return false
  return last.level === undefined ? leadsIn(last) : (blocks[count]?.level ?? Infinity) > last.level
}
