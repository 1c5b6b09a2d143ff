import { isObject } from '../../base/collections/is-object.js'
import { askEach } from '../../base/llm/answers/ask-each.js'
import { escapeInvisible, packParts } from '../../base/llm/answers/page-text.js'
import { PAGE_RULES, writePrompt } from '../../base/llm/answers/prompts.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import type { PageModel } from '../../base/llm/page-model.js'
import { readBlocks } from '../../content/convert/markdown-blocks/markdown-blocks.js'
import { estimateTokens } from '../../content/convert/split/estimate-tokens.js'

const SYSTEM = `You tell the content of a web page from what stands around it. ${PAGE_RULES} Each block of the page begins with its number in square brackets; of a long one, its beginning and its end are shown. Answer with one JSON object, {"drop": [numbers]}, and nothing else.`

const TASK =
  'List the numbers of the blocks that are not what a reader of this page came for: menus, advertisements, consent texts, requests to subscribe, to log in, to share or to rate, lists of other pages, notes that a site has on all of its pages. A heading goes with what it introduces. What you are not sure of stays. Without such a block, the list is empty.'

const SCHEMA = {
  type: 'object',
  properties: { drop: { type: 'array', items: { type: 'integer' } } },
  required: ['drop'],
  additionalProperties: false,
}

/** Lengths of what the model sees of a long block. Characters. */
const SEEN = { start: 300, end: 80 }

/** Share of the Markdown that a model may drop: one that drops more was misled, by the page or by itself. */
const MAX_SHARE = 0.8

/** Kinds of blocks that belong to others, and stay. */
const KEPT: ReadonlySet<string> = new Set(['definition', 'lines'])

/** Blocks that a model drops, and what there is to say about it. */
interface DroppedBlocks {
  /** As the Markdown has them. */
  readonly blocks: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Asks the engine's model which blocks of the Markdown are boilerplate. It answers with their numbers, so that the text is always the
 * page's own.
 *
 * @throws ModelError when no part of the page has an answer
 */
export async function askForBoilerplate(markdown: string, url: string, model: PageModel): Promise<DroppedBlocks> {
  const blocks = readBlocks(markdown)
  const asked = blocks.flatMap(({ kind, text }, index) => {
    if (KEPT.has(kind)) return []
    const shown = `[${index + 1}] ${escapeInvisible(shorten(text))}`
    return [{ index, markdown: shown, tokens: estimateTokens(shown) }]
  })
  const { answers, warnings: faults } = await askEach(
    'onlyCleanContent',
    packParts(asked, Math.floor(model.partTokens * 0.8)),
    async ({ chunks, text }, part) => {
      const prompt = writePrompt({ task: TASK, url, text, part })
      const answer = await model.ask({
        system: SYSTEM,
        prompt,
        schema: SCHEMA,
        isUsable: (one) => readDrop(one) !== undefined,
      })
      const drop = readDrop(answer.text)
      if (!drop) return undefined
      const numbers = new Set(drop)
      return chunks.flatMap(({ index }) => (numbers.has(index + 1) ? [blocks[index]?.text ?? ''] : []))
    },
  )
  const warnings = [...faults]
  const unread = answers.filter((answer) => answer === undefined).length
  if (unread > 0) {
    const which = answers.length > 1 ? ` in ${unread} of its ${answers.length} parts` : ''
    warnings.push(`The Markdown is not cleaned${which}: the answer of the language model could not be parsed.`)
  }
  const dropped = answers.flatMap((answer) => answer ?? [])
  const characters = dropped.reduce((sum, text) => sum + text.length, 0)
  if (characters <= markdown.length * MAX_SHARE) return { blocks: dropped, warnings }
  const share = Math.round((characters / markdown.length) * 100)
  const message = `The Markdown is not cleaned: the language model called ${share} % of it boilerplate.`
  return { blocks: [], warnings: [...warnings, message] }
}

const shorten = (text: string): string =>
  text.length <= SEEN.start + SEEN.end ? text : `${text.slice(0, SEEN.start)} … ${text.slice(-SEEN.end)}`

/** Reads the numbers of an answer; undefined if it has no list. */
function readDrop(text: string): readonly unknown[] | undefined {
  const value = readJson(text)?.value
  const drop = isObject(value) ? value['drop'] : value
  return Array.isArray(drop) ? drop : undefined
}

/** Removes blocks from Markdown, each once for each time that it is listed. */
export function withoutBlocks(markdown: string, dropped: readonly string[]): string {
  const left = new Map<string, number>()
  for (const text of dropped) left.set(text, (left.get(text) ?? 0) + 1)
  const kept = readBlocks(markdown).filter(({ text }) => {
    const times = left.get(text) ?? 0
    if (times > 0) left.set(text, times - 1)
    return times === 0
  })
  return kept.map(({ text }) => text).join('\n\n')
}
