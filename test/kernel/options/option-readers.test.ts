import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ParseInput } from '../../../src/index.js'
import { batchScrapeSchema } from '../../../src/kernel/options/batch-options.js'
import { crawlSchema } from '../../../src/kernel/options/crawl-options.js'
import { engineConfigSchema } from '../../../src/kernel/options/engine-config.js'
import { parseInputSchema } from '../../../src/kernel/options/parse-input.js'
import { scrapeShape } from '../../../src/kernel/options/scrape-schema.js'
import { v1CrawlSchema } from '../../../src/kernel/options/v1-options.js'
import { planCrawl } from '../../../src/kernel/plan/crawl/plan-crawl.js'
import { planV1Crawl } from '../../../src/kernel/plan/crawl/plan-v1-crawl.js'
import { planBatch } from '../../../src/kernel/plan/plan-batch.js'
import { planEngine } from '../../../src/kernel/plan/plan-engine.js'
import { planInput } from '../../../src/kernel/plan/plan-request.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { defaults } from '../plan/plans.js'
import { ignored, leavesOf } from './ignored-options.js'
import { batch, crawl, engine, page, type Samples, v1, v1Page } from './option-samples.js'
import { isNode, readModules, walk } from '../../architecture/modules.js'

const root = new URL('../../../src', import.meta.url).pathname
const modules = readModules(root)

/**
 * Collects the names of properties that the source reads: `options.name`, `{ name } = options` and `'name' in options`.
 *
 * @param within only files below this folder. @default all but `options/` and `plan/`, which pass options on
 */
function namesRead(within?: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { path, tree } of modules) {
    if (within === undefined ? /^(?:options|plan)\//.test(path) : !path.startsWith(within)) continue
    for (const { type, property, computed, properties } of walk(tree)) {
      if (type === 'MemberExpression' && computed !== true && isNode(property)) names.add(String(property['name']))
      if (type !== 'ObjectPattern' || !Array.isArray(properties)) continue
      for (const { key } of properties.filter(isNode)) if (isNode(key)) names.add(String(key['name'] ?? key['value']))
    }
  }
  return names
}

const url = 'https://example.com/'

describe('every option is read', () => {
  it('of a page', () => {
    expect(Object.keys(page).sort()).toEqual(Object.keys(scrapeShape(z)).sort())
    expect(ignored(page, (change) => planScrape(change, defaults))).toEqual([])
  })

  it('of a batch', () => {
    const names = Object.keys(batchScrapeSchema(z).shape).filter((name) => !(name in page))
    expect(Object.keys(batch).sort()).toEqual(names.sort())
    expect(ignored(batch, (change) => planBatch({ urls: [url], ...change }, defaults))).toEqual(['appendToId'])
    expect(namesRead('kernel/engine/')).toContain('appendToId')
  })

  it('of a crawl', () => {
    expect(Object.keys(crawl).sort()).toEqual(Object.keys(crawlSchema(z).shape).sort())
    expect(ignored(crawl, (change) => planCrawl({ url, ...change }, defaults))).toEqual([])
  })

  it('of a crawl of version 1', () => {
    const { shape } = v1CrawlSchema(z)
    expect(Object.keys(v1).sort()).toEqual(Object.keys(shape).sort())
    expect(Object.keys(v1Page).sort()).toEqual(Object.keys(shape.scrapeOptions.unwrap().shape).sort())
    expect(ignored(v1, (change) => planV1Crawl({ url, ...change }, defaults))).toEqual([])
    expect(ignored(v1Page, (change) => planV1Crawl({ url, scrapeOptions: change }, defaults))).toEqual([])
  })

  it('of input that is parsed', () => {
    const input: Samples<ParseInput> = { body: 'other', url: 'https://example.org/', contentType: 'text/plain' }
    expect(Object.keys(input).sort()).toEqual(Object.keys(parseInputSchema(z).shape).sort())
    const plan = (change: object): unknown => {
      const { body, ...others } = planInput({ body: '', url, ...change }, {}, 0)
      return { ...others, text: new TextDecoder().decode(body) }
    }
    expect(ignored(input, plan)).toEqual([])
  })

  it('of an engine', () => {
    expect(Object.keys(engine).sort()).toEqual(Object.keys(engineConfigSchema(z).shape).sort())
    const made = planEngine({})
    // What an engine creates is a new object each time.
    const own = { cache: made.cache, ledger: made.ledger, snapshots: made.snapshots }
    const plan = (change: object): unknown => {
      const { cache, ledger, snapshots, ...others } = planEngine(change)
      const given = Object.values(change)
      const takes = (part: unknown, name: keyof typeof own): unknown => (given.includes(part) ? part : own[name])
      return {
        ...others,
        cache: takes(cache, 'cache'),
        ledger: takes(ledger, 'ledger'),
        snapshots: takes(snapshots, 'snapshots'),
      }
    }
    expect(ignored(engine, plan)).toEqual([])
  })
})

/** Fields of plans that other fields of the plan are computed from. */
const READ_IN_PLAN = ['contextTokens', 'identity']
/** Fields that only a feature which renders pages reads: its own tests look for them. */
const READ_BY_RENDERER = ['timeZone', 'maxRows']

describe('every field of a plan is read by the part that it is for', () => {
  /** Names that the caller or a plug-in chooses. */
  const FOREIGN = /\/(?:headers|metadata|schema|byCountry)\//

  it.each([
    [
      'page',
      planScrape(
        { ...page, formats: ['markdown', 'html'], lockdown: false },
        { ...defaults, keepsSnapshots: true },
        true,
      ),
    ],
    ['crawl', planCrawl({ ...crawl, scrapeOptions: {} }, defaults)],
    ['batch', planBatch(batch, defaults)],
    ['configuration', planEngine(engine)],
  ])('of a %s', (_, plan) => {
    const read = namesRead()
    const names = [...leavesOf(plan).keys()]
      .filter((path) => !FOREIGN.test(`${path}/`))
      .flatMap((path) => path.split('/'))
    const fields = new Set(names.filter((name) => /^[a-z]\w+$/i.test(name)))
    expect(
      [...fields].filter((name) => !read.has(name) && ![...READ_IN_PLAN, ...READ_BY_RENDERER].includes(name)),
    ).toEqual([])
    expect([...namesRead('kernel/plan/')]).toEqual(expect.arrayContaining(READ_IN_PLAN))
  })
})
