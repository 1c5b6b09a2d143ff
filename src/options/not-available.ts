import { TrawlError } from '../errors.js'
import type { BatchScrapeRequest } from './batch-options.js'
import type { CrawlRequest } from './crawl-options.js'
import type { ScrapeOptions } from './scrape-options.js'

/** For each field of a later feature: whether this value of it asks for the feature. */
type LaterFields<Options> = { readonly [Name in keyof Options]?: (value: NonNullable<Options[Name]>) => boolean }

const whenTrue = (value: unknown): boolean => value === true

/** Page options that this version only checks, by whether a value asks for what it cannot do. */
export const unavailableOptions: LaterFields<ScrapeOptions> = {
  onlyCleanContent: whenTrue,
  redactPII: (redaction) => redaction !== false,
}

/** @throws TrawlError `NOT_AVAILABLE`, naming every field that asks for what this version cannot do yet */
export function refuseUnavailableScrape(options: ScrapeOptions): void {
  refuseAny(findInScrape(options, ''))
}

/** @throws TrawlError `NOT_AVAILABLE`, naming every field that asks for what this version cannot do yet */
export function refuseUnavailableBatch(request: BatchScrapeRequest): void {
  refuseAny(findInScrape(request, ''))
}

/** @throws TrawlError `NOT_AVAILABLE`, naming every field that asks for what this version cannot do yet */
export function refuseUnavailableCrawl(request: CrawlRequest): void {
  refuseAny(request.scrapeOptions ? findInScrape(request.scrapeOptions, 'scrapeOptions.') : [])
}

const findInScrape = (options: ScrapeOptions, within: string): string[] => findUsed(options, unavailableOptions, within)

function findUsed<Options extends object>(options: object, fields: LaterFields<Options>, within: string): string[] {
  const values = new Map<string, unknown>(Object.entries(options))
  return Object.entries(fields as Record<string, (value: unknown) => boolean>)
    .filter(([name, asks]) => values.get(name) !== undefined && asks(values.get(name)))
    .map(([name]) => `\`${within}${name}\``)
}

function refuseAny(fields: readonly string[]): void {
  if (fields.length === 0) return
  throw new TrawlError(
    'NOT_AVAILABLE',
    `This version of trawl cannot do yet what is asked for with ${fields.join(', ')}`,
  )
}
