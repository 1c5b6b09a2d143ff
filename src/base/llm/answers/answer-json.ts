import { type ModelAnswer, ModelError } from '../llm.js'
import { askEach } from './ask-each.js'
import type { AnswerForm, CheckedAnswer, WireForm } from '../../json-schema/answer-form.js'
import type { AnswerIssue } from '../../json-schema/answer-issue.js'
import { wireForm } from '../../json-schema/answer-form.js'
import type { PageModel } from '../page-model.js'
import { fitAnswer } from '../../json-schema/fit-answer.js'
import { mergeAnswers } from '../../json-schema/merge-answers.js'
import type { PagePart } from './page-text.js'
import { DATA_SYSTEM, type PartPosition, writePrompt } from './prompts.js'
import { dropInvalidValues } from '../../json-schema/drop-invalid-values.js'
import { type QuotedPath, readQuotes, withQuotes } from './quotes.js'
import { readJson } from './read-json.js'
import { isObject } from '../../collections/is-object.js'

/** Data to ask a model for. */
interface DataQuestion {
  readonly form: AnswerForm
  /** Description of the data, in the caller's words. */
  readonly prompt?: string
  /** Additional system prompt of the caller. */
  readonly instruction?: string
  readonly temperature?: number
  /** True to have the model quote its source for each value. */
  readonly quotes: boolean
  readonly url: string
  /** Field of the document that the data is for, in warnings. @default 'json' */
  readonly field?: string
}

/** Data that a model found. */
interface DataAnswer {
  /** Undefined when no answer could be read. */
  readonly value: unknown
  /** True when the value conforms to the schema. */
  readonly isValid: boolean
  readonly quotes: readonly QuotedPath[]
  readonly warnings: readonly string[]
}

/**
 * Asks a model for data about a page: about each part of a long page, whose answers are merged. If the result breaks
 * the schema, it asks once more, with the list of issues.
 */
export async function answerJson(
  question: DataQuestion,
  parts: readonly PagePart[],
  model: PageModel,
): Promise<DataAnswer> {
  const wire = wireForm(question.form.schema)
  const { field = 'json' } = question
  const asked = await askEach(field, parts, (part, position) => askPart({ question, wire, part, position, model }))
  const { answers } = asked
  const warnings = [...asked.warnings]
  const found = answers.filter(({ value }) => value !== undefined)
  const unanswered = new Set(found.flatMap((answer) => [...answer.unanswered]))
  warnings.push(...new Set(answers.flatMap(({ note }) => note ?? [])))
  let value = found.map((answer) => answer.value).reduce(mergeAnswers, undefined)
  // Each part numbers the items of a list from 0, so list paths are not valid in the merged answer.
  const isPlain = ({ path }: QuotedPath): boolean => answers.length === 1 || !/\/\d+(?:\/|$)/.test(path)
  const quotes = answers.flatMap((answer) => answer.quotes.filter(isPlain))
  if (value === undefined)
    return {
      value,
      isValid: false,
      quotes,
      warnings: [...warnings, `There is no \`${field}\`: no answer of the model could be parsed.`],
    }
  let checked = await question.form.check(value)
  if (checked.issues.length > 0 && canRepair(checked, unanswered)) {
    const request = { question, wire, value, issues: checked.issues, parts, model }
    const repaired = await repair(request).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error
      warnings.push(`A second answer for \`${field}\` failed: ${error.message}.`)
      return undefined
    })
    // The model may leave out what it answered before, so the first answer fills the gaps.
    const candidate = repaired === undefined ? undefined : mergeAnswers(repaired, value)
    const second = candidate === undefined ? undefined : await question.form.check(candidate)
    if (second && second.issues.length <= checked.issues.length) {
      value = candidate
      checked = second
    }
  }
  if (checked.issues.length === 0) return { value: checked.value, isValid: true, quotes, warnings }
  const kept = await dropInvalidValues(value, question.form)
  const isValid = kept.value !== undefined && kept.issues.length === 0
  return {
    value: kept.value,
    isValid,
    quotes,
    warnings: [...warnings, describeIssues(checked.issues, { isTrimmed: isValid, field })],
  }
}

/**
 * Returns true if asking again may help. Asking for a value that the model has already reported as absent would only
 * invite it to make one up.
 */
const canRepair = ({ issues }: CheckedAnswer, unanswered: ReadonlySet<string>): boolean =>
  issues.some(({ path, isMissing }) => !isMissing || !unanswered.has(path))

interface PartAnswer {
  readonly value: unknown
  readonly unanswered: ReadonlySet<string>
  readonly quotes: readonly QuotedPath[]
  readonly note?: string
}

const NOTHING = { value: undefined, unanswered: new Set<string>(), quotes: [] }

/** A part of a page to ask about. */
interface PartRequest {
  readonly question: DataQuestion
  readonly wire: WireForm
  readonly part: PagePart
  readonly position: PartPosition | undefined
  readonly model: PageModel
}

