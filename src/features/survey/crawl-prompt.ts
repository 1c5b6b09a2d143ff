import { isObject } from '../../base/collections/is-object.js'
import { fencePage } from '../../base/llm/answers/page-text.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import { patternTarget } from '../../kernel/frontier/scope/scope.js'
import type { ModelQuestion } from '../../base/llm/model-client.js'
import { checkCrawl } from '../../kernel/options/check.js'
import type { Checked } from '../../kernel/options/fields/checked-request.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import type { FeatureJobOptions } from '../../kernel/options/feature-options.js'
import type { JobOptions } from '../../kernel/options/job-options.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from '../../kernel/options/option-definition.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import { deepFreeze } from '../../base/collections/deep-freeze.js'
import type { PlanDefaults } from '../../kernel/plan/plan-defaults.js'
import {
  GENERATED_OPTIONS,
  GENERATED_PAGE_OPTIONS,
  OPTIONS_SCHEMA,
  OPTIONS_SYSTEM_PROMPT,
} from './crawl-prompt-text.js'
import { planCrawl } from '../../kernel/plan/crawl/plan-crawl.js'
import { type CrawlerOptions, mergeOptions, type PromptedOptions } from '../../kernel/plan/crawl/prompted-options.js'
import { type ParsedAnswer, type PromptlessRequest, readGeneratedOptions } from './generated-options.js'
import { planSurvey } from './plan-survey.js'

/** A crawl with the options that a model generated from its `prompt`. @internal */
export interface PromptedCrawl {
  readonly plan: CrawlPlan
  /** Plan of the survey of its site, with these options. */
  readonly survey: CrawlPlan
  readonly generated: PromptedOptions
  /** Options of the request and generated ones together. */
  readonly final: CrawlerOptions
}

/** A crawl that is described in words: the question to a model, and the use of its answer. @internal */
export interface CrawlPrompt {
  /** Plan of the survey of the site: the first, small crawl that shows the model some URLs. */
  readonly survey: CrawlPlan
  /** Creates the question. @param urls sample of the site's URLs @param faults faults of the last answer */
  createQuestion(urls: readonly string[], faults?: readonly string[]): ModelQuestion
  /** Reads an answer. Each option is checked as in a request, and options of the request win. */
  readAnswer(answer: string): ParsedAnswer
  /** Merges generated options into the request, and plans the crawl with them. */
  applyOptions(generated: PromptedOptions): PromptedCrawl
  /** Finds generated patterns that match none of these URLs, for messages. */
  findUnmatchedPatterns(crawl: PromptedCrawl, urls: readonly string[]): string[]
}

/** Creates the prompt of a checked request; undefined when it has none, or an empty one. @internal */
export function createCrawlPrompt(request: Checked<CrawlRequest>, defaults: PlanDefaults): CrawlPrompt | undefined {
  const { prompt = '', ...given } = request
  if (prompt.trim() === '') return undefined
  const more = defaults.features?.options
  return {
    survey: planPromptSurvey(given, defaults),
    createQuestion: (urls, faults = []) => ({
      system: OPTIONS_SYSTEM_PROMPT,
      prompt: writeQuestion({ prompt, given, urls, faults }),
      schema: OPTIONS_SCHEMA,
      isUsable: (text) => isObject(readJson(text)?.value),
    }),
    readAnswer: (answer) => readGeneratedOptions(answer, given, more),
    applyOptions(generated) {
      const merged = checkCrawl(mergeOptions(given, generated), undefined, more)
      const plans = { plan: planCrawl(merged, defaults), survey: planPromptSurvey(merged, defaults) }
      return deepFreeze({ ...plans, generated, final: pickCrawlerOptions(merged, more) })
    },
    findUnmatchedPatterns: ({ plan: { scope }, generated }, urls) =>
      (['includePaths', 'excludePaths'] as const).flatMap((field) =>
        scope[field]
          .filter(({ source }) => generated[field]?.includes(source) === true)
          .filter((pattern) => !urls.some((url) => pattern.test(patternTarget(new URL(url), scope))))
          .map(({ source }) => `\`${field}\` ${source}`),
      ),
  }
}

/** Plans the survey of a crawl with a `prompt`. It leaves all actions out, and so changes nothing on the site. */
function planPromptSurvey({ scrapeOptions = {}, ...rules }: Checked<CrawlRequest>, defaults: PlanDefaults): CrawlPlan {
  const { actions: _, ...withoutActions } = scrapeOptions
  return planSurvey({ ...rules, scrapeOptions: withoutActions }, defaults)
}

/** Options about the job and its pages, and not about the crawler. */
const notForCrawler: Readonly<
  Record<Exclude<keyof JobOptions, keyof FeatureJobOptions> | 'prompt' | 'scrapeOptions', true>
> = {
  prompt: true,
  scrapeOptions: true,
  maxConcurrency: true,
  retain: true,
  zeroDataRetention: true,
  budget: true,
  origin: true,
  integration: true,
}

const pickCrawlerOptions = (
  { url, ...options }: Checked<CrawlRequest>,
  { job }: FeatureOptions = NO_FEATURE_OPTIONS,
): CrawlerOptions => ({
  url,
  ...Object.fromEntries(
    Object.entries(options).filter(([name]) => !(name in notForCrawler) && !Object.hasOwn(job, name)),
  ),
})

/** Parts of the question to the model. */
interface QuestionParts {
  readonly prompt: string
  readonly given: PromptlessRequest
  /** Sample of the site's URLs. */
  readonly urls: readonly string[]
  /** Faults of the last answer. */
  readonly faults: readonly string[]
}

function writeQuestion({ prompt, given, urls, faults }: QuestionParts): string {
  const { scrapeOptions = {} } = given
  // Only options that a prompt may set are shown: headers may hold secrets.
  const pages = GENERATED_PAGE_OPTIONS.flatMap((name) =>
    scrapeOptions[name] === undefined ? [] : [[name, scrapeOptions[name]] as const],
  )
  const set = Object.fromEntries([
    ...GENERATED_OPTIONS.flatMap((name) =>
      name === 'scrapeOptions' || given[name] === undefined ? [] : [[name, given[name]] as const],
    ),
    ...(pages.length === 0 ? [] : [['scrapeOptions', Object.fromEntries(pages)] as const]),
  ])
  const { fenced, mark } = fencePage(urls.join('\n'), 'urls')
  return [
    `The crawl starts at ${JSON.stringify(given.url)}. What is wanted, in words:\n${prompt.trim()}`,
    ...(Object.keys(set).length > 0 ? [`These options are set already, and stay: ${JSON.stringify(set)}`] : []),
    ...(urls.length > 0 ? [`Some URLs of the site stand between <${mark}> and </${mark}>.\n\n${fenced}`] : []),
    ...(faults.length > 0 ? [`Your last answer could not be used as it was:\n${faults.join('\n')}`] : []),
    'Now answer with the JSON object of options.',
  ].join('\n\n')
}
