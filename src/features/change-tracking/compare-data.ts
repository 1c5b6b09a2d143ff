import { isDeepStrictEqual } from 'node:util'
import type { Chunk } from '../../content/convert/split/chunk-markdown.js'
import { ModelError } from '../../base/llm/llm.js'
import { answerJson } from '../../base/llm/answers/answer-json.js'
import { openForm } from '../../base/json-schema/answer-form.js'
import type { HeldSchema } from '../../base/json-schema/answer-schema.js'
import type { PageModel } from '../../base/llm/page-model.js'
import { fencePage, packParts } from '../../base/llm/answers/page-text.js'
import { DATA_SYSTEM, writePrompt } from '../../base/llm/answers/prompts.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import { isObject } from '../../base/collections/is-object.js'

/** The data to compare. */
interface DataComparison {
  readonly schema?: HeldSchema
  readonly prompt?: string
  readonly url: string
}

/** Both versions of a page, in chunks. */
interface TwoTexts {
  readonly previous: readonly Chunk[]
  readonly current: readonly Chunk[]
}

/** `previous` and `current` of each value that differs. */
interface ComparedData {
  readonly value: Record<string, unknown> | undefined
  readonly warnings: readonly string[]
}

/**
 * Compares the data of two versions of a page. With a schema, the model extracts the data of both, and the properties
 * that differ are reported. Without one, the model sees both texts and reports differences. If the model gives no
 * answer, only this part of the comparison is missing.
 *
 * @see docs/compatibility/documents.md#change-tracking
 */
export async function compareData(question: DataComparison, texts: TwoTexts, model: PageModel): Promise<ComparedData> {
  try {
    return question.schema === undefined
      ? await askForChanges(question, texts, model)
      : await readBoth(question, texts, model)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { value: undefined, warnings: [`There is no \`changeTracking.json\`: ${error.message}.`] }
  }
}

async function readBoth(
  { schema, prompt, url }: DataComparison,
  texts: TwoTexts,
  model: PageModel,
): Promise<ComparedData> {
  const form = openForm(schema)
  const read = (chunks: readonly Chunk[]) =>
    answerJson(
      { form, prompt, quotes: false, url, field: 'changeTracking.json' },
      packParts(chunks, model.partTokens),
      model,
    )
  const [previous, current] = await Promise.all([read(texts.previous), read(texts.current)])
  const warnings = [...new Set([...previous.warnings, ...current.warnings])]
  if (previous.value === undefined || current.value === undefined) return { value: undefined, warnings }
  const [before, now] = [previous.value, current.value].map((value) => (isObject(value) ? value : { value }))
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})])
  const differing = [...names].flatMap((name) => {
    const [was, is] = [before?.[name] ?? null, now?.[name] ?? null]
    return isDeepStrictEqual(was, is) ? [] : [[name, { previous: was, current: is }] as const]
  })
  return { value: Object.fromEntries(differing), warnings }
}

async function askForChanges(
  { prompt = '', url }: DataComparison,
  texts: TwoTexts,
  model: PageModel,
): Promise<ComparedData> {
  const half = Math.floor(model.partTokens / 2)
  const [before, now] = [texts.previous, texts.current].map((chunks) => packParts(chunks, half))
  const earlier = fencePage(before?.[0]?.text ?? '', 'earlier-page')
  const task = [
    `Compare the page with what it was earlier, which stands between <${earlier.mark}> and </${earlier.mark}>, and tell what differs in content.`,
    ...(prompt.trim() === '' ? [] : [`What matters: ${prompt.trim()}`]),
    'Answer with an object: for each thing that differs a clear name, with {"previous": …, "current": …}; null for what was not there. Leave out what is the same.',
    earlier.fenced,
  ].join('\n\n')
  const request = { system: DATA_SYSTEM, prompt: writePrompt({ task, url, text: now?.[0]?.text ?? '' }) }
  const answer = await model.ask({ ...request, isUsable: (text) => isObject(readJson(text)?.value) })
  const value = answer.finish === 'refusal' ? undefined : readJson(answer.text)?.value
  const isCut = [before, now].some((parts) => (parts?.length ?? 0) > 1)
  const warnings = isCut
    ? ['The page is too long for `changeTracking.json`: the starts of both versions were compared.']
    : []
  if (isObject(value)) return { value, warnings }
  return {
    value: undefined,
    warnings: [...warnings, 'There is no `changeTracking.json`: the answer of the model could not be parsed.'],
  }
}
