import { pathToFileURL } from 'node:url'
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type * as Trawl from 'trawl'
import { startTelemetry } from 'trawl/opentelemetry'

/** The side that a process measures. */
export interface TraceTask {
  /** The built library. */
  readonly library: string
  /** True to turn on spans and metrics. */
  readonly isTraced: boolean
  readonly start: string
}

/** Cost of one crawl. */
export interface TraceCost {
  /** Processor time of all threads of the process. */
  readonly cpuSeconds: number
  readonly spans: number
}

const { library, isTraced, start } = JSON.parse(process.argv[2] ?? '{}') as TraceTask
const { createEngine } = (await import(pathToFileURL(library).href)) as typeof Trawl

let spans = 0
/** Exports the spans that are still waiting; does nothing without traces. */
let flush = async (): Promise<void> => undefined
if (isTraced) {
  const exporter = new InMemorySpanExporter()
  const count = exporter.export.bind(exporter)
  exporter.export = (batch, done) => {
    spans += batch.length
    count(batch, done)
    exporter.reset()
  }
  const processor = new BatchSpanProcessor(exporter)
  flush = () => processor.forceFlush()
  startTelemetry({
    tracerProvider: new BasicTracerProvider({ spanProcessors: [processor] }),
    meterProvider: new MeterProvider(),
  })
}
const engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', cache: false })

/** Crawls some pages, and measures what that costs. */
async function crawl(limit: number): Promise<TraceCost> {
  // The garbage of earlier crawls is none of this one's.
  globalThis.gc?.()
  spans = 0
  const rules = { sitemap: 'skip', ignoreRobotsTxt: true, crawlEntireDomain: true, retain: false } as const
  const before = process.cpuUsage()
  const { completed } = await engine.crawl({ url: start, limit, ...rules }).finished()
  // On all sides: else the export of spans and the collection of what they leave fall into the time of another crawl.
  await flush()
  globalThis.gc?.()
  const { user, system } = process.cpuUsage(before)
  if (completed !== limit) throw new Error(`${completed} of ${limit} pages`)
  return { cpuSeconds: (user + system) / 1e6, spans }
}

process.on('message', (limit: number) => void crawl(limit).then((cost) => process.send?.(cost)))
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
process.send?.('ready')
