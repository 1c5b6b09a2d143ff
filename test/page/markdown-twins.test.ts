import { describe, expect, it } from 'vitest'
import { memoryCache } from '../../src/index.js'
import { compareTwin, type TwinPair } from '../../src/page/twin-text/compare-twin.js'
import { findTwinLink } from '../../src/page/twin-text/find-twin-link.js'
import { readMarkdownFacts } from '../../src/page/twin-text/markdown-facts.js'
import { TwinMemory } from '../../src/page/twins/twin-memory.js'
import { useEngineSite } from '../site/engine-site.js'
import { createTwinSite, type TwinSite } from './twin-sites.js'

const on = useEngineSite()

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const PAGE = 'https://docs.example/guide'

const compare = (markdown: string, twin: string, about: Partial<TwinPair> = {}) =>
  compareTwin({ url: `${PAGE}.md`, pageUrl: PAGE, body: bytes(twin), markdown, about: [], ...about })

const kinds: readonly (readonly [TwinSite['kind'], TwinSite['way']])[] = [
  ['good', 'link'],
  ['good', 'accept'],
  ['good', 'beside'],
  ['good', 'llms.txt'],
  ['stale', 'link'],
  ['stale', 'accept'],
  ['stale', 'beside'],
  ['marketing', 'link'],
  ['marketing', 'beside'],
  ['marketing', 'llms.txt'],
]

describe('with `markdownTwins`, ten sites of documentation', () => {
  it.each(kinds.map(([kind, way], number) => ({ kind, way, number })))(
    'have no page that is worse than converted: $number, $kind twins by $way',
    async ({ kind, way, number }) => {
      const docs = createTwinSite(number, kind, way)
      await on.open(docs.pages)
      const urls = docs.paths.map((path) => on.site.url(path))
      const plain = await on.engine.batchScrape({ urls }).finished()
      const converted = new Map(plain.data.map(({ metadata, markdown }) => [metadata.url, markdown]))
      const { data } = await on.engine.batchScrape({ urls, markdownTwins: true }).finished()
      expect(data).toHaveLength(docs.paths.length)
      for (const { metadata, markdown = '' } of data) {
        const path = new URL(metadata.url).pathname
        const { code } = readMarkdownFacts(markdown, metadata.url)
        expect(code.map(({ text }) => text)).toEqual(docs.codeOf(path))
        expect(metadata.markdownSource).toBe(kind === 'good' ? way : 'page')
        expect(metadata.creditsUsed).toBe(1)
        if (kind === 'good') expect(metadata.markdownUrl).toContain(on.site.url('/'))
        else expect(markdown).toBe(converted.get(metadata.url))
        const own = converted.get(metadata.url) ?? ''
        const verdict = compare(own, markdown, { url: metadata.url, pageUrl: metadata.url })
        expect(verdict).toHaveProperty('markdown')
      }
    },
  )
})

