import { tracingChannel } from 'node:diagnostics_channel'
import { context, diag, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { startTelemetry, type TelemetryOptions } from '../../../src/features/opentelemetry/start-telemetry.js'
import { startSite } from '../../site/site.js'
import { SECRET, tracedCrawls } from '../../base/tracing/traced-crawls.js'

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())

/** An SDK that keeps everything in memory, with telemetry that writes to it. */
function startInMemory(options: TelemetryOptions = {}) {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 2 ** 30 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const telemetry = startTelemetry({ tracerProvider, meterProvider, ...options })
  return {
    telemetry,
    tracer: tracerProvider.getTracer('test'),
    spans: () => exporter.getFinishedSpans(),
    /** The sum of a metric: of a histogram, of its values. */
    async sum(name: string, attributes: Record<string, unknown> = {}): Promise<number> {
      metricExporter.reset()
      await reader.forceFlush()
      const metrics = metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics))
      const points = metrics.filter(({ descriptor }) => descriptor.name === name).flatMap((one) => [...one.dataPoints])
      return points
        .filter((point) => Object.entries(attributes).every(([key, value]) => point.attributes[key] === value))
        .reduce((sum, { value }) => sum + (typeof value === 'number' ? value : (value.sum ?? 0)), 0)
    },
    [Symbol.dispose]: () => telemetry.stop(),
  }
}

const named = (spans: readonly ReadableSpan[], name: RegExp): ReadableSpan[] =>
  spans.filter((span) => name.test(span.name))
const sumOf = (spans: readonly ReadableSpan[], key: string): number =>
  spans.reduce((sum, { attributes }) => sum + Number(attributes[key] ?? 0), 0)

describe.each(tracedCrawls)('$name', ({ run }) => {
  it('has spans and metrics whose sums are the counters of the job', async () => {
    using memory = startInMemory()
    await run(async (job) => {
      const { completed, failed, skipped, creditsUsed, used } = await job.status()
      const all = memory.spans()
      // A job that is cancelled after it has stopped has two spans.
      const roots = all.filter(({ attributes }) => attributes['trawl.job.id'] === job.id)
      const traces = new Set(roots.map((root) => root.spanContext().traceId))
      const own = all.filter((span) => traces.has(span.spanContext().traceId))
      const pages = named(own, /^page$/)
      const countPages = (outcome: string): number =>
        sumOf(
          pages.filter(({ attributes }) => attributes['trawl.page.outcome'] === outcome),
          'trawl.page.positions',
        )
      const fetches = named(own, /^GET$/).filter(
        ({ attributes }) => !String(attributes['url.full']).endsWith('/robots.txt'),
      )
      const calls = named(own, /^chat /)
      expect({
        completed: countPages('done'),
        failed: countPages('failed'),
        skipped: countPages('skipped') + sumOf(named(own, /^ledger /), 'trawl.ledger.refused'),
        credits: sumOf(pages, 'trawl.credits'),
        requests: sumOf(fetches, 'trawl.requests'),
        bytes: sumOf(fetches, 'trawl.bytes'),
        tokens: sumOf(calls, 'gen_ai.usage.input_tokens') + sumOf(calls, 'gen_ai.usage.output_tokens'),
      }).toEqual({
        completed,
        failed,
        skipped,
        credits: creditsUsed,
        requests: used.requests,
        bytes: used.bytes,
        tokens: used.modelTokens,
      })
      expect(await memory.sum('trawl.pages', { 'trawl.page.outcome': 'failed' })).toBe(failed)
      expect(await memory.sum('trawl.jobs.active')).toBe(0)
      expect(await memory.sum('gen_ai.client.token.usage')).toBe(used.modelTokens)
      expect(await memory.sum('trawl.jobs')).toBe(roots.length)
      expect(JSON.stringify(all.map(({ attributes }) => attributes))).not.toContain(SECRET)
    })
  })
})

it('a crawl is a child of the active span, and each part of its own', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
  using memory = startInMemory()
  const caller = memory.tracer.startSpan('request')
  const job = context.with(trace.setSpan(context.active(), caller), () =>
    engine.batchScrape({ urls: [site.url('/status/404?Signature=s3cret&page=2')] }),
  )
  await job.finished()
  caller.end()
  const spans = memory.spans()
  const find = (name: string) => spans.find((span) => span.name === name)
  const chain = ['request', 'batch-scrape', 'page', 'attempt', 'GET'].map(find)
  for (const [at, span] of chain.slice(1).entries())
    expect(span?.parentSpanContext?.spanId).toBe(chain[at]?.spanContext().spanId)
  expect(find('GET')).toMatchObject({
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.ERROR },
    attributes: {
      [conventions.ATTR_HTTP_REQUEST_METHOD]: 'GET',
      [conventions.ATTR_HTTP_RESPONSE_STATUS_CODE]: 404,
      [conventions.ATTR_URL_FULL]: site.url('/status/404?Signature=REDACTED&page=2'),
      [conventions.ATTR_SERVER_ADDRESS]: '127.0.0.1',
      [conventions.ATTR_SERVER_PORT]: site.port,
      [conventions.ATTR_ERROR_TYPE]: '404',
    },
  })
})

