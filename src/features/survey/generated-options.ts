import type { FeatureOptions } from '../../kernel/options/option-definition.js'
import { isObject } from '../../base/collections/is-object.js'
import { readJson } from '../../base/llm/answers/read-json.js'
import { InvalidRequestError } from '../../base/errors.js'
import { checkCrawl } from '../../kernel/options/check.js'
import type { Checked } from '../../kernel/options/fields/checked-request.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import { mergeOptions, type PromptedOptions } from '../../kernel/plan/crawl/prompted-options.js'
import { GENERATED_FORMATS, GENERATED_OPTIONS, GENERATED_PAGE_OPTIONS } from './crawl-prompt-text.js'

/** Checked request of a crawl without its `prompt`. */
export type PromptlessRequest = Omit<Checked<CrawlRequest>, 'prompt'>

/** Usable part of a model's answer. @internal */
export interface ParsedAnswer {
  /** Undefined when the answer is unreadable. */
  readonly options: PromptedOptions | undefined
  /** Reasons why parts of the answer are not used, as sentences for the model. */
  readonly faults: readonly string[]
}

/** Maximum `limit` that a model may set: that of a crawl without a `prompt` and a `limit`. */
const MAX_GENERATED_LIMIT = 10_000

/** Maximum length of a name from an answer in a message. Characters. */
const MAX_NAME_LENGTH = 60

/** Reads a model's answer. Each option is checked as in a request, and options of the request win. @internal */
export function readGeneratedOptions(
  answer: string,
  request: PromptlessRequest,
  more: FeatureOptions | undefined,
): ParsedAnswer {
  const found = readJson(answer)?.value
  if (!isObject(found)) return { options: undefined, faults: ['the answer is no JSON object'] }
  let options: PromptedOptions = {}
  const faults: string[] = []
  for (const [key, value] of Object.entries(found)) {
    if (isUnset(value)) continue
    const name = GENERATED_OPTIONS.find((one) => one === key)
    if (name === undefined) {
      faults.push(describeUnknown(key))
    } else if (name === 'scrapeOptions') {
      const read = readPageOptions(value, mergeOptions(request, options), request.scrapeOptions, more)
      if (read.options !== undefined) options = { ...options, scrapeOptions: read.options }
      faults.push(...read.faults)
    } else if (request[name] === undefined) {
      const fault = findFault({ ...mergeOptions(request, options), [name]: value }, name, more)
      if (fault === undefined) options = { ...options, [name]: value }
      else faults.push(fault)
    }
  }
  return { options, faults }
}

/** Reads the page options that a model may set and the request has not. */
function readPageOptions(
  value: unknown,
  request: object,
  given: CrawlRequest['scrapeOptions'] = {},
  more?: FeatureOptions,
): { readonly options: CrawlRequest['scrapeOptions']; readonly faults: readonly string[] } {
  if (!isObject(value)) return { options: undefined, faults: ['`scrapeOptions` is no object'] }
  const options = new Map<string, unknown>()
  const faults: string[] = []
  for (const [key, generated] of Object.entries(value)) {
    if (isUnset(generated)) continue
    const name = GENERATED_PAGE_OPTIONS.find((one) => one === key)
    if (name === undefined) {
      faults.push(describeUnknown(`scrapeOptions.${key}`))
    } else if (given[name] === undefined) {
      const option = withoutNulls(generated)
      const scrapeOptions = { ...Object.fromEntries(options), [name]: option, ...given }
      const fault =
        name === 'formats' && !areGeneratedFormats(option)
          ? `\`scrapeOptions.formats\`: a description may ask for ${GENERATED_FORMATS.join(', ')}`
          : findFault({ ...request, scrapeOptions }, `scrapeOptions.${name}`, more)
      if (fault === undefined) options.set(name, option)
      else faults.push(fault)
    }
  }
  return { options: options.size === 0 ? undefined : Object.fromEntries(options), faults }
}

/** Tests for a value that a model writes for an option that it does not set. */
const isUnset = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

const describeUnknown = (name: string): string =>
  `\`${name.slice(0, MAX_NAME_LENGTH)}\` is no option that a description may set`

const areGeneratedFormats = (formats: unknown): boolean =>
  Array.isArray(formats) && formats.every((format) => GENERATED_FORMATS.includes(format as string))

/** Removes the nulls that a model writes for absent values. */
const withoutNulls = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null)) : value

/** Finds the issues of an option, in a request with the options accepted before it. */
function findFault(request: object, name: string, more: FeatureOptions | undefined): string | undefined {
  try {
    const { limit = 0 } = checkCrawl(request, undefined, more)
    if (name !== 'limit' || limit <= MAX_GENERATED_LIMIT) return undefined
    return `\`limit\`: ${limit} is more than ${MAX_GENERATED_LIMIT}, which only the request itself can ask for`
  } catch (error) {
    if (error instanceof InvalidRequestError)
      return error.issues.map(({ message }) => `\`${name}\`: ${message}`).join('; ')
    throw error
  }
}
