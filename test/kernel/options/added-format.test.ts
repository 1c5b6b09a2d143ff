import { describe, expect, test, vi } from 'vitest'
import type * as convertFormats from '../../../src/content/convert/formats/index.js'
import { dropsRepeats, promptTypes } from '../../../src/content/convert/convert.js'
import type { Format } from '../../../src/content/convert/format.js'
import { digest } from '../../../src/content/digest/digest.js'
import type { EnrichFormat } from '../../../src/kernel/enrich/format.js'
import { FeatureSet } from '../../../src/kernel/engine/feature-set.js'
import { checkCrawl, checkScrapeOptions, checkV1Crawl } from '../../../src/kernel/options/check.js'
import type { FormatItem } from '../../../src/kernel/options/fields/formats.js'
import { planV1Crawl } from '../../../src/kernel/plan/crawl/plan-v1-crawl.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import type { EngineCapabilities } from '../../../src/kernel/options/engine-capabilities.js'
import { defaults as plain } from '../plan/plans.js'
import { issuesOf } from './issues-of.js'

// The registry is the real one with one line more.
vi.mock('../../../src/content/convert/formats/index.js', async (load) => ({
  ...(await load<typeof convertFormats>()),
  shout: {
    type: 'shout',
    showsContent: true,
    dropsRepeats: true,
    isForPrompt: true,
    versionOne: { loud: {} },
    options: (z) => ({ selector: z.string().optional() }),
    selectorsIn: ({ selector }) => (selector === undefined ? [] : [{ path: ['selector'], selector }]),
    outline: { readsContent: false, convert: ({ text }) => ({ shout: `outline: ${text.toUpperCase()}` }) },
    convert: ({ page }) => ({ shout: `tree: ${page.text.toUpperCase()}` }),
  } satisfies Format<{ type: 'shout'; selector?: string | undefined }, { shout: string }, 'loud'>,
}))
const tally = {
  type: 'tally',
  traits: ['once', 'raw'],
  versionOne: { tally: {}, 'tally@all': { all: true } },
  options: (z) => ({ all: z.boolean().optional() }),
  excludes: { images: 'both count' },
  findFaults: ({ all }) => (all === false ? [{ name: 'all', message: 'says nothing' }] : []),
  needs: {
    lists: ({ all = false }) => ({ isWhole: all, isEach: true, most: 7 }),
    snapshot: () => ({ tag: 'tallies', diff: true, texts: true }),
  },
  produce: async () => ({ fields: {} }),
} satisfies EnrichFormat<{ type: 'tally'; all?: boolean | undefined }, { tally?: number }, 'tally' | 'tally@all'>

const features = new FeatureSet([{ name: 'counting', formats: [tally] }])
const engine: EngineCapabilities = {
  options: features.options,
  hasMedia: false,
  hasModel: false,
  hasPrice: false,
  findHostFault: () => undefined,
}
const defaults = { ...plain, features }

const ask = (...formats: unknown[]) => ({ formats: formats as FormatItem[] })
const issues = (...formats: unknown[]) => issuesOf(() => checkScrapeOptions({ formats }, engine))
const url = 'https://example.com'

describe('a format that is added by its file and one line, or by a feature', () => {
  test('is accepted, and its options and selectors are checked', () => {
    expect(issues('shout', { type: 'shout' })).toEqual({})
    expect(issues({ type: 'shout', selector: 'a[' })['formats.0.selector']).toContain('is not a CSS selector')
    expect(issues({ type: 'shout', volume: 11 })['formats.0']).toContain('unknown option "volume"')
  })

  test('is planned as one that shows the content, and from which blocks that repeat are dropped', () => {
    const { digest: plan, enrich } = planScrape(ask('shout'), defaults)
    expect(plan.convert.formats).toEqual([{ type: 'shout' }])
    expect(plan.extract.fidelity).not.toBe(false)
    expect(enrich.formats).toEqual([])
    expect(plan.convert.formats.some(dropsRepeats)).toBe(true)
    expect(planScrape(ask('links'), defaults).digest.convert.formats.some(dropsRepeats)).toBe(false)
  })

  test('is made, with a tree and without one', () => {
    const body = Buffer.from('<title>a</title><p>hello there</p>')
    const made = (options: object) => {
      const plan = planScrape({ ...ask('shout'), onlyMainContent: false, ...options }, defaults).digest
      const extract = { ...plan.extract, fidelity: false }
      return digest({ url, body, mediaType: 'text/html' }, { ...plan, extract }).fields
    }
    expect(made({})).toMatchObject({ shout: 'outline: <TITLE>A</TITLE><P>HELLO THERE</P>' })
    expect(made({ includeTags: ['p'] })).toMatchObject({ shout: expect.stringMatching(/^outline: .*HELLO/) })
    expect(made(ask('shout', 'markdown'))).toMatchObject({ shout: expect.stringMatching(/^tree: /) })
  })

  test('may be asked for by the prompt of a crawl', () => {
    expect(promptTypes).toEqual(['html', 'images', 'links', 'markdown', 'rawHtml', 'shout'])
  })

  test('has its names in version 1', () => {
    const request = checkV1Crawl({ url, scrapeOptions: { formats: ['loud', 'tally@all', 'markdown'] } }, engine)
    const { page } = planV1Crawl(request, defaults)
    expect(page.digest.convert.formats).toEqual([{ type: 'shout' }, { type: 'markdown' }])
    expect(page.enrich.formats).toEqual([{ type: 'tally', all: true }])
    expect(issuesOf(() => checkV1Crawl({ url, scrapeOptions: { formats: ['shout'] } }, engine))).toEqual({
      'scrapeOptions.formats.0': expect.stringContaining('"shout" is not known'),
    })
    const formats = ['tally', 'tally@all', 'markdown']
    expect(issuesOf(() => checkV1Crawl({ url, scrapeOptions: { formats } }, engine))).toEqual({
      'scrapeOptions.formats': '`tally` and `tally@all` cannot be combined',
    })
  })

  test('gets the lists and the comparison that it needs', () => {
    const { digest: plan, snapshot } = planScrape(ask('markdown', { type: 'tally', all: true }), defaults)
    expect(plan.extract.list).toEqual({ all: true, most: 7 })
    expect(snapshot).toEqual({ tag: 'tallies', compares: true, diff: true, pieces: defaults.partTokens })
    expect(plan.parse.asBase64).toBe('all')
  })

  test('is refused where it says so', () => {
    expect(issues('tally')).toEqual({ 'formats.0': '`tally` compares Markdown: ask for `markdown` as well' })
    expect(issues('tally', 'images', 'markdown')).toEqual({
      'formats.0': 'cannot be combined with `images`: both count',
    })
    expect(issues('markdown', 'tally', 'tally')).toEqual({
      'formats.2': '`tally` is given twice, and a document has only one',
    })
    expect(issues('markdown', { type: 'tally', all: false })).toEqual({ 'formats.1.all': 'says nothing' })
    const scrapeOptions = ask('markdown', 'tally')
    expect(issuesOf(() => checkCrawl({ url, zeroDataRetention: true, scrapeOptions }, engine))).toEqual({
      'scrapeOptions.formats.1': '`tally` compares with a stored snapshot: with `zeroDataRetention` nothing is stored',
    })
  })
})
