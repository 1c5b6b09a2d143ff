import { TrawlError } from '../../base/errors.js'
import type { ScrapeOptions } from './scrape-options.js'

/** Tests for the page options that this version checks and does not implement: true for a value that needs it. */
export const unavailableOptions: {
  readonly [Name in keyof ScrapeOptions]?: (value: NonNullable<ScrapeOptions[Name]>) => boolean
} = {
  onlyCleanContent: (isOn) => isOn,
}

/**
 * Refuses page options that this version does not implement.
 *
 * @param prefix of the names in the message, such as `scrapeOptions.`
 * @throws TrawlError `NOT_AVAILABLE`, naming all of them
 */
export function refuseUnavailable(options: ScrapeOptions, prefix = ''): void {
  const values = new Map<string, unknown>(Object.entries(options))
  const refused = Object.entries(unavailableOptions as Readonly<Record<string, (value: unknown) => boolean>>)
    .filter(([name, isNeeded]) => values.get(name) !== undefined && isNeeded(values.get(name)))
    .map(([name]) => `\`${prefix}${name}\``)
  if (refused.length === 0) return
  throw new TrawlError('NOT_AVAILABLE', `This version of trawl does not implement ${refused.join(', ')}`)
}
