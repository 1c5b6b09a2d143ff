import { createHash } from 'node:crypto'
import type { PaidWork } from '../../accounting/credits.js'
import type { PageKind } from '../../extractor/extractors.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { type AnswerForm, openForm } from '../json-schema/answer-form.js'
import { type AnswerSchema, answerSchema, type HeldSchema, MAX_PROMPT_LENGTH } from '../json-schema/answer-schema.js'
import type { Enriched, EnrichFormat, EnrichTools, PageModel } from '../format.js'
import { describeBroken } from '../json/answer-json.js'
import { readJson } from '../model/read-json.js'
import { findRuleFault, isBetter, readByExtractor, type Reading, writeExtractor } from '../extractor/write-extractor.js'
import type { JsonFields } from './json.js'

/**
 * Data found by an extractor: rules of selectors and patterns that a language model writes once for pages of one making, and that
 * are used again on the others, without a model. The same page gives the same data. An extractor is data, and never code: it can say
 * where something stands on a page, and nothing else.
 */
export interface DeterministicJsonFormat {
  type: 'deterministicJson'
  /** The shape of the data: a JSON Schema, or a Standard Schema such as a zod one, which types `json` as well. */
  schema?: AnswerSchema | undefined
  /** What to look for, in words; at most 10,000 characters. Without schema and prompt the data has a free form. */
  prompt?: string | undefined
}

/** Extractors for pages of one making, and of what was wanted of them: templates of URLs may stand for several kinds of page. */
const MAX_EXTRACTORS = 3
/** Pages of one making for which none could be written, before it is given up, also for later calls of the engine. */
const MAX_FAILURES = 2

/** An item as a plan has it. */
interface Planned {
  readonly schema?: HeldSchema | undefined
  readonly prompt?: string | undefined
}

/** @see docs/compatibility.md#formats */
export const deterministicJson: EnrichFormat<DeterministicJsonFormat, JsonFields> = {
  type: 'deterministicJson',
  options: (z) => ({
    schema: answerSchema(z).optional(),
    prompt: z.string().max(MAX_PROMPT_LENGTH).optional(),
  }),
  // Whether an extractor fits a page shows when the page is there.
  charges: () => 'writtenRules',
  needs: { model: () => true },
  make: (page, options, tools) => makeJson(page, options as Planned, tools),
}

async function makeJson(
  { url, statusCode }: FetchedPage,
  options: Planned,
  { model, tree }: EnrichTools,
): Promise<Enriched<JsonFields>> {
  if (!model) return { fields: {}, warnings: [describeNothing(['there is no language model'])] }
  const form = openForm(options.schema)
  const name = nameOf(tree.template, form, options.prompt)
  const kind = tree.extractors.of(name)
  recallRules(kind, name, model)
  kind.failures = Math.max(kind.failures, Number(model.recall(failuresOf(name)) ?? 0))
  const trial = new Trial(kind, form, { tree })
  const known = await trial.run()
  if (known.reading?.fits) return fill(known.reading, 'reusedRules')
  // An error page is none of the making that others at such addresses have.
  if (statusCode < 200 || statusCode > 299) return fill(known.reading ?? ERROR_PAGE, 'reusedRules')
  await kind.turn.take(model.signal)
  try {
    // Who had the turn before may have written what fits here as well.
    const since = await trial.run()
    if (since.reading?.fits) return fill(since.reading, 'reusedRules')
    if (kind.rules.length >= MAX_EXTRACTORS || kind.failures >= MAX_FAILURES) {
      return fill(since.reading ?? NOTHING_WRITTEN, 'reusedRules')
    }
    const { rule, reading } = await writeExtractor({ form, prompt: options.prompt, url }, model, tree)
    if (reading.fits) {
      model.remember(`${name} ${kind.rules.length}`, JSON.stringify(rule))
      kind.rules.push(rule)
      return fill(reading, 'writtenRules')
    }
    kind.failures += 1
    model.remember(failuresOf(name), String(kind.failures))
    const isOld = since.reading !== undefined && !isBetter(reading, since.reading)
    return isOld && since.reading ? fill(since.reading, 'reusedRules') : fill(reading, 'writtenRules')
  } finally {
    kind.turn.give()
  }
}

const NOTHING_WRITTEN: Reading = {
  value: undefined,
  fits: false,
  faults: ['no extractor could be written for such pages'],
}

const ERROR_PAGE: Reading = { value: undefined, fits: false, faults: ['none is written for an error page'] }

/** What the extractors of a kind give on one page: each is tried once. */
class Trial {
  readonly #kind: PageKind
  readonly #form: AnswerForm
  readonly #tree: EnrichTools['tree']
  #tried = 0
  #best: Reading | undefined

  constructor(kind: PageKind, form: AnswerForm, { tree }: Pick<EnrichTools, 'tree'>) {
    this.#kind = kind
    this.#form = form
    this.#tree = tree
  }

  /** Tries those that were not tried yet, up to one that fits. */
  async run(): Promise<{ readonly reading: Reading | undefined }> {
    while (this.#tried < this.#kind.rules.length && !this.#best?.fits) {
      const reading = await readByExtractor(this.#kind.rules[this.#tried++], this.#form, this.#tree)
      if (!this.#best || reading.fits || isBetter(reading, this.#best)) this.#best = reading
    }
    return { reading: this.#best }
  }
}

/** The extractors that other jobs had written. */
function recallRules({ rules }: PageKind, name: string, model: PageModel): void {
  while (rules.length < MAX_EXTRACTORS) {
    const text = model.recall(`${name} ${rules.length}`)
    const rule = text === undefined ? undefined : readJson(text)?.value
    if (rule === undefined || findRuleFault(rule) !== undefined) return
    rules.push(rule)
  }
}

const failuresOf = (name: string): string => `${name} failures`

/** What an extractor is for: pages of this making, and this of them. */
const nameOf = (template: string, { schema }: AnswerForm, prompt: string | undefined): string =>
  `extractor ${createHash('sha256')
    .update(JSON.stringify([template, schema ?? null, prompt ?? null]))
    .digest('base64')}`

function fill({ value, fits, isMended = false, faults }: Reading, work: PaidWork): Enriched<JsonFields> {
  if (value === undefined) return { fields: {}, warnings: [describeNothing(faults)] }
  const fields = fits || isMended ? { json: value } : { partialJson: value }
  return { fields, warnings: [fits ? undefined : describeBroken(faults, isMended)], isPaid: true, work }
}

const describeNothing = (faults: readonly string[]): string =>
  `There is no \`json\`: no extractor finds the data on the page (${faults.join('; ')}).`
