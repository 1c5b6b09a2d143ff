import type { PageTree } from '../../kernel/enrich/format.js'
import { createHash } from 'node:crypto'
import type { PaidWork } from '../../base/accounting/credits.js'
import type { PageKind } from '../../kernel/enrich/learnt-rules.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { type AnswerForm, openForm } from '../../base/json-schema/answer-form.js'
import {
  type AnswerSchema,
  answerSchema,
  type HeldSchema,
  MAX_PROMPT_LENGTH,
} from '../../base/json-schema/answer-schema.js'
import type { Enriched, EnrichFormat, EnrichTools } from '../../kernel/enrich/format.js'
import type { PageModel } from '../../base/llm/page-model.js'
import { describeBroken } from '../../base/llm/answers/answer-json.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import {
  findRuleFault,
  isBetter,
  readByExtractor,
  type ExtractorResult,
  writeExtractor,
} from './extractor/write-extractor.js'
import type { JsonFields } from './json.js'

/**
 * Data found by an extractor: selectors and patterns that a language model writes once for pages with the same layout.
 * Later pages need no model, and the same page always gives the same data. An extractor is interpreted, never run: it
 * can only name places on a page.
 */
export interface DeterministicJsonFormat {
  type: 'deterministicJson'
  /** Shape of the data: a JSON Schema, or a Standard Schema such as a zod one, which also types `json`. */
  schema?: AnswerSchema
  /** Description of the data; at most 10,000 characters. Without `schema` and `prompt` the model chooses the shape. */
  prompt?: string
}

/** Maximum extractors for one URL template and one schema: a template may match pages of several layouts. */
const MAX_EXTRACTORS = 3
/** Failed attempts for one URL template before no further one is made, in later calls of the engine as well. */
const MAX_FAILURES = 2

/** The options in a plan. */
interface Planned {
  readonly schema?: HeldSchema
  readonly prompt?: string
}

/** @see docs/compatibility/requests.md#formats */
export const deterministicJson: EnrichFormat<DeterministicJsonFormat, JsonFields> = {
  type: 'deterministicJson',
  excludes: { json: 'both fill the same field' },
  options: (z) => ({
    schema: answerSchema(z).optional(),
    prompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
  }),
  // Whether a stored extractor fits is known only once the page was fetched.
  charges: () => 'writtenRules',
  needs: { model: () => true },
  produce: (page, options, tools) => makeJson(page, options as Planned, tools),
}

async function makeJson(
  { url, statusCode }: FetchedPage,
  options: Planned,
  { model, tree }: EnrichTools,
): Promise<Enriched<JsonFields>> {
  if (!model) return { fields: {}, warnings: [describeNothing(['there is no language model'])] }
  const form = openForm(options.schema)
  const name = nameOf(tree.template, form, options.prompt)
  const kind = tree.learntRules.of(name)
  recallRules(kind, name, model)
  kind.failures = Math.max(kind.failures, Number(model.recall(failuresOf(name)) ?? 0))
  const trial = new Trial(kind, form, { tree })
  const known = await trial.run()
  if (known.result?.fits) return fill(known.result, 'reusedRules')
  // The layout of an error page differs from that of other pages with the template.
  if (!isSuccessStatus(statusCode)) return fill(known.result ?? ERROR_PAGE, 'reusedRules')
  await kind.turn.acquire(model.signal)
  try {
    // The previous holder of the turn may have written an extractor that fits this page.
    const since = await trial.run()
    if (since.result?.fits) return fill(since.result, 'reusedRules')
    if (kind.rules.length >= MAX_EXTRACTORS || kind.failures >= MAX_FAILURES) {
      return fill(since.result ?? NOTHING_WRITTEN, 'reusedRules')
    }
    const { rule, result } = await writeExtractor({ form, prompt: options.prompt, url }, model, tree)
    if (result.fits) {
      model.remember(`${name} ${kind.rules.length}`, JSON.stringify(rule))
      kind.rules.push(rule)
      return fill(result, 'writtenRules')
    }
    kind.failures += 1
    model.remember(failuresOf(name), String(kind.failures))
    const isOld = since.result !== undefined && !isBetter(result, since.result)
    return isOld && since.result ? fill(since.result, 'reusedRules') : fill(result, 'writtenRules')
  } finally {
    kind.turn.release()
  }
}

const NOTHING_WRITTEN: ExtractorResult = {
  value: undefined,
  fits: false,
  faults: ['no extractor could be written for pages with this URL template'],
}

const ERROR_PAGE: ExtractorResult = {
  value: undefined,
  fits: false,
  faults: ['no extractor is written for an error page'],
}

/** Tries the stored extractors on one page, each one once. */
class Trial {
  readonly #kind: PageKind
  readonly #form: AnswerForm
  readonly #tree: EnrichTools['tree']
  #tried = 0
  #best: ExtractorResult | undefined

  constructor(kind: PageKind, form: AnswerForm, { tree }: { readonly tree: PageTree }) {
    this.#kind = kind
    this.#form = form
    this.#tree = tree
  }

  /** Tries the extractors not tried so far, until one fits. */
  async run(): Promise<{ readonly result: ExtractorResult | undefined }> {
    while (this.#tried < this.#kind.rules.length && !this.#best?.fits) {
      const result = await readByExtractor(this.#kind.rules[this.#tried++], this.#form, this.#tree)
      if (!this.#best || result.fits || isBetter(result, this.#best)) this.#best = result
    }
    return { result: this.#best }
  }
}

/** Loads the extractors that other jobs had written. */
function recallRules({ rules }: PageKind, name: string, model: PageModel): void {
  while (rules.length < MAX_EXTRACTORS) {
    const text = model.recall(`${name} ${rules.length}`)
    const rule = text === undefined ? undefined : readJson(text)?.value
    if (rule === undefined || findRuleFault(rule) !== undefined) return
    rules.push(rule)
  }
}

const failuresOf = (name: string): string => `${name} failures`

/** Cache key of an extractor: the URL template and the data asked for. */
const nameOf = (template: string, { schema }: AnswerForm, prompt: string | undefined): string =>
  `extractor ${createHash('sha256')
    .update(JSON.stringify([template, schema ?? null, prompt ?? null]))
    .digest('base64')}`

function fill({ value, fits, isTrimmed = false, faults }: ExtractorResult, work: PaidWork): Enriched<JsonFields> {
  if (value === undefined) return { fields: {}, warnings: [describeNothing(faults)] }
  const fields = fits || isTrimmed ? { json: value } : { partialJson: value }
  return { fields, warnings: [fits ? undefined : describeBroken(faults, { isTrimmed })], isPaid: true, work }
}

const describeNothing = (faults: readonly string[]): string =>
  `There is no \`json\`: no extractor finds the data on the page (${faults.join('; ')}).`
