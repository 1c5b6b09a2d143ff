import { z } from 'zod'
import { ownValue } from '../../base/collections/own-value.js'
import { engineDefinitions } from './engine-config.js'
import { findForeignOption } from '../../base/issues/foreign-options.js'
import { batchScrapeSchema } from './batch-options.js'
import { crawlSchema } from './crawl-options.js'
import type { FormatSet } from './format-set.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from './option-definition.js'
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

/** Creates an {@link ExplainMisplaced} that knows the options of all requests, from their schemas. */
export function createMisplacedExplainer(more?: FeatureOptions): ExplainMisplaced {
  const { formats } = more ?? NO_FEATURE_OPTIONS
  const page = scrapeShape(z, more)
  const { shape: batch } = batchScrapeSchema(z, more)
  const { shape: crawl } = crawlSchema(z, more)
  const { shape: v1Crawl } = v1CrawlSchema(z, more)
  const v1Page = v1Crawl.scrapeOptions.unwrap().shape
  return (name, known) => {
    const [isCrawl, isPage] = [known.includes('scrapeOptions'), known.includes('formats')]
    const isV1 = known.includes('maxDepth') || known.includes('parsePDF')
    if (name === 'signal' && (isCrawl || isPage)) return 'belongs in the last argument of the call'
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
    const isSetting = Object.hasOwn(engineDefinitions, name) || Object.hasOwn(more?.engine ?? {}, name)
    if ((isCrawl || isPage) && isSetting) return `is a setting of the engine: \`createEngine({ ${name} })\``
    const foreign =
      isEngine || isCrawl || isPage || known.includes('maxBackoffMs')
        ? findForeignOption(name, !isCrawl && !isPage ? 'engine' : isCrawl || known.includes('urls') ? 'job' : 'page')
        : undefined
    return foreign && `is ${foreign}`
  }
}
