import { messageOf } from '../../errors.js'
import { readRule } from '../../extractor/data-rule.js'
import type { AnswerForm } from '../json-schema/answer-form.js'
import { writeIssue } from '../json/answer-json.js'
import { coerceData, saysSomething } from './coerce-data.js'
import { type BadExtractor, EXTRACTOR_SYSTEM, writeExtractorPrompt } from './extractor-prompt.js'
import { fitAnswer } from '../json/fit-answer.js'
import type { PageModel, PageTree } from '../format.js'
import { dropInvalidValues } from '../json/drop-invalid-values.js'
import { readJson } from '../model/read-json.js'

/** What an extractor gave on a page. */
export interface Reading {
  /** Undefined when there is nothing. */
  readonly value: unknown
  /** Whether there is something, and it keeps to the schema. */
  readonly fits: boolean
  /** Whether what is left of it keeps to the schema, though not all that was found does. */
  readonly isMended?: boolean
  /** What is wrong; empty when it fits. */
  readonly faults: readonly string[]
}

/** What data is wanted. */
export interface Wish {
  readonly form: AnswerForm
  readonly prompt: string | undefined
  readonly url: string
}

/** Reads a page by an extractor, as it was written. */
export async function readByExtractor(rule: unknown, form: AnswerForm, tree: PageTree): Promise<Reading> {
  const { data, fault } = await tree.apply(rule)
  if (fault !== undefined) return { value: undefined, fits: false, faults: [fault] }
  const coerced = coerceData(data, readRule(rule))
  const value = form.schema && coerced !== undefined ? fitAnswer(coerced, form.schema).value : coerced
  if (!saysSomething(value)) return { value: undefined, fits: false, faults: ['nothing was found on the page'] }
  const checked = await form.check(value)
  if (checked.issues.length === 0) return { value: checked.value, fits: true, faults: [] }
  const kept = await dropInvalidValues(value, form)
  const faults = checked.issues.slice(0, MAX_TOLD).map(writeIssue)
  const isMended = kept.issues.length === 0
  return { value: saysSomething(kept.value) ? kept.value : undefined, fits: false, isMended, faults }
}

const MAX_TOLD = 10

/** An extractor that was written for a page, and what it gave there. */
export interface Written {
  /** Undefined when none could be read, or used. */
  readonly rule: unknown
  readonly reading: Reading
}

/** Answers that are asked for: the second and the third are told what was wrong before. */
const MAX_ANSWERS = 3
/** Characters for each token that there is room for: mark-up has more signs than a text, and so more tokens. */
const CHARACTERS_PER_TOKEN = 2

/**
 * Has a model write an extractor for a page, and tries it there. It is data that is read here, never code.
 *
 * @throws ModelError when there is no answer; whatever the page was ended with
 */
export async function writeExtractor({ form, prompt, url }: Wish, model: PageModel, tree: PageTree): Promise<Written> {
  const sketch = await tree.sketch(model.partTokens * CHARACTERS_PER_TOKEN)
  let best: Written | undefined
  let bad: BadExtractor | undefined
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    const question = writeExtractorPrompt({ schema: form.schema, prompt, url, sketch, bad })
    const { text, finish } = await model.ask({ system: EXTRACTOR_SYSTEM, prompt: question })
    if (finish === 'refusal') break
    const written = await tryExtractor(text, form, tree)
    if (written.reading.fits) return written
    if (!best || isBetter(written.reading, best.reading)) best = written
    const { value, faults } = written.reading
    bad = { text, faults, ...(value !== undefined && { found: JSON.stringify(value) }) }
  }
  return best ?? { rule: undefined, reading: { value: undefined, fits: false, faults: ['the model would not answer'] } }
}

async function tryExtractor(text: string, form: AnswerForm, tree: PageTree): Promise<Written> {
  const rule = readJson(text)?.value
  const fault = rule === undefined ? 'the answer is no JSON that could be read' : findRuleFault(rule)
  if (fault !== undefined) return { rule: undefined, reading: { value: undefined, fits: false, faults: [fault] } }
  return { rule, reading: await readByExtractor(rule, form, tree) }
}

/** Why a rule cannot be used; undefined when it can. */
export function findRuleFault(rule: unknown): string | undefined {
  try {
    readRule(rule)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Something is better than nothing, and fewer faults are better than more. */
export const isBetter = (one: Reading, other: Reading): boolean =>
  (one.value !== undefined) === (other.value !== undefined)
    ? one.faults.length < other.faults.length
    : one.value !== undefined
