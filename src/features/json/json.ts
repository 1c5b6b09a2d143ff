import type { OptionSchemas, SchemaBuilder } from '../../content/convert/format.js'
import { TrawlError } from '../../base/errors.js'
import { ModelError } from '../../base/llm/llm.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { answerJson, describeIssues } from '../../base/llm/answers/answer-json.js'
import { openForm } from '../../base/json-schema/answer-form.js'
import {
  type AnswerSchema,
  answerSchema,
  type HeldSchema,
  MAX_PROMPT_LENGTH,
} from '../../base/json-schema/answer-schema.js'
import { describeUnsupported, type Evidence, findCitations } from './citations.js'
import type { Enriched, EnrichFormat, EnrichTools } from '../../kernel/enrich/format.js'
import { answerFromStructuredData, type StructuredAnswer } from './answer-from-structured-data.js'
import { mergeAnswers } from '../../base/json-schema/merge-answers.js'
import { findPromptInjection } from './prompt-injection.js'
import { packParts, whyNotAsked } from '../../base/llm/answers/page-text.js'
import { yieldTurn } from '../../base/concurrency/yield-turn.js'

/** Data extracted from the page, in a given shape. */
export interface JsonFormat {
  type: 'json'
  /** Shape of the data: a JSON Schema, or a Standard Schema such as a zod one, which also types `json`. */
  schema?: AnswerSchema
  /** Description of the data; at most 10,000 characters. Without `schema` and `prompt` the model chooses the shape. */
  prompt?: string
  /**
   * Source of the answer. `structured`: only the page's structured data (JSON-LD, microdata, RDFa, meta tags, tables of
   * labels and values); needs a `schema` and no model, and takes no `prompt`. `model`: only the language model. `auto`:
   * structured data first, and the model for the properties that it leaves open; with a `prompt`, which structured data
   * cannot answer, the model alone. An addition to the interface.
   *
   * @default 'auto'
   */
  mode?: 'auto' | 'model' | 'structured'
  /**
   * Cite the source of each value in `evidence`, and warn about values that nothing on the page supports. An addition
   * to the interface.
   *
   * @default false
   */
  evidence?: boolean
  /**
   * Refuse a page whose text contains instructions to a model, with `SCRAPE_PROMPT_INJECTION_DETECTED`.
   *
   * @default false
   */
  checkPromptInjection?: boolean
}

/** Fields that `json` fills. */
export interface JsonFields {
  /**
   * The data. It conforms to the schema, and has the output type of a Standard Schema. Absent, with a `warning`, when
   * nothing was found, when the model gave no answer, or when the data does not conform to the schema.
   */
  json?: unknown
  /**
   * The data in place of `json` when it does not conform to the schema, mostly the values that do. The `warning` lists
   * the faults.
   */
  partialJson?: unknown
}

/** Field that `json` fills in addition with `evidence: true`. */
interface EvidenceFields {
  /** The source of each value of `json`. */
  evidence?: Evidence[]
}

/** Field of `extract`, the name of `json` in version 1. */
export interface ExtractFields {
  /** Data that a language model found on the page; absent, with a `warning`, when none fit the schema. */
  extract?: unknown
}

/** The options in a plan. */
interface PlannedJson extends Omit<JsonFormat, 'schema'> {
  readonly schema?: HeldSchema
  /** Additional system prompt; version 1 only. */
  readonly instruction?: string
  /** Sampling temperature; version 1 only. */
  readonly temperature?: number
  /** Name of the field to fill; version 1 has `extract`. */
  readonly field?: 'json' | 'extract'
}

/** Options of the formats `json` and `extract` of version 1. */
interface V1JsonOptions {
  /** Only mode of version 1. @default 'llm' */
  mode?: 'llm'
  /** JSON Schema of the data. */
  schema?: AnswerSchema
  /** Instruction to the model, in addition to trawl's own; it is sent with the `prompt`. At most 10,000 characters. */
  systemPrompt?: string
  /** Description of the data in words. At most 10,000 characters. */
  prompt?: string
  /** Temperature of the model, 0 to 2. */
  temperature?: number
}

/** Page options of version 1. */
export interface JsonV1Options {
  /** Options of format `json`. Without that format, they have no effect and cause a `warning`. */
  jsonOptions?: V1JsonOptions
  /** Options of format `extract`. Without that format, they have no effect and cause a `warning`. */
  extract?: V1JsonOptions
}

const v1Schema = (z: SchemaBuilder) =>
  z.strictObject({
    mode: z.literal('llm').optional(),
    schema: answerSchema(z).optional(),
    systemPrompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
    prompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
    temperature: z.number().min(0).max(2).optional(),
  } satisfies OptionSchemas<V1JsonOptions>)

/**
 * Returns a function that converts options of version 1. The caller's `systemPrompt` is sent with the question, because trawl's own
 * system prompt defends against prompt injection.
 *
 * @see docs/compatibility/crawls.md#version-1
 */
const toV1Item =
  (field: 'json' | 'extract') =>
  ({ schema, prompt, systemPrompt, temperature }: V1JsonOptions) => ({
    field,
    schema,
    prompt,
    instruction: systemPrompt,
    temperature,
  })

