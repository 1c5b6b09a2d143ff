import { describe, expect, it } from 'vitest'
import { type Member, readDeclarations } from '../../../build/docs/declarations.js'
import { batchDefaults } from '../../../src/kernel/options/batch-options.js'
import { crawlDefaults } from '../../../src/kernel/options/crawl-options.js'
import { engineDefaults } from '../../../src/kernel/options/engine-config.js'
import { DEFAULT_COUNTRY } from '../../../src/kernel/options/fields/location.js'
import { jobDefaults } from '../../../src/kernel/options/job-options.js'
import { mapDefaults } from '../../../src/features/survey/map-options.js'
import { scrapeDefaults } from '../../../src/kernel/options/scrape-options.js'
import { v1CrawlDefaults, v1ScrapeDefaults } from '../../../src/kernel/options/v1-options.js'

const declarations = readDeclarations(new URL('../../../src', import.meta.url).pathname)
const { limits, modelOptions, retry, proxies, ...engine } = engineDefaults

const literal = (value: unknown): string => {
  if (value === Infinity) return 'no limit'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : String(value)
}

describe('the default in a doc comment', () => {
  it.each<[string, object]>([
    ['ScrapeOptions', scrapeDefaults],
    ['Location', { country: DEFAULT_COUNTRY }],
    ['BatchScrapeRequest', { ...jobDefaults, ...batchDefaults }],
    ['CrawlRequest', { ...jobDefaults, ...crawlDefaults }],
    ['MapRequest', mapDefaults],
    ['V1CrawlRequest', v1CrawlDefaults],
    ['V1ScrapeOptions', v1ScrapeDefaults],
    ['EngineConfig', engine],
    ['FetchLimits', limits],
    ['ModelSettings', modelOptions],
    ['RetrySettings', retry],
    ['ProxiesConfig', proxies],
  ])('of %s is the default that is used', (type, defaults) => {
    const declaration = declarations.find(type)
    const members = declaration ? declarations.membersOf(declaration) : new Map<string, Member>()
    const wrong = Object.entries(defaults).flatMap(([name, value]) => {
      const stated = members.get(name)?.doc.fallback ?? 'nothing'
      const [expected, rest] = [literal(value), stated.slice(literal(value).length)]
      return stated.startsWith(expected) && /^(?:$|[\s,;])/.test(rest) ? [] : `${name}: ${stated}, not ${expected}`
    })
    expect(wrong).toEqual([])
  })
})