describe('`markdownTwins`', () => {
  it('asks in all ways on the first pages of a site, and later once', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    await on.open(docs.pages)
    const requested: number[] = []
    for (const path of docs.paths) {
      const before = on.site.requests.length
      await on.engine.scrape(on.site.url(path), { markdownTwins: true })
      requested.push(on.site.requests.length - before)
    }
    expect(requested).toEqual([3, 2, 2, 2, 2, 2])
  })

  it('asks no more where the first three pages have no twin', async () => {
    const docs = createTwinSite(0, 'stale', 'accept')
    await on.open(docs.pages)
    const requested: number[] = []
    for (const path of docs.paths) {
      const before = on.site.requests.length
      await on.engine.scrape(on.site.url(path), { markdownTwins: true })
      requested.push(on.site.requests.length - before)
    }
    expect(requested.slice(3)).toEqual([1, 1, 1])
  })

  it('obeys robots.txt', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    const rules = 'User-agent: *\nDisallow: /*.md\n'
    await on.open({ ...docs.pages, '/robots.txt': rules })
    const { data } = await on.engine
      .crawl({ url: on.site.url(path), limit: 1, scrapeOptions: { markdownTwins: true } })
      .finished()
    expect(data[0]?.metadata.markdownSource).toBe('page')
    expect(on.site.requests.map((request) => request.path)).not.toContain(`${path}.md`)
  })

  it('is an option of the pages of a crawl', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages)
    const [path = ''] = docs.paths
    const { data } = await on.engine
      .crawl({ url: on.site.url(path), crawlEntireDomain: true, scrapeOptions: { markdownTwins: true } })
      .finished()
    expect(data).toHaveLength(docs.paths.length)
    for (const { metadata, markdown = '' } of data) {
      expect(metadata.markdownSource).toBe('link')
      const { code } = readMarkdownFacts(markdown, metadata.url)
      expect(code.map(({ text }) => text)).toEqual(docs.codeOf(new URL(metadata.url).pathname))
    }
  })

  it('takes no twin whose headers deny the use', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    const pages = {
      ...docs.pages,
      [`${path}.md`]: (exchange: Parameters<NonNullable<(typeof docs.pages)[string]>>[0]) => {
        exchange.response.setHeader('x-robots-tag', 'noai')
        docs.pages[`${path}.md`]?.(exchange)
      },
    }
    await on.open(pages)
    const options = { markdownTwins: true, use: ['ai-train'] } as const
    expect((await on.engine.scrape(on.site.url(path), options)).metadata.markdownSource).toBe('page')
    const asked = { markdownTwins: true, use: ['search'] } as const
    expect((await on.engine.scrape(on.site.url(path), asked)).metadata.markdownSource).toBe('beside')
  })

  it('keeps the twin and the page apart in the cache', async () => {
    const docs = createTwinSite(0, 'good', 'accept')
    await on.open(docs.pages, { cache: memoryCache() })
    const [path = ''] = docs.paths
    const url = on.site.url(path)
    const first = await on.engine.scrape(url, { markdownTwins: true })
    expect(on.site.requests).toHaveLength(2)
    const again = await on.engine.scrape(url, { markdownTwins: true, formats: ['markdown', 'rawHtml'] })
    expect(on.site.requests).toHaveLength(2)
    expect(again.markdown).toBe(first.markdown)
    expect(again.rawHtml).toContain('<!doctype html>')
  })

  it('gives the page as converted when the twin takes too long', async () => {
    const docs = createTwinSite(0, 'good', 'beside')
    const [path = ''] = docs.paths
    await on.open({ ...docs.pages, [`${path}.md`]: () => undefined })
    const { metadata, markdown } = await on.engine.scrape(on.site.url(path), { markdownTwins: true, timeout: 3000 })
    expect(metadata.markdownSource).toBe('page')
    expect(markdown).toContain('tar')
  })

  it('counts its requests in the budget of a job', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages)
    const urls = docs.paths.map((path) => on.site.url(path))
    const job = on.engine.batchScrape({ urls, markdownTwins: true, maxConcurrency: 1, budget: { requests: 6 } })
    const { data } = await job.finished()
    expect(data.length).toBeLessThan(6)
    expect(on.site.requests.length).toBeLessThanOrEqual(7)
  })

  it('compares in a worker thread', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages, { threads: 1 })
    const [path = ''] = docs.paths
    expect((await on.engine.scrape(on.site.url(path), { markdownTwins: true })).metadata.markdownSource).toBe('link')
  })

  it('sends nothing more without it, or where no Markdown is wanted', async () => {
    const docs = createTwinSite(0, 'good', 'link')
    await on.open(docs.pages)
    const [path = ''] = docs.paths
    expect((await on.engine.scrape(on.site.url(path))).metadata).not.toHaveProperty('markdownSource')
    await on.engine.scrape(on.site.url(path), { formats: ['links'], markdownTwins: true })
    expect(on.site.requests.map((request) => request.path)).toEqual([path])
  })
})

