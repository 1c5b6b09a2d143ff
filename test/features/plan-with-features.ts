import { builtIn } from '../../src/features/create-engine.js'
import { checkScrapeOptions } from '../../src/kernel/options/check.js'
import type { EngineCapabilities } from '../../src/kernel/options/engine-capabilities.js'
import type { ScrapePlan } from '../../src/kernel/plan/scrape-plan.js'
import { planScrape } from '../../src/kernel/plan/scrape/plan-scrape.js'
import { defaults } from '../kernel/plan/plans.js'

/** An engine with the features of trawl, and with all that its requests may ask for. */
export const engine: EngineCapabilities = {
  options: builtIn.options,
  hasMedia: false,
  hasModel: true,
  hasPrice: true,
  findHostFault: () => undefined,
}

/** Defaults of an engine with the features of trawl. */
export const featured = { ...defaults, features: builtIn }

/** Checks and plans the scraping of a page. */
export const plan = (options: unknown): ScrapePlan => planScrape(checkScrapeOptions(options, engine), featured)
