import { isObject } from '../../base/collections/is-object.js'
import { TEXT_FORMAT } from '../../content/convert/convert.js'
import { InvalidRequestError, type RequestIssue } from '../../base/errors.js'
import { urlToString } from '../../base/url.js'
import { checkBatchScrape, checkCrawl, createCheck } from '../../kernel/options/check.js'
import { type EngineCapabilities, findPrivateReceiver } from '../../kernel/options/engine-capabilities.js'
import { itemType } from '../../kernel/options/fields/formats.js'
import { normalizeReceiver, normalizeRequest } from '../../kernel/options/fields/normalize-request.js'
import { type ParsedWatch, watchSchema } from './watch-options.js'

/** A checked watch. */
export interface CheckedWatch {
  readonly watch: ParsedWatch
  /** The pages of all targets but crawls, each once. */
  readonly urls: readonly string[]
  /** Options of the batches that scrape them. */
  readonly pageOptions: Readonly<Record<string, unknown>>
  /** Requests of the crawls. */
  readonly crawls: readonly Readonly<Record<string, unknown>>[]
  /** Names of the formats whose data is compared. */
  readonly data: readonly string[]
}

/** Checks a watch without the requests of its jobs. */
const checkShape = createCheck<ParsedWatch>(watchSchema)

/**
 * Checks a watch, with the requests of its jobs.
 *
 * @throws InvalidRequestError with every problem found
 */
export function checkWatch(request: unknown, engine?: EngineCapabilities): CheckedWatch {
  const watch = checkShape(normalizeWatch(request), engine?.options)
  const { targets, scrapeOptions = {}, webhook } = watch
  const urls = [...new Set(targets.flatMap(({ url, urls: several = [] }) => url ?? several))]
  const pageOptions = { ...scrapeOptions, formats: addText(watch.formats), maxAge: 0 }
  const crawls = targets.flatMap(({ crawl: asked }, index) => {
    if (!asked) return []
    const crawl = { ...asked, scrapeOptions: pageOptions }
    within(['targets', index, 'crawl'], () => checkCrawl(crawl, engine))
    return [crawl]
  })
  const probe = { ignoreInvalidURLs: false, urls: urls.length > 0 ? urls : ['https://example.com'], ...pageOptions }
  within(['targets'], () => checkBatchScrape(probe, engine))
  const faults = webhook === undefined || !engine ? [] : findPrivateReceiver(webhook, ['webhook'], engine)
  if (faults.length > 0) throw new InvalidRequestError(faults)
  const types = pageOptions.formats.map((format): string => itemType(format))
  const data = types.filter((type) => engine?.options?.formats.hasTrait(type, 'data'))
  return { watch, urls, pageOptions, crawls, data }
}

/** Names the part of the watch in the issues of a check. */
function within(path: readonly (string | number)[], check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    throw new InvalidRequestError(error.issues.map((issue) => relocate(issue, path)))
  }
}

const OWN_OPTIONS = new Set(['formats', 'scrapeOptions'])

const relocate = (issue: RequestIssue, path: readonly (string | number)[]): RequestIssue =>
  OWN_OPTIONS.has(String(issue.path[0])) ? issue : { ...issue, path: [...path, ...issue.path] }

type Formats = ParsedWatch['formats']

/** Adds the text of the page, which is compared. */
function addText(formats: Formats = []): NonNullable<Formats> {
  const hasText = formats.some((format) => itemType(format) === TEXT_FORMAT)
  return hasText ? formats : [TEXT_FORMAT, ...formats]
}

/** Converts the URLs of a watch to strings, and their iterables to arrays. */
function normalizeWatch(request: unknown): unknown {
  const normalized = normalizeRequest(request)
  if (!isObject(normalized) || !Array.isArray(normalized['targets'])) return normalized
  const targets = normalized['targets'].map((target: unknown) => {
    if (!isObject(target)) return target
    const crawl = target['crawl']
    return {
      ...(normalizeRequest(target) as object),
      ...('url' in target && { url: urlToString(target['url']) }),
      ...(isObject(crawl) && { crawl: normalizeRequest(crawl) }),
    }
  })
  return {
    ...normalized,
    ...('webhook' in normalized && { webhook: normalizeReceiver(normalized['webhook']) }),
    targets,
  }
}

/** Returns a request with its URLs as strings, to be stored as JSON. */
export const toStorableWatch = (request: unknown): object => normalizeWatch(request) as object