it('`spans` leaves channels out, whose children have the nearest parent; `stop()` ends everything', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
  const memory = startInMemory({ spans: ['job', 'fetch'] })
  const job = engine.batchScrape({ urls: [site.url('/page/a')] })
  await job.finished()
  const [fetch, root] = memory.spans()
  expect(memory.spans().map(({ name }) => name)).toEqual(['GET', 'batch-scrape'])
  expect(fetch?.parentSpanContext?.spanId).toBe(root?.spanContext().spanId)
  expect(await memory.sum('trawl.pages')).toBe(1)
  const hanging = engine.batchScrape({ urls: [site.url('/hang')] })
  while (!site.requests.some(({ path }) => path === '/hang')) await new Promise((resolve) => setTimeout(resolve, 5))
  memory.telemetry.stop()
  memory.telemetry.stop()
  expect(memory.spans()).toHaveLength(4)
  expect(await memory.sum('trawl.jobs.active')).toBe(0)
  await hanging.cancel()
  await engine.scrape(site.url('/page/b'))
  expect(memory.spans()).toHaveLength(4)
  for (const name of ['job', 'page', 'fetch', 'model', 'ledger'])
    expect(tracingChannel(`trawl:${name}`).start.hasSubscribers).toBe(false)
})

it('writes what has ended while its job runs, with the times at which it began and ended', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
  using memory = startInMemory()
  const beganAtMs = Date.now()
  const job = engine.batchScrape({ urls: [site.url('/page/a'), site.url('/hang')] })
  await expect.poll(() => named(memory.spans(), /^page$/).length, { timeout: 20_000 }).toBe(1)
  expect(named(memory.spans(), /^batch-scrape$/)).toEqual([])
  const [page] = named(memory.spans(), /^page$/)
  const [attempt] = named(memory.spans(), /^attempt$/)
  const msOf = ([seconds, nanoseconds]: [number, number]): number => seconds * 1000 + nanoseconds / 1e6
  const times = [page?.startTime, attempt?.startTime, attempt?.endTime, page?.endTime].map((time) =>
    msOf(time ?? [0, 0]),
  )
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  // Clocks differ by the rounding of a millisecond.
  expect(times[0]).toBeGreaterThanOrEqual(beganAtMs - 2)
  expect(times[3]).toBeLessThanOrEqual(Date.now() + 2)
  await job.cancel()
  expect(named(memory.spans(), /^batch-scrape$/)).toHaveLength(1)
})

it('refuses an unknown name in `spans`', () => {
  expect(() => startTelemetry({ spans: ['pages' as 'page'] })).toThrow('`spans`: "pages" is not allowed: one of job,')
})

it('refuses options that are not allowed, and says what it saw', () => {
  const start = startTelemetry as (options?: unknown) => unknown
  expect(() => start(null)).toThrow('`startTelemetry`: null is not an object of the options tracerProvider,')
  expect(() => start({ span: [] })).toThrow('unknown option "span": allowed are tracerProvider, meterProvider, spans')
  expect(() => start({ tracerProvider: 5 })).toThrow('5 is not a provider of spans: it needs `getTracer`')
  expect(() => start({ meterProvider: {} })).toThrow('an object is not a provider of metrics: it needs `getMeter`')
  expect(() => start({ spans: 'page' })).toThrow('`startTelemetry({ spans })`: "page" is not a list of job,')
})

it('has the names of the semantic conventions', () => {
  const { METRIC_HTTP_CLIENT_REQUEST_DURATION, METRIC_GEN_AI_CLIENT_OPERATION_DURATION } = conventions
  expect(METRIC_HTTP_CLIENT_REQUEST_DURATION).toBe('http.client.request.duration')
  expect(METRIC_GEN_AI_CLIENT_OPERATION_DURATION).toBe('gen_ai.client.operation.duration')
  expect(conventions.METRIC_GEN_AI_CLIENT_TOKEN_USAGE).toBe('gen_ai.client.token.usage')
  expect(conventions.ATTR_GEN_AI_USAGE_INPUT_TOKENS).toBe('gen_ai.usage.input_tokens')
  expect(conventions.ATTR_GEN_AI_PROVIDER_NAME).toBe('gen_ai.provider.name')
  expect(conventions.ATTR_GEN_AI_OPERATION_NAME).toBe('gen_ai.operation.name')
  expect(conventions.ATTR_GEN_AI_REQUEST_MODEL).toBe('gen_ai.request.model')
})

it('survives an SDK that throws, tells it to the logger of OpenTelemetry, and counts the end of the job', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
  const reports: unknown[] = []
  const note = (_message: string, error: unknown): void => void reports.push(error)
  diag.setLogger({ error: note, warn: ignore, info: ignore, debug: ignore, verbose: ignore })
  const fault = new Error('a broken exporter')
  const fail = (): never => {
    throw fault
  }
  const broken = new BasicTracerProvider({
    spanProcessors: [
      { onStart: ignore, onEnd: fail, forceFlush: async () => undefined, shutdown: async () => undefined },
    ],
  })
  try {
    using memory = startInMemory({ tracerProvider: broken })
    await engine.batchScrape({ urls: [site.url('/page/a')] }).finished()
    expect(await memory.sum('trawl.jobs.active')).toBe(0)
  } finally {
    diag.disable()
  }
  expect(reports.length).toBeGreaterThan(0)
  expect(new Set(reports)).toEqual(new Set([fault]))
})

const ignore = (): void => undefined
