import { createEngine } from './create-engine.js'
import type { Engine } from '../kernel/engine/engine-surface.js'

let engine: Engine | undefined
const defaultEngine = (): Engine => (engine ??= createEngine())

/** Calls {@link Engine.batchScrape} of a default engine, which is created on the first call and never closed. */
export const batchScrape: Engine['batchScrape'] = (request, call) => defaultEngine().batchScrape(request, call)

/** Calls {@link Engine.crawl} of the default engine. */
export const crawl: Engine['crawl'] = (request, call) => defaultEngine().crawl(request, call)

/** Calls {@link Engine.scrape} of the default engine. */
export const scrape: Engine['scrape'] = (url, options, call) => defaultEngine().scrape(url, options, call)
