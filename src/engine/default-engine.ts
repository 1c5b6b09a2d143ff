import { createEngine } from './create-engine.js'
import type { Engine } from './engine-surface.js'

let engine: Engine | undefined
const defaultEngine = (): Engine => (engine ??= createEngine())

/** As {@link Engine.batchScrape}, on an engine with every default that is made on the first call and never closed. */
export const batchScrape: Engine['batchScrape'] = (request, call) => defaultEngine().batchScrape(request, call)

/** As {@link Engine.crawl}, on the engine that {@link batchScrape} uses. */
export const crawl: Engine['crawl'] = (request, call) => defaultEngine().crawl(request, call)

/** As {@link Engine.scrape}, on the engine that {@link batchScrape} uses. */
export const scrape: Engine['scrape'] = (url, options, call) => defaultEngine().scrape(url, options, call)
