import { pathToFileURL } from 'node:url'
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type * as Trawl from 'trawl'
import { startTelemetry } from 'trawl/opentelemetry'

/** A crawl to measure. */
export interface TraceTask {
  /** The built library. */
  readonly library: string
  /** True to turn on spans and metrics. */
  readonly isTraced: boolean
  readonly start: string
  readonly pages: number
}

/** Cost of the crawl. */
export interface TraceCost {
  /** Processor time of all threads. */
  readonly cpuSeconds: number
  readonly seconds: number
  readonly spans: number
}

const { library, isTraced, start, pages } = JSON.parse(process.argv[2] ?? '{}') as TraceTask
const { createEngine } = (await import(pathToFileURL(library).href)) as typeof Trawl

let spans = 0
if (isTraced) {
  const exporter = new InMemorySpanExporter()
  const count = exporter.export.bind(exporter)
  exporter.export = (batch, done) => {
    spans += batch.length
    count(batch, done)
    exporter.reset()
  }
  startTelemetry({
    tracerProvider: new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }),
    meterProvider: new MeterProvider(),
  })
}
await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', cache: false })
const rules = { sitemap: 'skip', ignoreRobotsTxt: true, crawlEntireDomain: true } as const
/** Warms the code up. */
await engine.crawl({ url: start, limit: 200, ...rules }).finished()
const before = process.cpuUsage()
const startedAt = performance.now()
const { completed } = await engine.crawl({ url: start, limit: pages, retain: false, ...rules }).finished()
if (completed !== pages) throw new Error(`${completed} of ${pages} pages`)
const { user, system } = process.cpuUsage(before)
const cost: TraceCost = { cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - startedAt) / 1000, spans }
process.send?.(cost)
