import { type MeterProvider, metrics as globalMetrics, trace, type TracerProvider } from '@opentelemetry/api'
import { checkOptions, objectWithMethods } from '../../base/runtime/check-options.js'
import { channels } from '../../base/tracing/channels.js'
import type { TraceSpans } from '../../base/tracing/spans.js'
import { createMetrics } from './metrics.js'
import { spanWriters } from './span-attributes.js'
import { SpanQueue } from './span-queue.js'

/** Options of {@link startTelemetry}. */
export interface TelemetryOptions {
  /** Makes the spans. @default the global one of `@opentelemetry/api` */
  tracerProvider?: TracerProvider
  /** Makes the metrics. @default the global one of `@opentelemetry/api` */
  meterProvider?: MeterProvider
  /**
   * Names of the channels that become spans; all become metrics. What is left out has its nearest parent as the parent of its own children.
   *
   * @default all: job, page, attempt, fetch, digest, model and ledger
   */
  spans?: readonly (keyof TraceSpans)[]
}

/** Telemetry that has been started. */
export interface Telemetry extends Disposable {
  /** Unsubscribes from everything, and ends the spans of work under way. */
  stop(): void
}

/**
 * Turns all that trawl does in this process into spans and metrics of OpenTelemetry, by its semantic conventions. Jobs, and calls of
 * `engine.scrape()`, become children of the span that is active when they are called.
 *
 * @throws TypeError for invalid options
 * @see docs/guides/traces.md
 */
export function startTelemetry(options: TelemetryOptions = {}): Telemetry {
  const names = Object.keys(spanWriters) as (keyof TraceSpans)[]
  checkOptions('startTelemetry', options, {
    tracerProvider: objectWithMethods('a provider of spans', 'getTracer'),
    meterProvider: objectWithMethods('a provider of metrics', 'getMeter'),
    spans: {
      allowed: `a list of ${names.join(', ')}`,
      accepts: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    },
  })
  const { tracerProvider = trace, meterProvider = globalMetrics, spans: wanted = names } = options
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`\`spans\`: ${JSON.stringify(unknown)} is not allowed: one of ${names.join(', ')}`)
  const queue = new SpanQueue(tracerProvider.getTracer('trawl'), createMetrics(meterProvider.getMeter('trawl')), wanted)
  const unsubscribe = names.map((name) => {
    // Only the two channels that are read: others would be called for each span.
    const { start, asyncEnd } = channels[name]
    const begin = (message: unknown): void => queue.start(name, message as TraceSpans[typeof name])
    const end = (message: unknown): void => queue.end(message as TraceSpans[typeof name])
    start.subscribe(begin)
    asyncEnd.subscribe(end)
    return (): void => {
      start.unsubscribe(begin)
      asyncEnd.unsubscribe(end)
    }
  })
  const stop = (): void => {
    for (const end of unsubscribe.splice(0)) end()
    queue.close()
  }
  return { stop, [Symbol.dispose]: stop }
}
