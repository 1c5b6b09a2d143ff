import { type Definition, Definitions } from './definitions.js'
import { TOKEN, weigh } from './estimate-tokens.js'
import { type MarkdownBlock, isLeadIn, readBlocks } from '../markdown-blocks/markdown-blocks.js'
import { splitBlock } from './split-block.js'

/** Markdown cut to a budget of tokens. */
interface CutMarkdown {
  readonly markdown: string
  /** Sentence about what was cut; absent if nothing was. */
  readonly cut?: string
}

/**
 * Returns the start of a text within a budget: whole blocks, and a part of the next block if more than a quarter of the
 * budget would otherwise remain. A heading is never last, and the definitions of kept links are kept. A note at the end
 * says how much is missing.
 *
 * @param maxTokens for the whole result, including the note
 * @param taken tokens of it that are already used before the text
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

/** Returns the texts that fit, and the first block that is cut in whole or in part. */
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

/** True if the last block kept is a heading or lead-in whose next block is not kept. */
function needsNext(blocks: readonly MarkdownBlock[], count: number): boolean {
  const last = blocks[count - 1]
  if (last === undefined) return false
  return last.level === undefined ? isLeadIn(last) : (blocks[count]?.level ?? Infinity) > last.level
}
