import { askEach } from '../../base/llm/answers/ask-each.js'
import { askInWords } from '../../base/llm/answers/ask-in-words.js'
import type { Enriched } from '../../kernel/enrich/format.js'
import type { PageModel } from '../../base/llm/page-model.js'
import { packParts, escapeInvisible, type PagePart, whyNotAsked } from '../../base/llm/answers/page-text.js'
import { PAGE_RULES, writePrompt } from '../../base/llm/answers/prompts.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import type { Chunk } from '../../content/convert/split/chunk-markdown.js'

/** Answer of the model when the page has none. */
const NOTHING = 'The page does not say.'

/** Answers a question from the text of a page alone. */
export async function answerQuestion(
  question: string,
  page: { readonly url: string; readonly chunks: readonly Chunk[] },
  model: PageModel | undefined,
): Promise<Enriched<{ answer: string }>> {
  const parts = model ? packParts(page.chunks, model.partTokens) : []
  if (!model || parts.length === 0) return { fields: {}, warnings: [`There is no \`answer\`: ${whyNotAsked(model)}.`] }
  const task = `Answer this question from the page alone, briefly, in the language of the question. Where the page has no answer, say exactly: ${NOTHING}\n\nQuestion: ${question}`
  const combine = `These are answers to one question from the parts of one page. Make one answer of them. Question: ${question}`
  const { text, warnings } = await askInWords(
    { field: 'answer', task, combine, nothing: NOTHING, url: page.url },
    parts,
    model,
  )
  if (text === undefined) return { fields: {}, warnings }
  return { fields: { answer: text }, warnings, isPaid: true }
}

/** System prompt for passages picked by number. */
const PICK_SYSTEM = `You pick passages of a web page. ${PAGE_RULES} Each line of the page begins with its number in square brackets. Answer with one JSON object, {"passages": [numbers]}, and nothing else.`

/** The passages of a page: sentences, table rows, list items, lines of code. */
interface Passages {
  readonly numbered: string
  readonly texts: readonly string[]
}

/**
 * Picks the passages of a page that are relevant to a query. The model returns only their numbers, so the text is
 * always the page's own.
 */
export async function pickHighlights(
  query: string,
  page: { readonly url: string; readonly chunks: readonly Chunk[] },
  model: PageModel | undefined,
): Promise<Enriched<{ highlights: string }>> {
  const parts = model ? packParts(page.chunks, Math.floor(model.partTokens * 0.8)) : []
  if (!model || parts.length === 0)
    return { fields: {}, warnings: [`There are no \`highlights\`: ${whyNotAsked(model)}.`] }
  const { answers: picked, warnings } = await askEach('highlights', parts, (part) => pick(query, page.url, part, model))
  if (picked.every((one) => one === undefined))
    return {
      fields: {},
      warnings: [...warnings, 'There are no `highlights`: the answer of the model could not be parsed.'],
    }
  const texts = [...new Set(picked.flatMap((one) => one ?? []))]
  return { fields: { highlights: texts.join('\n') }, warnings, isPaid: true }
}

async function pick(query: string, url: string, part: PagePart, model: PageModel): Promise<string[] | undefined> {
  const { numbered, texts } = cutPassages(part.text)
  const task = `Pick the passages that bear on this query, at most 20, the most telling ones: ${query}`
  const { text } = await model.ask({
    system: PICK_SYSTEM,
    prompt: writePrompt({ task, url, text: numbered }),
    schema: PICKED,
    isUsable: (answer) => readJson(answer) !== undefined,
  })
  const found = readJson(text)
  if (!found) return undefined
  const { passages = found.value }: { passages?: unknown } = Object(found.value)
  if (!Array.isArray(passages)) return undefined
  const numbers = new Set(passages.map(readNumber).filter((number) => texts[number - 1] !== undefined))
  return [...numbers].toSorted((one, other) => one - other).flatMap((number) => texts[number - 1] ?? [])
}

/** Reads the number of a passage, also as the page shows it: `[3]`. */
const readNumber = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string'
      ? Number(value.replace(/^\[(\d+)\]$/, '$1'))
      : Number.NaN

const PICKED = {
  type: 'object',
  properties: { passages: { type: 'array', items: { type: 'integer' } } },
  required: ['passages'],
  additionalProperties: false,
}

/** End of a sentence, before an upper-case letter. */
const SENTENCE_END = /(?<=[.!?…]["'”’)\]]?|[。！？])\s+(?=["'“‘([*_]?\p{Lu}|\p{Lo})/u

function cutPassages(text: string): Passages {
  const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line))
  const texts = lines.flatMap((line) => (isWhole(line) ? [line.trim()] : line.trim().split(SENTENCE_END)))
  return { texts, numbered: texts.map((one, index) => `[${index + 1}] ${escapeInvisible(one)}`).join('\n') }
}

/** Returns true for lines that stay whole: rows, headings and short lines. */
const isWhole = (line: string): boolean => line.length < 80 || /^\s*(?:\||#)/.test(line)
