import { z } from 'zod'
import { ownValue } from '../../base/collections/own-value.js'
import { engineDefinitions } from './engine-config.js'
import { findForeignOption } from '../../base/issues/foreign-options.js'
import { batchScrapeSchema } from './batch-options.js'
import { crawlSchema } from './crawl-options.js'
import type { FormatSet } from './format-set.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS, type OwnRequest } from './option-definition.js'
import type { ExplainMisplaced } from '../../base/issues/describe-issue.js'
import { scrapeShape } from './scrape-schema.js'
import { v1CrawlSchema } from './v1-options.js'

/** Replacement in version 2 of each option that only version 1 has. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  maxDepth: '`maxDiscoveryDepth` counts links',
  ignoreSitemap: "`sitemap: 'skip'` does the same",
  allowBackwardLinks: '`crawlEntireDomain` replaces it',
  parsePDF: '`parsers: []` leaves PDF files unread',
}

/** Returns the replacement of an option of version 1. */
function findSuccessor(option: string, formats: FormatSet | undefined): string | undefined {
  const [name] = [...(formats?.versionOneOptions ?? [])].find(([, own]) => own.name === option) ?? []
  if (name === undefined) return ownValue(SUCCESSORS, option)
  const item = `\`formats: [{ type: '${formats?.typeNamed(name)}', … }]\``
  return name === option ? `${item} replaces it` : `${item} takes them`
}

/** Names of the options of each kind of request, and the requests of the calls that features add. */
interface KnownOptions {
  readonly page: object
  readonly batch: object
  readonly crawl: object
  readonly v1: object
  readonly engine: object
  readonly more: FeatureOptions
}

/** Says which calls take an option; undefined if none does. */
function findCalls(name: string, { page, batch, crawl, more }: KnownOptions): string | undefined {
  const isPage = Object.hasOwn(page, name)
  const own = more.requests.flatMap(({ names, call }) => (names.includes(name) ? `\`${call}\`` : []))
  const calls = [
    ...(isPage ? ['`engine.scrape()`, of `scrapeOptions` in `engine.crawl()`'] : []),
    ...(!isPage && Object.hasOwn(batch, name) ? ['`engine.batchScrape()`'] : []),
    ...(Object.hasOwn(crawl, name) ? ['`engine.crawl()`'] : []),
    ...(isPage ? [] : new Set(own)),
  ]
  return calls.length === 0 ? undefined : `is an option of ${calls.join(', ')}`
}

/** Explains an option that the request of a feature's call does not have. */
function explainInOwn(name: string, request: OwnRequest, known: KnownOptions): string | undefined {
  const { formats } = known.more
  const hint = ownValue(request.hints ?? {}, name)
  if (hint !== undefined) return hint
  const isFormat = formats.all.some(({ type }) => type === name)
  if (isFormat && request.names.includes('formats')) return `is a format: \`formats: ['${name}']\``
  if (request.places && Object.hasOwn(known.page, name)) return `belongs in ${request.places.page}`
  if (request.places && Object.hasOwn(known.crawl, name)) return `belongs in ${request.places.crawl}`
  const calls = findCalls(name, known)
  if (calls !== undefined) return calls
  if (Object.hasOwn(known.engine, name)) return `is a setting of the engine: \`createEngine({ ${name} })\``
  if (Object.hasOwn(known.v1, name)) {
    const successor = findSuccessor(name, formats)
    return `is an option of \`engine.v1.crawl()\`${successor === undefined ? '' : `; in \`engine.crawl()\` ${successor}`}`
  }
  const foreign = findForeignOption(name, 'job')
  const [, here = ''] = /`(\w+)/.exec(foreign ?? '') ?? []
  const isElsewhere = !request.names.includes(here) && Object.hasOwn(known.crawl, here)
  return foreign && `is ${foreign}${isElsewhere ? `: an option of ${request.places?.crawl ?? '`engine.crawl()`'}` : ''}`
}

/** Explains an option beside the bytes of `parse()`, or in the last argument of a call. */
function explainBeside(name: string, known: readonly string[], options: KnownOptions): string | undefined {
  const isOfRequest = [options.page, options.batch, options.crawl].some((shape) => Object.hasOwn(shape, name))
  if (known.includes('body') && known.includes('contentType') && Object.hasOwn(options.page, name))
    return `belongs in the options after it: \`engine.parse({ body, url }, { ${name} })\``
  if (known.includes('signal') && known.length <= CALL_OPTIONS.length && isOfRequest)
    return 'belongs in the request, the argument before'
  return undefined
}

