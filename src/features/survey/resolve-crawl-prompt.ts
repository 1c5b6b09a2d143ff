import { toTrawlError } from '../../base/errors.js'
import { withTimeout } from '../../base/concurrency/deadline.js'
import type { UsageMeter } from '../../kernel/fetch/fetcher.js'
import type { ParentSpan } from '../../base/tracing/spans.js'
import { type ModelAnswer, ModelError } from '../../base/llm/llm.js'
import { emptyUsage, type ModelQuestion } from '../../base/llm/model-client.js'
import type { Spending } from '../../base/llm/spending.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import type { CrawlerOptions, PromptedOptions } from '../../kernel/plan/crawl/prompted-options.js'
import type { PromptResolution } from '../../kernel/job/job-strategy.js'
import type { CrawlPrompt, PromptedCrawl } from './crawl-prompt.js'
import { sampleUrls } from './sample-urls.js'
import { surveySite } from './survey.js'
import type { JobContext } from '../../kernel/job/job-context.js'
import type { JobTools } from '../../kernel/job/job-tools.js'

/** Parts of a job or an engine that resolving a prompt needs. */
interface ResolutionOptions {
  readonly tools: JobTools
  readonly spending: Spending
  /** Records the resources used by the survey of the site. */
  readonly meter?: UsageMeter
  /** The span of the job. @default none */
  readonly span?: ParentSpan
  readonly signal: AbortSignal
  warn(warning: string): void
}

/** Timeout of the survey of the site. Milliseconds. */
const SURVEY_TIMEOUT_MS = 15_000
/** Timeout of all model requests together. Milliseconds. */
const ANSWER_TIMEOUT_MS = 60_000
/** Maximum number of answers to request. The second request includes the faults of the first answer. */
const MAX_ANSWERS = 2
/** URLs read from the site's sitemaps. */
const MAX_SITEMAP_URLS = 2000
/** Sampled URLs shown to the model. */
const MAX_SAMPLED_URLS = 120

/** Plan of a crawl that is resolved from a `prompt` before the crawl begins. */
export class CrawlPromptResolution implements PromptResolution {
  readonly #prompt: CrawlPrompt
  readonly #resolved: Promise<void>
  #markResolved: () => void = () => undefined
  #plan: CrawlPlan
  #options: { readonly generated: PromptedOptions; readonly final: CrawlerOptions } | undefined

  /**
   * @param plan that of the request
   * @param generated options that an earlier process generated from the prompt
   */
  constructor(plan: CrawlPlan, prompt: CrawlPrompt, generated?: PromptedOptions) {
    this.#plan = plan
    this.#prompt = prompt
    this.#resolved = new Promise((resolve) => (this.#markResolved = resolve))
    if (!generated) return
    this.#use(prompt.applyOptions(generated))
    this.#markResolved()
  }

  get plan(): CrawlPlan {
    return this.#plan
  }

  /** True until the prompt is resolved. */
  get isPending(): boolean {
    return this.#options === undefined
  }

  /** Resolves when the prompt is resolved. */
  get resolved(): Promise<void> {
    return this.#resolved
  }

  get generated(): PromptedOptions | undefined {
    return this.#options?.generated
  }

  get final(): CrawlerOptions | undefined {
    return this.#options?.final
  }

  /** Resolves the prompt. Does nothing when the job is stopped meanwhile or has no budget left for the question. */
  async resolve(context: JobContext): Promise<void> {
    if (!this.isPending) return
    const { tools, signal } = context
    const { spending, meter } = context.budgetTracker
    try {
      const warnings: string[] = []
      const settled = await resolveCrawlPrompt(this.#prompt, {
        tools,
        spending,
        meter,
        span: context.tracer.span,
        signal,
        warn: (warning) => void warnings.push(warning),
      })
      // The model is asked after the budget was raised.
      if (spending.spentOn && Object.keys(settled.generated).length === 0) return
      for (const warning of warnings) context.warn(warning)
      context.saveGeneratedOptions(settled.generated)
      this.#use(settled)
      this.#markResolved()
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #use({ plan, generated, final }: PromptedCrawl): void {
    this.#plan = plan
    this.#options = { generated, final }
  }
}

