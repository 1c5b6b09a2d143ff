import { toTrawlError } from '../../errors.js'
import { withTimeout } from '../../concurrency/deadline.js'
import { ModelError } from '../../llm/llm.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import type { CrawlerOptions, CrawlPrompt, PromptedOptions, SettledCrawl } from '../../plan/crawl/crawl-prompt.js'
import type { JobContext } from '../job-strategy.js'
import { sampleUrls } from '../discovery/sample-urls.js'

/** What settling the options of a crawl takes. */
export type SettlingTools = Pick<JobContext, 'survey' | 'askModel' | 'warn' | 'signal'>

/** How long the site is looked at for a description, and how long a model may take for it. Milliseconds. */
const SURVEY_MS = 15_000
const ANSWER_MS = 60_000
/** Answers that are asked for: the second is told what was wrong with the first. */
const MAX_ANSWERS = 2
/** What of the site a model is shown. */
const SITEMAP_URLS = 2000
const MAX_URLS = 120

/** What a crawl goes by: known from the start or, for one that is described in words, settled before it begins. */
export class CrawlPromptResolution {
  readonly #prompt: CrawlPrompt | undefined
  readonly #settled: Promise<void>
  #tellSettled: () => void = () => undefined
  #plan: CrawlPlan
  #options: Pick<SettledCrawl, 'generated' | 'final'> | undefined

  /** @param generated what was made of the description in an earlier process */
  constructor(plan: CrawlPlan, prompt?: CrawlPrompt, generated?: PromptedOptions) {
    this.#plan = plan
    this.#prompt = prompt
    this.#settled = new Promise((resolve) => (this.#tellSettled = resolve))
    if (prompt && generated) this.#take(prompt.settle(generated))
    if (!this.isOpen) this.#tellSettled()
  }

  get plan(): CrawlPlan {
    return this.#plan
  }

  /** Whether it is still to be settled: nothing of the job is under way then. */
  get isOpen(): boolean {
    return this.#prompt !== undefined && this.#options === undefined
  }

  /** Resolves when it is settled. */
  get settled(): Promise<void> {
    return this.#settled
  }

  get generated(): PromptedOptions | undefined {
    return this.#options?.generated
  }

  get final(): CrawlerOptions | undefined {
    return this.#options?.final
  }

  /** Settles it. Does nothing for a job that is stopped meanwhile, or whose budget has no room for the question. */
  async settle(stage: JobContext): Promise<void> {
    if (!this.#prompt || !this.isOpen) return
    try {
      const warnings: string[] = []
      const settled = await resolveCrawlPrompt(this.#prompt, {
        ...stage,
        warn: (warning) => void warnings.push(warning),
      })
      // What is not asked now is asked when there is room for it.
      if (stage.spending.spentOn && Object.keys(settled.generated).length === 0) return
      for (const warning of warnings) stage.warn(warning)
      stage.keepOptions(settled.generated)
      this.#take(settled)
      this.#tellSettled()
    } catch (error) {
      if (!stage.signal.aborted) throw error
    }
  }

  #take({ plan, generated, final }: SettledCrawl): void {
    this.#plan = plan
    this.#options = { generated, final }
  }
}

/**
 * Has a model make options of a description, by what there is on the site. Whatever it does, there are options: those that
 * were given, with a warning.
 *
 * @throws the signal's reason
 */
export async function resolveCrawlPrompt(prompt: CrawlPrompt, tools: SettlingTools): Promise<SettledCrawl> {
  const urls = await listUrls(prompt, tools)
  const { options = {}, faults } = await askModel(prompt, urls, tools)
  const settled = prompt.settle(options)
  const isUsed = Object.keys(options).length > 0
  if (!isUsed) tools.warn(`\`prompt\` set no option, and the crawl goes by those that were given${because(faults)}.`)
  else if (faults.length > 0) tools.warn(`What the model made of \`prompt\` was used in part${because(faults)}.`)
  for (const idle of urls.length > 1 ? prompt.findIdle(settled, urls) : []) {
    tools.warn(`${idle}, which the model made of \`prompt\`, is found in no URL known so far.`)
  }
  return settled
}

const because = (faults: readonly string[]): string => (faults.length === 0 ? '' : `: ${faults.join('; ')}`)

/** Some URLs of the site; none when it takes too long. */
async function listUrls(prompt: CrawlPrompt, { survey, signal, warn }: SettlingTools): Promise<readonly string[]> {
  using time = withTimeout(signal, SURVEY_MS)
  try {
    const { urls } = await survey(prompt.survey, { sitemapUrls: SITEMAP_URLS, pages: 1 }, time.signal)
    return sampleUrls(urls, MAX_URLS)
  } catch (error) {
    signal.throwIfAborted()
    const why = time.signal.aborted ? `it took longer than ${SURVEY_MS} ms` : toTrawlError(error).message
    warn(`The site could not be looked at for \`prompt\`, whose options were made without: ${why}.`)
    return []
  }
}

interface Answer {
  readonly options?: PromptedOptions | undefined
  readonly faults: readonly string[]
}

/** The answer with the fewest faults. */
async function askModel(
  prompt: CrawlPrompt,
  urls: readonly string[],
  { askModel: ask, signal }: SettlingTools,
): Promise<Answer> {
  using time = withTimeout(signal, ANSWER_MS, () => new ModelError(`it took longer than ${ANSWER_MS} ms`))
  let best: Answer | undefined
  try {
    for (let answers = 0; answers < MAX_ANSWERS; answers++) {
      const { text, finish } = await ask(prompt.ask(urls, best?.faults), time.signal)
      if (finish === 'refusal') return best ?? { faults: ['the model would not answer'] }
      const read = prompt.read(text)
      if (!best?.options || (read.options && read.faults.length < best.faults.length)) best = read
      if (best.options && best.faults.length === 0) break
    }
    return best ?? { faults: [] }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    return best?.options ? best : { faults: [error.message] }
  }
}