/** Options that the last argument of calls that start jobs has. */
const CALL_OPTIONS: readonly string[] = ['signal', 'acknowledge', 'idempotencyKey']

/** Creates an {@link ExplainMisplaced} that knows the options of all requests, from their schemas. */
export function createMisplacedExplainer(more?: FeatureOptions): ExplainMisplaced {
  const { formats } = more ?? NO_FEATURE_OPTIONS
  const page = scrapeShape(z, more)
  const { shape: batch } = batchScrapeSchema(z, more)
  const { shape: crawl } = crawlSchema(z, more)
  const { shape: v1Crawl } = v1CrawlSchema(z, more)
  const v1Page = v1Crawl.scrapeOptions.unwrap().shape
  const engine = { ...engineDefinitions, ...more?.engine }
  const options = { page, batch, crawl, v1: { ...v1Page, ...v1Crawl }, engine, more: more ?? NO_FEATURE_OPTIONS }
  return (name, known) => {
    const own = more?.requests.find(
      ({ names }) => names.length === known.length && names.every((one) => known.includes(one)),
    )
    if (own) return explainInOwn(name, own, options)
    const [isCrawl, isPage] = [known.includes('scrapeOptions'), known.includes('formats')]
    const isV1 = known.includes('maxDepth') || known.includes('parsePDF')
    if (CALL_OPTIONS.includes(name) && (isCrawl || known.includes('urls')))
      return 'belongs in the last argument of the call'
    if (name === 'signal' && isPage) return 'belongs in the last argument of the call'
    if (name === 'selector' && known.length === 2 && known.includes('text'))
      return "belongs in an action before this one, which puts the focus there: `{ type: 'click', selector }`"
    const isFormat = formats.all.some(({ type }) => type === name)
    if (isPage && (isV1 ? formats.versionOne.has(name) : isFormat)) return `is a format: \`formats: ['${name}']\``
    if (isPage && isFormat) return 'is a format of version 2, the calls without `v1`'
    if (isPage && name === 'url')
      return known.includes('urls')
        ? 'is `urls` here, a list'
        : 'is no option: the URL stands before the options, or in the target'
    const isEngine = known.includes('ledger') && known.includes('threads')
    const has = (shape: object): boolean => Object.hasOwn(shape, name)
    if (isEngine && name === 'proxy')
      return "names a kind of proxy in requests; their URLs are `proxies: { basic: ['http://…'] }`"
    if (isEngine && has(page)) return `belongs in requests, as in \`engine.scrape(url, { ${name} })\``
    if (isEngine && has(crawl)) return `belongs in requests, as in \`engine.crawl({ url, ${name} })\``
    if (isCrawl && has(isV1 ? v1Page : page)) return 'belongs in `scrapeOptions`'
    if (isPage && name === 'scrapeOptions') return 'has no place here: its options stand at the top level'
    if (isV1 && (has(crawl) || has(page))) return 'is of version 2, the calls without `v1`'
    if (isPage && has(batch) && has(crawl))
      return 'is an option of a job: it stands beside its `urls`, or `scrapeOptions`'
    if (isPage && has(batch)) return 'is an option of `batchScrape()`'
    if (isPage && has(crawl)) return 'is an option of `crawl()`, where it stands beside `scrapeOptions`'
    if ((isCrawl || isPage) && (has(v1Crawl) || has(v1Page))) {
      const successor = findSuccessor(name, more?.formats)
      return `is of version 1, \`engine.v1.crawl()\`${successor === undefined ? '' : `: ${successor}`}`
    }
    if ((isCrawl || isPage) && Object.hasOwn(engine, name))
      return `is a setting of the engine: \`createEngine({ ${name} })\``
    const foreign =
      isEngine || isCrawl || isPage || known.includes('maxBackoffMs')
        ? findForeignOption(name, !isCrawl && !isPage ? 'engine' : isCrawl || known.includes('urls') ? 'job' : 'page')
        : undefined
    if (foreign !== undefined) return `is ${foreign}`
    return isCrawl || isPage ? findCalls(name, options) : explainBeside(name, known, options)
  }
}
