import { fencePage } from '../../enrich/model/page-text.js'
import { readJson } from '../../enrich/model/read-json.js'
import { isObject } from '../../collections/is-object.js'
import { InvalidRequestError } from '../../errors.js'
import { patternTarget } from '../../frontier/scope/scope.js'
import type { ModelQuestion } from '../../llm/model-client.js'
import { checkCrawl } from '../../options/check.js'
import type { CrawlRequest } from '../../options/crawl-options.js'
import type { JobOptions } from '../../options/job-options.js'
import {
  GENERATED_FORMATS,
  GENERATED_OPTIONS,
  GENERATED_PAGE_OPTIONS,
  OPTIONS_SCHEMA,
  OPTIONS_SYSTEM_PROMPT,
} from './crawl-prompt-text.js'
import type { CrawlPlan } from '../crawl-plan.js'
import type { PlanDefaults } from '../plan-defaults.js'
import { deepFreeze } from '../deep-freeze.js'
import { planCrawl } from './plan-crawl.js'
import { planSurvey } from './plan-crawl.js'
import type { Checked } from '../../options/checked-request.js'

/** Options that a model generated from the `prompt` of a crawl. */
export type PromptedOptions = Readonly<Pick<Checked<CrawlRequest>, (typeof GENERATED_OPTIONS)[number]>>

/** Options of a crawl with a `prompt`: those of the request, and those that were generated. */
export type CrawlerOptions = Readonly<Omit<Checked<CrawlRequest>, 'prompt' | 'scrapeOptions' | keyof JobOptions>>

/** A crawl with final options. @internal */
export interface PromptedCrawl {
  readonly plan: CrawlPlan
  /** Plan of the survey of its site. */
  readonly survey: CrawlPlan
  readonly generated: PromptedOptions
  readonly final: CrawlerOptions
}

/** Usable part of a model's answer. @internal */
export interface GeneratedOptions {
  /** Undefined when the answer is unreadable. */
  readonly options: PromptedOptions | undefined
  /** Reasons why parts of the answer are not used. */
  readonly faults: readonly string[]
}

/** A crawl described in words: the question to a model, and the reading of its answer. @internal */
export interface CrawlPrompt {
  /** Plan of the survey of the site. */
  readonly survey: CrawlPlan
  /** Makes the question. @param urls sample of the site's URLs @param faults faults of the last answer */
  createQuestion(urls: readonly string[], faults?: readonly string[]): ModelQuestion
  /** Reads an answer. Each option is checked as in a request, and options of the request win. */
  readAnswer(answer: string): GeneratedOptions
  /** Merges generated options into the request, and plans the crawl with them. */
  applyOptions(generated: PromptedOptions): PromptedCrawl
  /** Finds generated patterns that match none of these URLs. */
  findUnmatchedPatterns(settled: PromptedCrawl, urls: readonly string[]): string[]
}

