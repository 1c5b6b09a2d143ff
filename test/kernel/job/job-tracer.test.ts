import { expect, it } from 'vitest'
import { createEngine, TrawlError } from '../../../src/index.js'
import { type AttemptOptions, attemptRow } from '../../../src/kernel/job/attempt/attempt-row.js'
import { JobTracer } from '../../../src/kernel/job/lifecycle/job-tracer.js'
import type { LedgerRow } from '../../../src/kernel/ledger/ledger.js'
import { htmlPage } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { collectSpans } from '../../base/tracing/collect-spans.js'

it('looks at no row that was refused when nobody listens', async () => {
  const tracer = new JobTracer({ jobId: 'a', kind: 'crawl' }, undefined)
  let looks = 0
  const row = {
    key: 'https://a.com/',
    url: 'https://a.com/',
    get refusal() {
      looks += 1
      return { reason: 'EXCLUDE_PATTERN', message: '' }
    },
  } as unknown as LedgerRow
  tracer.endSkipped([row])
  expect(looks).toBe(0)
  using spans = collectSpans(['ledger'])
  expect(await tracer.write('admit', async () => [row, row])).toHaveLength(2)
  expect(spans.ended.ledger).toMatchObject([{ operation: 'admit', rows: 2, refused: 2 }])
})

it('ends the span of a write before listeners run, and names the error of one that fails', async () => {
  using spans = collectSpans(['ledger'])
  await using site = await startSite({ pages: { '/': htmlPage('Start', '<a href="/a">a</a> <a href="/b">b</a>') } })
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'http' })
  const job = engine.crawl({ url: site.url('/'), excludePaths: ['^/a$'], sitemap: 'skip' })
  const open: number[] = []
  for (const event of ['skipped', 'document', 'failed'] as const) job.on(event, () => void open.push(spans.open.size))
  await job.finished()
  expect(open).toEqual(open.map(() => 0))
  expect(open.length).toBeGreaterThanOrEqual(3)

  const tracer = new JobTracer({ jobId: 'a', kind: 'crawl' }, undefined)
  const before = spans.ended.ledger.length
  const fail = async (): Promise<LedgerRow> => await Promise.reject(new TrawlError('LEDGER_ERROR', 'the disk is full'))
  await expect(tracer.write('end', fail)).rejects.toThrow('the disk is full')
  expect(spans.ended.ledger.slice(before)).toMatchObject([{ operation: 'end', rows: 0, code: 'LEDGER_ERROR' }])
})

it('ends the span of an attempt that throws, whatever it throws', async () => {
  using spans = collectSpans(['attempt'])
  const nameless = Object.assign(new Error('a'), { name: undefined })
  const failing = (thrown: unknown) => ({
    context: { tracer: new JobTracer({ jobId: 'a', kind: 'crawl' }, undefined) },
    strategy: {},
    plan: { fetch: { timeoutMs: 1000 } },
    tools: {
      waitNow() {
        throw thrown
      },
    },
  })
  const row = { key: 'k', url: 'https://a.com/', attempts: [] } as unknown as LedgerRow
  for (const thrown of [new RangeError('a'), nameless, 'text', Object.assign(new Error('a'), { name: 7 })])
    expect((await attemptRow(row, failing(thrown) as unknown as AttemptOptions)).ending).toMatchObject({
      outcome: 'failed',
    })
  expect(spans.ended.attempt.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['failed', 'RangeError'],
    ['failed', 'Error'],
    ['failed', 'Error'],
    ['failed', 'Error'],
  ])
  expect(spans.open.size).toBe(0)
})