/**
 * Asks a model to turn a prompt into options, given sampled URLs of the site. When that fails the options of the request are used, with
 * a warning.
 *
 * @throws the signal's reason
 */
export async function resolveCrawlPrompt(prompt: CrawlPrompt, options: ResolutionOptions): Promise<PromptedCrawl> {
  const urls = await listUrls(prompt, options)
  const { options: generated = {}, faults } = await generateOptions(prompt, urls, options)
  const settled = prompt.applyOptions(generated)
  const isUsed = Object.keys(generated).length > 0
  if (!isUsed) options.warn(`\`prompt\` set no option, and the crawl uses those of the request${because(faults)}.`)
  else if (faults.length > 0)
    options.warn(`The options that the model derived from \`prompt\` were used only in part${because(faults)}.`)
  for (const idle of urls.length > 1 ? prompt.findUnmatchedPatterns(settled, urls) : []) {
    options.warn(`${idle}, which the model derived from \`prompt\`, matches no URL known so far.`)
  }
  return settled
}

const because = (faults: readonly string[]): string => (faults.length === 0 ? '' : `: ${faults.join('; ')}`)

/** Samples URLs of the site; none when the survey fails or takes too long. */
async function listUrls(
  prompt: CrawlPrompt,
  { tools, meter, span, signal, warn }: ResolutionOptions,
): Promise<readonly string[]> {
  using time = withTimeout(signal, SURVEY_TIMEOUT_MS)
  try {
    const limits = { sitemapUrls: MAX_SITEMAP_URLS, pages: 1 }
    const { urls } = await surveySite(prompt.survey, { tools, limits, signal: time.signal, meter, span })
    return sampleUrls(urls, MAX_SAMPLED_URLS)
  } catch (error) {
    signal.throwIfAborted()
    const why = time.signal.aborted ? `it took longer than ${SURVEY_TIMEOUT_MS} ms` : toTrawlError(error).message
    warn(`The site could not be surveyed for \`prompt\`, whose options were generated without its URLs: ${why}.`)
    return []
  }
}

/** Options read from a model's answer, and what was wrong with it. */
interface GeneratedOptions {
  readonly options?: PromptedOptions
  readonly faults: readonly string[]
}

/** Asks the model for options. @returns the answer with the fewest faults */
async function generateOptions(
  prompt: CrawlPrompt,
  urls: readonly string[],
  options: ResolutionOptions,
): Promise<GeneratedOptions> {
  using time = withTimeout(
    options.signal,
    ANSWER_TIMEOUT_MS,
    () => new ModelError(`it took longer than ${ANSWER_TIMEOUT_MS} ms`),
  )
  let best: GeneratedOptions | undefined
  try {
    for (let answers = 0; answers < MAX_ANSWERS; answers++) {
      const { text, finish } = await askModel(prompt, prompt.createQuestion(urls, best?.faults), {
        ...options,
        signal: time.signal,
      })
      if (finish === 'refusal') return best ?? { faults: ['the model would not answer'] }
      const read = prompt.readAnswer(text)
      if (!best?.options || (read.options && read.faults.length < best.faults.length)) best = read
      if (best.options && best.faults.length === 0) break
    }
    return best ?? { faults: [] }
  } catch (error) {
    options.signal.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    return best?.options ? best : { faults: [error.message] }
  }
}

/** @throws ModelError when there is no answer, or no model; the signal's reason */
async function askModel(
  { survey }: CrawlPrompt,
  question: ModelQuestion,
  { tools, spending, span, signal }: ResolutionOptions,
): Promise<ModelAnswer> {
  if (!tools.model) throw new ModelError('there is no language model')
  const mayCache = survey.page.zeroDataRetention !== true
  return await tools.model.ask(question, { signal, spending, mayCache, usage: emptyUsage(), span })
}
