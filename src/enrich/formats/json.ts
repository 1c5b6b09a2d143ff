import { TrawlError } from '../../errors.js'
import { ModelError } from '../../llm/llm.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { answerJson, describeIssues } from '../json/answer-json.js'
import { openForm } from '../json-schema/answer-form.js'
import { type AnswerSchema, answerSchema, type HeldSchema, MAX_PROMPT_LENGTH } from '../json-schema/answer-schema.js'
import { describeUnsupported, type Evidence, findEvidence } from '../json/evidence.js'
import type { Enriched, EnrichFormat, EnrichTools } from '../format.js'
import { answerFromStructuredData, type StructuredAnswer } from '../structured-data/answer-from-structured-data.js'
import { mergeAnswers } from '../json/merge-answers.js'
import { findOrders, packParts } from '../model/page-text.js'
import { yieldTurn } from '../../concurrency/yield-turn.js'

/** Data that is found on the page, in a given shape. */
export interface JsonFormat {
  type: 'json'
  /** The shape of the data: a JSON Schema, or a Standard Schema such as a zod one, which types `json` as well. */
  schema?: AnswerSchema | undefined
  /** What to look for, in words; at most 10,000 characters. Without schema and prompt the data has a free form. */
  prompt?: string | undefined
  /**
   * Who answers. `structured`: the page's own data for programs (JSON-LD, microdata, RDFa, meta tags, tables of labels and values)
   * alone, which needs no model and no `prompt`. `model`: the language model alone. `auto`: the page's own data first, and the model
   * for what they leave open; with a `prompt`, of which such data knows nothing, the model alone. Not in the interface.
   * @default 'auto'
   */
  mode?: 'auto' | 'model' | 'structured' | undefined
  /** Tell what each value goes by, in `evidence`, and warn of values that nothing on the page supports. Not in the interface. @default false */
  evidence?: boolean | undefined
  /** Refuse a page whose text tries to give the model orders, with `SCRAPE_PROMPT_INJECTION_DETECTED`. @default false */
  checkPromptInjection?: boolean | undefined
}

/** What `json` fills. */
export interface JsonFields {
  /**
   * The data found, which keeps to the schema: of its type when it was a Standard Schema. Absent, with a `warning`, when nothing
   * was found, when the model gave no answer, or when what was found does not keep to the schema.
   */
  json?: unknown
  /** What was found in place of `json` where that does not keep to its schema: the values that do, mostly. The `warning` says what is wrong. */
  partialJson?: unknown
}

/** What `json` fills beside, with `evidence: true`. */
export interface EvidenceFields {
  /** What each value of `json` goes by. */
  evidence?: Evidence[]
}

/** A format's item as a plan has it. */
interface PlannedJson extends Omit<JsonFormat, 'schema'> {
  readonly schema?: HeldSchema | undefined
  /** What else the model is told: of version 1. */
  readonly instruction?: string
  /** How freely the model writes: of version 1. */
  readonly temperature?: number
  /** The field that it fills: of version 1. */
  readonly field?: 'json' | 'extract'
}

/** @see docs/compatibility.md#model-formats */
export const json: EnrichFormat<JsonFormat, JsonFields & EvidenceFields> = {
  type: 'json',
  options: (z) => ({
    schema: answerSchema(z).optional(),
    prompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
    mode: z.enum(['auto', 'model', 'structured']).optional(),
    evidence: z.boolean().optional(),
    checkPromptInjection: z.boolean().optional(),
  }),
  charges: () => 'data',
  needs: {
    text: ({ mode, evidence, checkPromptInjection }) =>
      mode !== 'structured' || evidence === true || checkPromptInjection === true,
    facts: ({ mode, prompt = '' }) => mode === 'structured' || (mode !== 'model' && prompt.trim() === ''),
    model: ({ mode }) => mode !== 'structured',
  },
  make: (page, options, tools) => makeJson(page, options as PlannedJson, tools),
}

async function makeJson(
  { url }: FetchedPage,
  options: PlannedJson,
  { material = { chunks: [], items: [], media: [] }, model }: EnrichTools,
): Promise<Enriched<JsonFields & EvidenceFields>> {
  const { prompt, mode = 'auto', evidence = false, instruction, temperature, field = 'json' } = options
  const form = openForm(options.schema)
  if (options.checkPromptInjection) await refuseOrders(material.chunks, url)
  const known = await answerFromStructuredData(form, material.items, url)
  const fill = (
    { value, isValid }: { readonly value: unknown; readonly isValid: boolean },
    notes: readonly string[],
    climbed: StructuredAnswer,
    quotes = [] as Parameters<typeof findEvidence>[2],
  ) => {
    const found =
      evidence && value !== undefined ? findEvidence(value, material.chunks, quotes, climbed.sources) : undefined
    const unsupported = found && describeUnsupported(found)
    return {
      fields:
        value === undefined ? {} : { [isValid ? field : 'partialJson']: value, ...(found && { evidence: found }) },
      warnings: [...notes, unsupported],
      isPaid: value !== undefined,
    }
  }
  const own = { value: known.value, isValid: known.issues.length === 0 }
  const broken = own.isValid ? [] : [describeIssues(known.issues)]
  if (mode === 'structured') return fill(own, known.value === undefined ? [NO_DATA] : broken, known)
  if (known.isWhole) return fill(own, [], known)
  const parts = packParts(material.chunks, model?.partTokens ?? 0)
  if (!model || parts.length === 0) {
    const why = model ? 'the page has no text' : 'there is no language model'
    return fill(own, [`\`json\` could not be asked for: ${why}.`, ...broken], known)
  }
  const rest = known.rest ?? form
  const question = { form: rest, prompt, instruction, temperature, quotes: evidence, url }
  const answer = await answerJson(question, parts, model).catch((error: unknown) => {
    if (!(error instanceof ModelError) || known.value === undefined) throw error
    return {
      value: undefined,
      isValid: false,
      quotes: [],
      warnings: [`\`json\` is only what the page's own data say: ${error.message}.`],
    }
  })
  if (known.value === undefined) return fill(answer, answer.warnings, known, answer.quotes)
  // What the page says of itself stands before what a model reads in it.
  const whole = mergeAnswers(known.value, answer.value)
  const checked = await form.check(whole)
  if (checked.issues.length === 0)
    return fill({ value: checked.value, isValid: true }, answer.warnings, known, answer.quotes)
  const notes = answer.warnings.length > 0 ? answer.warnings : [describeIssues(checked.issues)]
  return fill({ value: whole, isValid: false }, notes, known, answer.quotes)
}

const NO_DATA = 'There is no `json`: the page has no data for programs that answers to the schema.'

/** Of a page's text, so much is looked through at once. */
const TURN_CHARACTERS = 100_000

async function refuseOrders(chunks: readonly { readonly markdown: string }[], url: string): Promise<void> {
  let read = 0
  for (const { markdown } of chunks) {
    read += markdown.length
    // A page may have thousands of pieces: others have their turn between them.
    if (read > TURN_CHARACTERS) {
      read = 0
      await yieldTurn()
    }
    const found = findOrders(markdown)
    if (found === undefined) continue
    const message = `The page gives orders to a language model: "${found}"`
    throw new TrawlError('SCRAPE_PROMPT_INJECTION_DETECTED', message, { url })
  }
}