/** Opens the `prompt` of a checked request; undefined when it has none, or an empty one. @internal */
export function createCrawlPrompt(request: Checked<CrawlRequest>, defaults: PlanDefaults): CrawlPrompt | undefined {
  const { prompt = '', ...given } = request
  if (prompt.trim() === '') return undefined
  const known = new Map<string, unknown>(Object.entries(given))
  const unset = GENERATED_OPTIONS.filter((name) => name === 'scrapeOptions' || known.get(name) === undefined)
  return {
    survey: planPromptSurvey(given, defaults),
    createQuestion: (urls, faults = []) => ({
      system: OPTIONS_SYSTEM_PROMPT,
      prompt: writeQuestion(prompt, given, urls, faults),
      schema: OPTIONS_SCHEMA,
      isUsable: (text) => isObject(readJson(text)?.value),
    }),
    readAnswer: (answer) => readOptions(answer, given, unset),
    applyOptions(generated) {
      const whole = checkCrawl(merge(given, generated))
      const plans = { plan: planCrawl(whole, defaults), survey: planPromptSurvey(whole, defaults) }
      return deepFreeze({ ...plans, generated, final: pickOptions(whole) })
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

/** Merges generated options into a request. Options of the request win, also within `scrapeOptions`. */
function merge(given: object & Pick<CrawlRequest, 'scrapeOptions'>, generated: PromptedOptions): object {
  if (generated.scrapeOptions === undefined) return { ...given, ...generated }
  return { ...given, ...generated, scrapeOptions: { ...generated.scrapeOptions, ...given.scrapeOptions } }
}

/**
 * Plans the survey: the first, small crawl that shows the model some URLs. It does nothing on pages, so that actions
 * are left out.
 */
function planPromptSurvey({ scrapeOptions = {}, ...rules }: Checked<CrawlRequest>, defaults: PlanDefaults): CrawlPlan {
  const { actions: _, ...withoutActions } = scrapeOptions
  return planSurvey({ ...rules, scrapeOptions: withoutActions }, defaults)
}

/** Options about the job and its pages, and not about the crawler. */
const notForCrawler: Readonly<Record<keyof JobOptions | 'prompt' | 'scrapeOptions', true>> = {
  prompt: true,
  scrapeOptions: true,
  webhook: true,
  maxConcurrency: true,
  learnBoilerplate: true,
  retain: true,
  zeroDataRetention: true,
  budget: true,
  origin: true,
  integration: true,
}

const pickOptions = ({ url, ...options }: Checked<CrawlRequest>): CrawlerOptions => ({
  url,
  ...Object.fromEntries(Object.entries(options).filter(([name]) => !(name in notForCrawler))),
})

/** Limits generated options: a model cannot ask for more pages than a crawl without a prompt has. */
const MAX_PAGES = 10_000

function readOptions(
  answer: string,
  given: Omit<Checked<CrawlRequest>, 'prompt'>,
  open: readonly (typeof GENERATED_OPTIONS)[number][],
): GeneratedOptions {
  const found = readJson(answer)?.value
  if (!isObject(found)) return { options: undefined, faults: ['the answer is no JSON object'] }
  let options: PromptedOptions = {}
  const faults: string[] = []
  for (const [name, value] of Object.entries(found)) {
    if (value === null || (Array.isArray(value) && value.length === 0)) continue
    const own = GENERATED_OPTIONS.find((one) => one === name)
    if (own === undefined) {
      faults.push(`\`${name.slice(0, 60)}\` is no option that a description may set`)
    } else if (own === 'scrapeOptions') {
      const read = readPageOptions(value, merge(given, options), given.scrapeOptions)
      if (read.options !== undefined) options = { ...options, scrapeOptions: read.options }
      faults.push(...read.faults)
    } else if (open.includes(own)) {
      const fault = findFault({ ...merge(given, options), [own]: value }, own)
      if (fault === undefined) options = { ...options, [own]: value }
      else faults.push(fault)
    }
  }
  return { options, faults }
}

/** Picks options of a page that a model may set and the request has not. */
function readPageOptions(
  value: unknown,
  request: object,
  given: CrawlRequest['scrapeOptions'] = {},
): { readonly options: CrawlRequest['scrapeOptions']; readonly faults: readonly string[] } {
  if (!isObject(value)) return { options: undefined, faults: ['`scrapeOptions` is no object'] }
  const options = new Map<string, unknown>()
  const faults: string[] = []
  for (const [name, own] of Object.entries(value)) {
    if (own === null || (Array.isArray(own) && own.length === 0)) continue
    const known = GENERATED_PAGE_OPTIONS.find((one) => one === name)
    if (known === undefined) {
      faults.push(`\`scrapeOptions.${name.slice(0, 60)}\` is no option that a description may set`)
    } else if (given[known] === undefined) {
      const made = withoutNull(own)
      const scrapeOptions = { ...Object.fromEntries(options), [known]: made, ...given }
      const fault =
        known === 'formats' && !isOfPrompts(made)
          ? `\`scrapeOptions.formats\`: a description may ask for ${GENERATED_FORMATS.join(', ')}`
          : findFault({ ...request, scrapeOptions }, `scrapeOptions.${known}`)
      if (fault === undefined) options.set(known, made)
      else faults.push(fault)
    }
  }
  return { options: options.size === 0 ? undefined : Object.fromEntries(options), faults }
}

const isOfPrompts = (formats: unknown): boolean =>
  Array.isArray(formats) && formats.every((format) => GENERATED_FORMATS.includes(format as string))

/** Removes the nulls that a model writes for absent values. */
const withoutNull = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null)) : value

/** Finds the issues of an option, in a request with the options accepted before it. */
function findFault(request: object, name: string): string | undefined {
  try {
    const { limit = 0 } = checkCrawl(request)
    if (name !== 'limit' || limit <= MAX_PAGES) return undefined
    return `\`limit\`: ${limit} is more than ${MAX_PAGES}, which only the request itself can ask for`
  } catch (error) {
    if (error instanceof InvalidRequestError)
      return error.issues.map(({ message }) => `\`${name}\`: ${message}`).join('; ')
    throw error
  }
}

function writeQuestion(
  prompt: string,
  given: Omit<Checked<CrawlRequest>, 'prompt'>,
  urls: readonly string[],
  faults: readonly string[],
): string {
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
