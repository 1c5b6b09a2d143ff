import { type ModelAnswer, ModelError } from '../../llm/llm.js'
import { askEach } from '../model/ask-each.js'
import type { AnswerForm, Checked, WireForm } from '../json-schema/answer-form.js'
import type { AnswerIssue } from '../json-schema/answer-issue.js'
import { wireForm } from '../json-schema/answer-form.js'
import type { PageModel } from '../format.js'
import { fitAnswer } from './fit-answer.js'
import { mergeAnswers } from './merge-answers.js'
import type { PagePart } from '../model/page-text.js'
import { DATA_SYSTEM, writePrompt } from '../model/prompts.js'
import { dropInvalidValues } from './drop-invalid-values.js'
import { type QuotedPath, readQuotes, withQuotes } from './quotes.js'
import { readJson } from '../model/read-json.js'
import { isObject } from '../../collections/is-object.js'

/** What data is asked for. */
export interface DataQuestion {
  readonly form: AnswerForm
  /** What to look for, in the caller's words. */
  readonly prompt?: string | undefined
  /** What else the caller tells the model. */
  readonly instruction?: string | undefined
  readonly temperature?: number | undefined
  /** Whether the model is to quote what it goes by. */
  readonly quotes: boolean
  readonly url: string
}

/** What came of it. */
export interface DataAnswer {
  /** Undefined when there is nothing that could be read. */
  readonly value: unknown
  /** Whether it keeps to the schema. */
  readonly isValid: boolean
  readonly quotes: readonly QuotedPath[]
  readonly warnings: readonly string[]
}

/** Asks a model for data about a page: part by part where it is long, and once more with what is wrong with the answer. */
export async function answerJson(
  question: DataQuestion,
  parts: readonly PagePart[],
  model: PageModel,
): Promise<DataAnswer> {
  const wire = wireForm(question.form.schema)
  const asked = await askEach('json', parts, (part, place) => askPart(question, wire, part, place, model))
  const { answers } = asked
  const warnings = [...asked.warnings]
  const found = answers.filter(({ value }) => value !== undefined)
  const untold = new Set(found.flatMap((answer) => [...answer.untold]))
  warnings.push(...new Set(answers.flatMap(({ note }) => note ?? [])))
  let value = found.map((answer) => answer.value).reduce(mergeAnswers, undefined)
  // Of several parts each counts the items of its lists from the start: where they stand in the whole is not known.
  const isPlain = ({ path }: QuotedPath): boolean => answers.length === 1 || !/\/\d+(?:\/|$)/.test(path)
  const quotes = answers.flatMap((answer) => answer.quotes.filter(isPlain))
  if (value === undefined)
    return {
      value,
      isValid: false,
      quotes,
      warnings: [...warnings, 'There is no `json`: no answer of the model could be read.'],
    }
  let checked = await question.form.check(value)
  if (checked.issues.length > 0 && canMend(checked, untold)) {
    const mended = await repair(question, wire, value, checked.issues, parts, model).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error
      warnings.push(`A second answer for \`json\` was not to be had: ${error.message}.`)
      return undefined
    })
    // What the second answer leaves out stands in the first.
    const candidate = mended === undefined ? undefined : mergeAnswers(mended, value)
    const second = candidate === undefined ? undefined : await question.form.check(candidate)
    if (second && second.issues.length <= checked.issues.length) {
      value = candidate
      checked = second
    }
  }
  if (checked.issues.length === 0) return { value: checked.value, isValid: true, quotes, warnings }
  const kept = await dropInvalidValues(value, question.form)
  const isValid = kept.value !== undefined && kept.issues.length === 0
  return { value: kept.value, isValid, quotes, warnings: [...warnings, describeIssues(checked.issues, isValid)] }
}

/** Asking again for what the model says is not there would only tempt it to make something up. */
const canMend = ({ issues }: Checked, untold: ReadonlySet<string>): boolean =>
  issues.some(({ path, isMissing }) => !isMissing || !untold.has(path))

interface PartAnswer {
  readonly value: unknown
  readonly untold: ReadonlySet<string>
  readonly quotes: readonly QuotedPath[]
  readonly note?: string
}

const NOTHING = { value: undefined, untold: new Set<string>(), quotes: [] }

async function askPart(
  question: DataQuestion,
  wire: WireForm,
  part: PagePart,
  place: { readonly number: number; readonly of: number } | undefined,
  model: PageModel,
): Promise<PartAnswer> {
  const schema = question.quotes ? withQuotes(wire.schema) : wire.schema
  const prompt = writePrompt({
    task: describeTask(question, schema),
    url: question.url,
    text: part.text,
    part: place,
    after: 'Now answer with the JSON object that was asked for.',
  })
  const { temperature } = question
  const isSound = (text: string): boolean => isObject(readJson(text)?.value)
  const asked = { system: DATA_SYSTEM, prompt, isSound, ...(schema && { schema }), temperature }
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
  if (finish === 'refusal') return { ...NOTHING, note: 'The model would not answer for `json`.' }
  const found = readJson(text)
  if (!found) return NOTHING
  const isCut = finish === 'length' || found.isCut === true
  const { data, quotes } = question.quotes ? readQuotes(found.value) : { data: found.value, quotes: [] }
  const given = wire.unwrap(data)
  const { schema } = question.form
  const { value, untold } = schema ? fitAnswer(given, schema) : { value: given, untold: new Set<string>() }
  return {
    value,
    untold,
    quotes,
    ...(isCut && { note: 'An answer of the model was longer than `modelOptions.maxOutputTokens`, and is cut off.' }),
  }
}

/** Issues that are told to the model, and to the reader. */
const MAX_TOLD = 10

async function repair(
  question: DataQuestion,
  wire: WireForm,
  value: unknown,
  issues: readonly AnswerIssue[],
  parts: readonly PagePart[],
  model: PageModel,
): Promise<unknown> {
  const task = [
    describeTask(question, wire.schema),
    `An earlier answer was:\n${JSON.stringify(wire.wrap(value))}`,
    `It breaks the schema:\n${issues.slice(0, MAX_TOLD).map(writeIssue).join('\n')}`,
    'Answer again with the whole object, put right from the page. What the page does not say stays null: make nothing up.',
  ].join('\n\n')
  // Of a long page the first part says most about what the page is.
  const prompt = writePrompt({ task, url: question.url, text: parts[0]?.text ?? '' })
  const isSound = (text: string): boolean => isObject(readJson(text)?.value)
  const { temperature } = question
  const { schema } = wire
  const answer = await model.ask({ system: DATA_SYSTEM, prompt, isSound, ...(schema && { schema }), temperature })
  return readAnswer(answer, { ...question, quotes: false }, wire).value
}

/** An issue in words. */
export const writeIssue = ({ path, message }: AnswerIssue): string => `${path === '' ? 'the whole' : path}: ${message}`

/** What a caller is told of an answer that does not have its shape. */
export function describeIssues(issues: readonly AnswerIssue[], isMended = false): string {
  const told = issues.slice(0, MAX_TOLD).map(writeIssue)
  const more = issues.length > told.length ? `and ${issues.length - told.length} more` : ''
  return describeBroken([...told, ...(more === '' ? [] : [more])], isMended)
}

/** @param isMended whether what is left keeps to the schema */
export function describeBroken(faults: readonly string[], isMended: boolean): string {
  const what = isMended
    ? 'What was found for `json` did not keep to its schema, and what is wrong was left out'
    : 'There is no `json`, but `partialJson`: what was found does not keep to the schema'
  return `${what}: ${faults.join('; ')}.`
}
