import { describe, expect, it } from 'vitest'
import { OrderPacker, OrderReader } from '../../../src/features/machines/pages/page-order.js'
import {
  type PageAnswer,
  packMessage,
  type ScrapeOrder,
  unpackAnswer,
} from '../../../src/features/machines/pages/page-task.js'
import type { ScrapePlan } from '../../../src/kernel/plan/scrape-plan.js'

const use = { requests: 1, bytes: 1, browserMs: 0, gained: [], isPlain: true }
const answerOf = (markdown: string): PageAnswer => ({
  kind: 'page',
  page: {
    document: {
      markdown,
      metadata: {
        scrapeId: '1',
        sourceURL: 'https://a.test/',
        url: 'https://a.test/',
        statusCode: 200,
        proxyUsed: 'basic',
        creditsUsed: 1,
      },
    },
    links: [],
    fetcher: 'http',
    fetcherReason: undefined,
    blockedBy: undefined,
    fingerprint: undefined,
    found: undefined,
    rawBytes: 1,
    linkHeader: undefined,
    siteResponse: undefined,
    fetchedAtMs: 1,
    version: undefined,
  },
  use,
})

describe('a message between engines', () => {
  it('arrives as it was', async () => {
    const answer = answerOf('x'.repeat(100_000))
    expect(await unpackAnswer(await packMessage(answer))).toEqual(answer)
  })

  it('has the body of a page that was read in memory of its own', async () => {
    const body = new TextEncoder().encode('<p>Text</p>')
    const page = {
      url: 'https://a.test/',
      redirects: [],
      statusCode: 200,
      headers: {},
      body,
      fetcher: 'http',
      fetchedAtMs: 1,
    }
    const digest = { fields: { markdown: 'x'.repeat(100_000) }, metadata: {}, links: [], warnings: [] }
    const reading = { page, cached: { page, state: 'hit' as const }, digest, warnings: [], spentMs: 5 }
    const got = await unpackAnswer(await packMessage({ kind: 'read', reading, use } satisfies PageAnswer))
    expect(got).toEqual({ kind: 'read', reading: { ...reading, page: { ...page, body } }, use })
    const read = got.kind === 'read' ? got.reading : undefined
    expect(read?.page.body.buffer.byteLength).toBe(body.length)
    expect(read?.cached.page).toBe(read?.page)
  })

  it('arrives as it was in the thread pool when it has more than can be unpacked at once', async () => {
    const answer = answerOf('x'.repeat(1_000_000))
    expect(await unpackAnswer(await packMessage(answer))).toEqual(answer)
  })

  it('is refused when it is large, however well it is compressed', async () => {
    await expect(packMessage(answerOf('x'.repeat(33 * 1024 * 1024)))).rejects.toThrow(RangeError)
  })
})

describe('an order to scrape a page', () => {
  const digest = { formats: [{ type: 'markdown' }], includeTags: ['main'] }
  const base = { fetch: { timeoutMs: 5, pattern: /a+/i }, cache: {}, digest } as unknown as ScrapePlan
  const changed = { formats: [] }
  const learnt = [{ reason: 'repeats', hashes: new Float64Array([1, -2]) }]
  const drop = { feature: 'shorten', learnt }
  const orderOf = (url: string, plan: ScrapePlan): ScrapeOrder => ({
    kind: 'scrape',
    url,
    sourceURL: url,
    plan,
    lastSeen: { bodyHash: 'a' },
    wantsVersion: true,
  })

  it('arrives as it was, with the plan and the learnt facts of its own page', async () => {
    const [packer, reader] = [new OrderPacker(), new OrderReader()]
    const plans: ScrapePlan[] = [
      base,
      { ...base, digest: { ...base.digest, drop: { ...drop, learnt: [] } } },
      { ...base, digest: { ...base.digest, drop } },
      { ...base, digest: { ...base.digest, ...changed, drop } },
      { ...base, fetch: { ...base.fetch, timeoutMs: 6 } },
      { ...base, digest: { ...base.digest, track: { diff: true, previous: '# Before' } } },
      { ...base, digest: { ...base.digest, drop, track: { diff: false } } },
      base,
    ]
    for (const [at, plan] of plans.entries()) {
      const order = orderOf(`https://a.test/${at}`, plan)
      expect(await reader.read(await packer.pack(order))).toStrictEqual(order)
    }
  })

  it('has the same text for its plan as those of other pages, which is unpacked once', async () => {
    const [packer, reader] = [new OrderPacker(), new OrderReader()]
    const read = async (url: string): Promise<ScrapePlan | undefined> => {
      const order = await reader.read(await packer.pack(orderOf(url, { ...base, digest: { ...base.digest, drop } })))
      return order.kind === 'scrape' ? order.plan : undefined
    }
    const [one, other] = [await read('https://a.test/1'), await read('https://a.test/2')]
    expect(one?.fetch).toBe(other?.fetch)
    expect(one?.digest.drop?.learnt[0]).toBe(other?.digest.drop?.learnt[0])
  })

  it('is read with the other kind of order, to convert a page again', async () => {
    const order = { kind: 'convert', scrapeId: '1', drop } as const
    expect(await new OrderReader().read(await packMessage(order))).toEqual(order)
  })
})