describe('a twin', () => {
  const text = '# Lamps\n\nThe lamp is on. See [the guide](https://docs.example/a).'

  it('agrees when it differs in its markup only', () => {
    const twin = '---\ntitle: x\n---\n# Lamps\n\nThe lamp\nis on. See [the guide](./a.md).'
    expect(compare(text, twin)).toEqual({
      markdown: '# Lamps\n\nThe lamp\nis on. See [the guide](https://docs.example/a.md).',
    })
  })

  it.each([
    ['has other words', '# Lamps\n\nThe lamp is off. See [the guide](/a).', 'It has other words: "the lamp is off'],
    ['has fewer words', '# Lamps\n\nSee [the guide](/a).', 'It has other words: "lamps see'],
    ['has no heading', 'Lamps\n\nThe lamp is on. See [the guide](/a).', 'less markup than the page: headings'],
    ['has another link', '# Lamps\n\nThe lamp is on. See [the guide](/b).', 'lacks a link'],
    ['has more code', `${text}\n\n\`\`\`\n1\n\`\`\``, '1 code blocks'],
    ['has code without an end', `${text}\n\`\`\``, 'without an end'],
    ['is empty', '---\ntitle: x\n---\n', 'empty'],
  ])('does not agree when it %s', (_, twin, difference) => {
    expect(compare(text, twin)).toEqual({ difference: expect.stringContaining(difference) as string })
  })

  it('may begin with the title and the description of the page', () => {
    const twin = `# All about lamps\n\n> How lamps are kept.\n\n${text}`
    expect(compare(text, twin, { about: ['All about lamps', 'How lamps are kept.'] })).toHaveProperty('markdown')
    expect(compare(text, twin, { about: ['How lamps are kept.'] })).toHaveProperty('difference')
  })

  it('has the words in the same order', () => {
    const table = (first: string, second: string) =>
      `| a | b |\n| - | - |\n| ${first} | ${second} |\n| ${second} | ${first} |`
    expect(compare(table('1', '2'), table('1', '2'))).toHaveProperty('markdown')
    expect(compare(table('1', '2'), table('2', '1'))).toHaveProperty('difference')
  })

  it('has its code exactly', () => {
    const code = (line: string) => `- Do\n\n  \`\`\`py\n  ${line}\n  \`\`\``
    expect(compare(code('  a = 1'), code('  a = 1'))).toHaveProperty('markdown')
    expect(compare(code('  a = 1'), code(' a = 1'))).toEqual({
      difference: 'Its code block 1 is not that of the page.',
    })
    const unnamed = code('a').replace('py', '')
    expect(compare(code('a'), unnamed)).toHaveProperty('difference')
  })

  it('may lack short links at the edges of the page', () => {
    expect(compare(`[Back](/x)\n\n${text}\n\n[Edit this page](/edit)`, text)).toHaveProperty('markdown')
    expect(compare(`${text}\n\nDeprecated.`, text)).toHaveProperty('difference')
  })

  it('with relative links beside code that cannot be told from them is not taken', () => {
    expect(compare('See ``a`b`` and [a](https://docs.example/x)', 'See ``a`b`` and [a](x)')).toHaveProperty(
      'difference',
    )
    const inline = compare('Call `a[0](b)`, see [a](https://docs.example/x)', 'Call `a[0](b)`, see [a](x)')
    expect(inline).toEqual({ markdown: 'Call `a[0](b)`, see [a](https://docs.example/x)' })
  })
})

it('the link to a twin is read from its tag', () => {
  const link = (tag: string) =>
    findTwinLink({ url: PAGE, body: bytes(`<head><title>text/markdown</title>${tag}</head>`) })
  expect(link('<link href="a.md?b&amp;c" type="text/markdown" rel="alternate nofollow">')).toBe(
    'https://docs.example/a.md?b&c',
  )
  expect(link('<LINK rel=alternate type=text/markdown href=/a.md>')).toBe('https://docs.example/a.md')
  expect(link('<link rel="stylesheet" type="text/markdown" href="/a.md">')).toBeUndefined()
  expect(link('<link rel="alternate" type="text/markdown" href="javascript:a">')).toBeUndefined()
})

it('a way that fails three times is given up, and all ways are tried on every fiftieth page', () => {
  const memory = new TwinMemory()
  const choose = () => memory.chooseWays('https://docs.example').length
  choose()
  memory.record('https://docs.example', 'beside')
  expect([choose(), choose()]).toEqual([1, 1])
  for (let times = 0; times < 3; times++) memory.record('https://docs.example', undefined)
  expect(Array.from({ length: 47 }, choose).filter(Boolean)).toEqual([5])
})