async function askPart({ question, wire, part, position, model }: PartRequest): Promise<PartAnswer> {
  const schema = question.quotes ? withQuotes(wire.schema) : wire.schema
  const prompt = writePrompt({
    task: describeTask(question, schema),
    url: question.url,
    text: part.text,
    part: position,
    after: 'Now answer with the JSON object that was asked for.',
  })
  const { temperature } = question
  const isUsable = (text: string): boolean => isObject(readJson(text)?.value)
  const asked = { system: DATA_SYSTEM, prompt, isUsable, schema, temperature }
  const first = await model.ask(asked)
  const answer = readAnswer(first, question, wire)
  if (answer.value !== undefined || first.finish === 'refusal') return answer
  const again = `${prompt}\n\nYour last answer was no JSON that could be read. Answer with the JSON object alone.`
  return readAnswer(await model.ask({ ...asked, prompt: again }), question, wire)
}

function describeTask({ prompt, instruction = '', form }: DataQuestion, schema: object | undefined): string {
  const asked =
    prompt === undefined || prompt.trim() === ''
      ? 'Take the data from the page.'
      : `Take from the page: ${prompt.trim()}`
  const what = [instruction.trim(), asked].filter(Boolean).join('\n\n')
  if (!schema) return form.schema ? what : `${what}\n\nChoose clear names for what you find.`
  return `${what}\n\nThe answer has this JSON Schema:\n${JSON.stringify(schema)}`
}

function readAnswer({ text, finish }: ModelAnswer, question: DataQuestion, wire: WireForm): PartAnswer {
  if (finish === 'refusal')
    return { ...NOTHING, note: `The model refused to answer for \`${question.field ?? 'json'}\`.` }
  const found = readJson(text)
  if (!found) return NOTHING
  const { data, quotes } = question.quotes ? readQuotes(found.value) : { data: found.value, quotes: [] }
  const given = wire.unwrap(data)
  const { schema } = question.form
  const { value, unanswered } = schema ? fitAnswer(given, schema) : { value: given, unanswered: new Set<string>() }
  return {
    value,
    unanswered,
    quotes,
    ...noteOf(finish, found.isCut),
  }
}

/** Returns the note about an answer that is not whole. */
function noteOf(finish: ModelAnswer['finish'], isCut = false): { readonly note?: string } {
  if (finish === 'length')
    return { note: 'An answer of the model was longer than `modelOptions.maxOutputTokens`, and was truncated.' }
  return isCut ? { note: 'An answer of the model was incomplete JSON: its complete values were taken.' } : {}
}

/** Maximum issues reported to the model and to the caller. */
const MAX_REPORTED = 10

/** An answer to correct, with its issues. */
interface RepairRequest {
  readonly question: DataQuestion
  readonly wire: WireForm
  readonly value: unknown
  readonly issues: readonly AnswerIssue[]
  readonly parts: readonly PagePart[]
  readonly model: PageModel
}

async function repair({ question, wire, value, issues, parts, model }: RepairRequest): Promise<unknown> {
  const task = [
    describeTask(question, wire.schema),
    `An earlier answer was:\n${JSON.stringify(wire.wrap(value))}`,
    `It breaks the schema:\n${issues.slice(0, MAX_REPORTED).map(writeIssue).join('\n')}`,
    'Answer again with the whole object, put right from the page. What the page does not say stays null: make nothing up.',
  ].join('\n\n')
  // The first part of a long page says most about its subject.
  const prompt = writePrompt({ task, url: question.url, text: parts[0]?.text ?? '' })
  const isUsable = (text: string): boolean => isObject(readJson(text)?.value)
  const { temperature } = question
  const { schema } = wire
  const answer = await model.ask({ system: DATA_SYSTEM, prompt, isUsable, schema, temperature })
  return readAnswer(answer, { ...question, quotes: false }, wire).value
}

/** Formats an issue as text. */
export const writeIssue = ({ path, message }: AnswerIssue): string =>
  `${path === '' ? 'the whole value' : path}: ${message}`

/** Circumstances of data that does not conform to its schema. */
interface Broken {
  /** True when the remaining value conforms to the schema. */
  readonly isTrimmed: boolean
  /** @default 'json' */
  readonly field?: string
}

/** Writes the warning for an answer that does not conform to its schema. */
export function describeIssues(issues: readonly AnswerIssue[], broken: Broken = { isTrimmed: false }): string {
  const written = issues.slice(0, MAX_REPORTED).map(writeIssue)
  const more = issues.length > written.length ? `and ${issues.length - written.length} more` : ''
  return describeBroken([...written, ...(more === '' ? [] : [more])], broken)
}

/** Writes the warning for data with faults. What is no `json` is in `partialJson`; other fields have what is valid. */
export function describeBroken(faults: readonly string[], { isTrimmed, field = 'json' }: Broken): string {
  const what = isTrimmed
    ? `The data for \`${field}\` did not conform to the schema, and invalid values were removed`
    : field === 'json'
      ? 'There is no `json`, but `partialJson`: the data does not conform to the schema'
      : `The data for \`${field}\` does not conform to the schema`
  return `${what}: ${faults.join('; ')}.`
}