/** @see docs/compatibility/documents.md#model-formats */
export const json: EnrichFormat<JsonFormat, JsonFields & EvidenceFields, 'extract' | 'json'> = {
  type: 'json',
  traits: ['data'],
  // `extract` is its former name.
  versionOne: { extract: { mode: 'model' }, json: { mode: 'model' } },
  versionOneOptions: {
    json: { name: 'jsonOptions', isNeeded: true, schema: v1Schema, convert: toV1Item('json') },
    extract: { name: 'extract', isNeeded: true, schema: v1Schema, convert: toV1Item('extract') },
  },
  options: (z) => ({
    schema: answerSchema(z).optional(),
    prompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
    mode: z.enum(['auto', 'model', 'structured']).optional(),
    evidence: z.boolean().optional(),
    checkPromptInjection: z.boolean().optional(),
  }),
  findFaults: ({ mode, schema, prompt = '' }) => {
    if (mode !== 'structured') return []
    const [lacksSchema, hasPrompt] = [schema === undefined, prompt.trim() !== '']
    return [
      ...(lacksSchema ? [{ name: 'schema', message: NO_SCHEMA }] : []),
      ...(hasPrompt ? [{ name: 'prompt', message: USELESS_PROMPT }] : []),
    ]
  },
  charges: () => 'data',
  needs: {
    text: ({ mode, evidence, checkPromptInjection }) =>
      mode !== 'structured' || evidence === true || checkPromptInjection === true,
    facts: ({ mode, prompt = '' }) => mode === 'structured' || (mode !== 'model' && prompt.trim() === ''),
    model: ({ mode }) => mode !== 'structured',
  },
  produce: (page, options, tools) => makeJson(page, options as PlannedJson, tools),
}

async function makeJson(
  { url }: FetchedPage,
  options: PlannedJson,
  { inputs = { chunks: [], items: [], media: [] }, model }: EnrichTools,
): Promise<Enriched<JsonFields & EvidenceFields>> {
  const { prompt, mode = 'auto', evidence = false, instruction, temperature, field = 'json' } = options
  const form = openForm(options.schema)
  if (options.checkPromptInjection) await refusePromptInjection(inputs.chunks, url)
  const known = await answerFromStructuredData(form, inputs.items, url)
  const fill = async (
    { value, isValid }: { readonly value: unknown; readonly isValid: boolean },
    notes: readonly string[],
    structured: StructuredAnswer,
    quotes = [] as Parameters<typeof findCitations>[2],
  ) => {
    const citations =
      evidence && value !== undefined
        ? await findCitations(value, inputs.chunks, quotes, structured.sources)
        : undefined
    const unsupported = citations && describeUnsupported(citations)
    return {
      fields:
        value === undefined
          ? {}
          : { [isValid ? field : 'partialJson']: value, ...(citations && { evidence: citations }) },
      warnings: [...notes, unsupported],
      isPaid: value !== undefined,
    }
  }
  const own = { value: known.value, isValid: known.issues.length === 0 }
  const broken = own.isValid ? [] : [describeIssues(known.issues)]
  if (mode === 'structured') return fill(own, known.value === undefined ? [NO_DATA] : broken, known)
  if (known.isWhole) return fill(own, [], known)
  const parts = packParts(inputs.chunks, model?.partTokens ?? 0)
  if (!model || parts.length === 0)
    return fill(own, [`The model was not asked for \`json\`: ${whyNotAsked(model)}.`, ...broken], known)
  const rest = known.rest ?? form
  const question = { form: rest, prompt, instruction, temperature, quotes: evidence, url }
  const answer = await answerJson(question, parts, model).catch((error: unknown) => {
    if (!(error instanceof ModelError) || known.value === undefined) throw error
    return {
      value: undefined,
      isValid: false,
      quotes: [],
      warnings: [`\`json\` is from the page's structured data alone: ${error.message}.`],
    }
  })
  if (known.value === undefined) return fill(answer, answer.warnings, known, answer.quotes)
  // The page's structured data takes precedence over the model's answer.
  const whole = mergeAnswers(known.value, answer.value)
  const checked = await form.check(whole)
  if (checked.issues.length === 0)
    return fill({ value: checked.value, isValid: true }, answer.warnings, known, answer.quotes)
  const notes = answer.warnings.length > 0 ? answer.warnings : [describeIssues(checked.issues)]
  return fill({ value: whole, isValid: false }, notes, known, answer.quotes)
}

const NO_SCHEMA = "missing: mode 'structured' fills the properties of a JSON Schema"
const USELESS_PROMPT = "is for a model, which mode 'structured' does not ask: use mode 'auto' or 'model', or no prompt"
const NO_DATA = 'There is no `json`: the page has no structured data for the properties of the schema.'

/** Number of characters that are scanned before the event loop is yielded to. */
const TURN_CHARACTERS = 100_000

async function refusePromptInjection(chunks: readonly { readonly markdown: string }[], url: string): Promise<void> {
  let read = 0
  for (const { markdown } of chunks) {
    read += markdown.length
    // A page may have thousands of chunks.
    if (read > TURN_CHARACTERS) {
      read = 0
      await yieldTurn()
    }
    const found = findPromptInjection(markdown)
    if (found === undefined) continue
    const message = `The page contains instructions to a language model: "${found}"`
    throw new TrawlError('SCRAPE_PROMPT_INJECTION_DETECTED', message, { url })
  }
}
