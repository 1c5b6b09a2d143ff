import { tracingChannel } from 'node:diagnostics_channel'
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { createEngine } from 'trawl'
import { startTelemetry } from 'trawl/opentelemetry'

/** The side that a process measures. */
export interface TraceTask {
  /** True to count how often it is asked whether a channel has subscribers. @default false */
  readonly isCounted?: boolean
  readonly start: string
}

/** A crawl to measure. */
export interface TracedCrawl {
  /** Number of pages. */
  readonly limit: number
  /** True to turn on spans and metrics for it. */
  readonly isTraced: boolean
}

/** Cost of one crawl. */
export interface TraceCost {
  /** Processor time of all threads of the process. */
  readonly cpuSeconds: number
  readonly spans: number
  /** Number of times that a channel was asked for subscribers; 0 where that is not counted. */
  readonly checks: number
  /** Time of one such check of a channel without subscribers. Nanoseconds. */
  readonly checkNs: number
}

const { isCounted = false, start } = JSON.parse(process.argv[2] ?? '{}') as TraceTask

let spans = 0
let checks = 0
const checkNs = isCounted ? countChecks() : 0
/** Creates an SDK that collects spans and metrics in batches, counts the spans, and drops them. */
function createSdk() {
  const exporter = new InMemorySpanExporter()
  const count = exporter.export.bind(exporter)
  exporter.export = (batch, done) => {
    spans += batch.length
    count(batch, done)
    exporter.reset()
  }
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metrics })
  const processor = new BatchSpanProcessor(exporter)
  return {
    tracerProvider: new BasicTracerProvider({ spanProcessors: [processor] }),
    meterProvider: new MeterProvider({ readers: [reader] }),
    /** Exports what is still waiting. */
    async flush(): Promise<void> {
      await Promise.all([processor.forceFlush(), reader.forceFlush()])
      metrics.reset()
    },
  }
}

/** One for all crawls, as in a service. */
const sdk = createSdk()

/** Counts the checks for subscribers from now on. @returns the time of one, measured before. Nanoseconds */
function countChecks(): number {
  const channel = tracingChannel('trawl:measured')
  const rounds = 10_000_000
  let subscribed = 0
  const beganAtMs = performance.now()
  for (let round = 0; round < rounds; round += 1) if (channel.hasSubscribers) subscribed += 1
  const ns = ((performance.now() - beganAtMs) * 1e6) / rounds
  if (subscribed > 0) throw new Error('the channel has subscribers')
  const prototype: unknown = Object.getPrototypeOf(channel)
  const known = Object.getOwnPropertyDescriptor(prototype, 'hasSubscribers')?.get
  if (!known) throw new Error('`hasSubscribers` is no getter of tracing channels in this version of Node')
  Object.defineProperty(prototype, 'hasSubscribers', {
    get(this: unknown): unknown {
      checks += 1
      return known.call(this)
    },
  })
  return ns
}

const engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', cache: false })

/** Crawls some pages, and measures what that costs. */
async function crawl({ limit, isTraced }: TracedCrawl): Promise<TraceCost> {
  // The garbage of earlier crawls is none of this one's.
  globalThis.gc?.()
  spans = 0
  checks = 0
  const rules = { sitemap: 'skip', ignoreRobotsTxt: true, crawlEntireDomain: true, retain: false } as const
  const before = process.cpuUsage()
  const telemetry = isTraced ? startTelemetry(sdk) : undefined
  const { completed } = await engine.crawl({ url: start, limit, ...rules }).finished()
  // On all sides: else the export of spans and the collection of what they leave fall into the time of another crawl.
  telemetry?.stop()
  if (telemetry) await sdk.flush()
  globalThis.gc?.()
  const { user, system } = process.cpuUsage(before)
  if (completed !== limit) throw new Error(`${completed} of ${limit} pages`)
  return { cpuSeconds: (user + system) / 1e6, spans, checks, checkNs }
}

process.on('message', (given: TracedCrawl) => void crawl(given).then((cost) => process.send?.(cost)))
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
process.send?.('ready')
