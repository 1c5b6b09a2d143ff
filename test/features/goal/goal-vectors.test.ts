import { describe, expect, it } from 'vitest'
import { createEngine, type Embed, type Job, type LedgerRow } from '../../../src/index.js'
import { type Site, startSite } from '../../site/site.js'

const goal = 'money back for a yearly subscription'

/** Groups of words of one meaning: each is a number of the vector. */
const MEANINGS = [/money back|refund|reimburs\w+/gi, /yearly|annual|twelve months/gi, /news|weather/gi, /./g]
const embedText = (text: string): number[] =>
  MEANINGS.map((words, at) => (at === 3 ? 0.1 : (text.match(words)?.length ?? 0)))
const embed: Embed = async (texts) => texts.map(embedText)

const page = (title: string, links: Readonly<Record<string, string>> = {}): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${title}.</p><ul>${Object.entries(links)
    .map(([href, name]) => `<li><a href="${href}">${name}</a></li>`)
    .join('\n')}</ul></main>`

const days = Array.from({ length: 12 }, (_day, nth) => [`/n/${nth}`, `Weather of day ${nth}`] as const)
/** A site of which no link has a word of the goal. */
const PAGES = {
  '/': page('Start', { ...Object.fromEntries(days), '/h': 'Reimbursements' }),
  '/h': page('Reimbursements', { '/h/1': 'Weather insurance', '/h/2': 'Annual plans' }),
  '/h/1': page('Weather insurance'),
  '/h/2': page('Annual plans are refunded'),
  ...Object.fromEntries(days.map(([path, name]) => [path, page(name)])),
}

/** The paths of the started rows of a job, in the order in which they were leased. */
async function orderOf(job: Job<unknown>): Promise<string[]> {
  const rows: LedgerRow[] = []
  for await (const row of job.urls()) if (row.order !== undefined) rows.push(row)
  return rows.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ url }) => new URL(url).pathname)
}

async function crawl(site: Site, given: Embed | undefined, maxConcurrency = 1) {
  await using engine = createEngine({
    allowPrivateNetworks: true,
    fetcher: 'http',
    threads: 0,
    ...(given && { embed: given, modelOptions: { maxRetries: 0 } }),
  })
  const job = engine.crawl({ url: site.url('/'), goal, sitemap: 'skip', maxConcurrency })
  const status = await job.finished()
  const row = await job.explain(site.url('/h/2'))
  return { status, order: await orderOf(job), score: row && 'score' in row ? row.score : undefined }
}

describe('a crawl with a `goal`, by an engine with `embed`', () => {
  it('fetches the pages first whose links mean the same in other words', async () => {
    await using site = await startSite({ pages: PAGES })
    const { order, score, status } = await crawl(site, embed)
    expect(order.slice(0, 3)).toEqual(['/', '/h', '/h/2'])
    expect(score?.vector).toBeGreaterThan(0)
    expect(status.completed).toBe(Object.keys(PAGES).length)
    const words = await crawl(site, undefined)
    expect(words.order.indexOf('/h/2')).toBeGreaterThan(2)
    expect(words.score).not.toHaveProperty('vector')
  })

  it('takes a vector for a sign only if it is far above those of other links', async () => {
    const links = Object.fromEntries(Array.from({ length: 240 }, (_link, nth) => [`/m/${nth}`, `Item ${nth}`]))
    await using site = await startSite({ pages: { '/': page('Start', { ...links, '/h': 'Reimbursements' }) } })
    // The cosines of the other texts scatter, and say nothing.
    const cosineOf = (text: string): number =>
      text.startsWith('Reimbursements') ? 0.95 : 0.2 + 0.1 * Math.sin(Number(/\d+/.exec(text)?.[0] ?? 0))
    const towards: Embed = async (texts, { purpose }) =>
      texts.map(purpose === 'query' ? () => [1, 0] : (text) => [cosineOf(text), Math.sqrt(1 - cosineOf(text) ** 2)])
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', threads: 0, embed: towards })
    const job = engine.crawl({ url: site.url('/'), goal, sitemap: 'skip', limit: 1 })
    await job.finished()
    const vectors: number[] = []
    for await (const row of job.urls()) if (row.score?.vector !== undefined) vectors.push(row.score.vector)
    expect(vectors.toSorted((a, b) => b - a).slice(0, 2)).toEqual([1, 0])
  })

  it('asks for few texts at once, each once, and the goal as a query', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_link, nth) => [`/m/${nth}`, `Item ${nth}`]))
    await using site = await startSite({ pages: { '/': page('Start', many) } })
    const calls: { texts: string[]; purpose: string }[] = []
    const note: Embed = async (texts, { purpose }) => {
      calls.push({ texts, purpose })
      return texts.map(embedText)
    }
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', threads: 0, embed: note })
    await engine.crawl({ url: site.url('/'), goal, sitemap: 'skip', limit: 1 }).finished()
    expect(calls[0]).toEqual({ texts: [goal], purpose: 'query' })
    const texts = calls.slice(1).flatMap((call) => call.texts)
    expect(Math.max(...calls.map((call) => call.texts.length))).toBeLessThanOrEqual(64)
    expect(texts).toHaveLength(257)
    expect(new Set(texts).size).toBe(257)
    expect(texts).toContain('Item 7 | m 7')
  })

  it('goes on by words, with a warning, when `embed` fails', async () => {
    await using site = await startSite({ pages: PAGES })
    let calls = 0
    const failing: Embed = async (texts) => {
      calls += 1
      if (calls > 3) throw new Error('the model is gone')
      return texts.map(embedText)
    }
    const { status, order } = await crawl(site, failing)
    expect(status).toMatchObject({ status: 'completed', completed: Object.keys(PAGES).length })
    expect(status.warning).toMatch(/The crawl goes on by the words of the `goal` alone: .*the model is gone/)
    // After five failures in a row.
    expect(calls).toBe(8)
    expect(new Set(order).size).toBe(Object.keys(PAGES).length)
  })

  it('compares later pages by vectors again, with a warning, when `embed` fails for some pages', async () => {
    await using site = await startSite({ pages: PAGES })
    let calls = 0
    const flaky: Embed = async (texts) => {
      calls += 1
      // Of the pages after the first one, every fourth succeeds.
      if (calls > 2 && calls % 4 !== 0) throw new Error(`busy ${calls}`)
      return texts.map(embedText)
    }
    const { status } = await crawl(site, flaky)
    expect(calls).toBe(1 + Object.keys(PAGES).length)
    expect(status.warning).toContain('Some pages are compared by the words of the `goal` alone: ')
    expect(status.warning).not.toContain('The crawl goes on')
    expect(status.warning?.match(/busy/g)).toHaveLength(1)
  })

  it('chooses the same pages in the same order, whatever the latencies are', { timeout: 60_000 }, async () => {
    await using site = await startSite({
      pages: Object.fromEntries(
        Object.entries(PAGES).map(([path, html]) => [
          path,
          ({ response }) => void setTimeout(() => response.end(html), Math.random() * 20),
        ]),
      ),
    })
    const late: Embed = (texts) =>
      new Promise((resolve) => setTimeout(() => resolve(texts.map(embedText)), Math.random() * 20))
    const orders = new Set<string>()
    for (let run = 0; run < 10; run += 1) orders.add((await crawl(site, late, 4)).order.join(' '))
    expect(orders.size).toBe(1)
  })
})
