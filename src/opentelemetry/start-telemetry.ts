import {
  context,
  type Context,
  diag,
  type MeterProvider,
  metrics as globalMetrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type TracerProvider,
} from '@opentelemetry/api'
import { channels } from '../tracing/channels.js'
import type { TraceSpans } from '../tracing/spans.js'
import { createMetrics, type Metrics } from './metrics.js'
import { type SpanWriter, spanWriters } from './span-attributes.js'

/** Options of {@link startTelemetry}. */
export interface TelemetryOptions {
  /** Makes the spans. @default the global one of `@opentelemetry/api` */
  tracerProvider?: TracerProvider | undefined
  /** Makes the metrics. @default the global one of `@opentelemetry/api` */
  meterProvider?: MeterProvider | undefined
  /**
   * Names of the channels that become spans; all become metrics. What is left out has its nearest parent as the parent of its own children.
   *
   * @default all: job, page, attempt, fetch, digest, model and ledger
   */
  spans?: readonly (keyof TraceSpans)[] | undefined
}

/** Telemetry that has been started. */
export interface Telemetry extends Disposable {
  /** Unsubscribes from everything, and ends the spans of work under way. */
  stop(): void
}

/** State of a span while it is open. */
interface OpenSpan {
  readonly startedAtMs: number
  /** Undefined where only metrics are made. */
  readonly span: Span | undefined
  /** Context in which its children start. */
  readonly inner: Context
}

/**
 * Turns all that trawl does in this process into spans and metrics of OpenTelemetry, by its semantic conventions. Jobs, and calls of
 * `engine.scrape()`, become children of the span that is active when they are called.
 *
 * @throws TypeError when `spans` names something else
 * @see docs/guides/traces.md
 */
export function startTelemetry(options: TelemetryOptions = {}): Telemetry {
  const names = Object.keys(spanWriters) as (keyof TraceSpans)[]
  const { tracerProvider = trace, meterProvider = globalMetrics, spans: wanted = names } = options
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`\`spans\`: ${JSON.stringify(unknown)} is not allowed: one of ${names.join(', ')}`)
  const tracer = tracerProvider.getTracer('trawl')
  const metrics = createMetrics(meterProvider.getMeter('trawl'))
  const open = new Map<object, OpenSpan>()
  /** Contexts of spans that may have children, which may start after their parent has ended. */
  const contexts = new WeakMap<object, Context>()

  const contextOf = (parent: object | undefined): Context =>
    (parent &&
      (contexts.get(parent) ?? ('parent' in parent ? contextOf(parent.parent as object | undefined) : undefined))) ??
    context.active()

  function subscribe<Name extends keyof TraceSpans>(name: Name, writer: SpanWriter<TraceSpans[Name]>): () => void {
    const isWanted = wanted.includes(name)
    const start = (message: TraceSpans[Name]): void => {
      const outer = contextOf('parent' in message ? message.parent : undefined)
      const kind = writer.isClient ? SpanKind.CLIENT : SpanKind.INTERNAL
      const span = isWanted
        ? tracer.startSpan(writer.name(message), { kind, attributes: writer.begin(message) }, outer)
        : undefined
      const inner = span ? trace.setSpan(outer, span) : outer
      if (writer.isParent) contexts.set(message, inner)
      open.set(message, { startedAtMs: performance.now(), span, inner })
      if (name === 'job') metrics.countStart(message as TraceSpans['job'])
    }
    const finish = (message: TraceSpans[Name], { span, startedAtMs, inner }: OpenSpan): void => {
      const fault = message.code ?? writer.findFault?.(message)
      if (span) {
        span.setAttributes(writer.end(message))
        if (fault !== undefined) {
          span.setAttribute('error.type', fault)
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      }
      // With the context of the span, so that the metrics can refer to it as an example.
      metrics.record[name](message, (performance.now() - startedAtMs) / 1000, inner)
    }
    const subscriber = {
      start(message: TraceSpans[Name]): void {
        runSafely(() => start(message))
      },
      asyncEnd(message: TraceSpans[Name]): void {
        const known = open.get(message)
        if (!known) return
        open.delete(message)
        runSafely(() => finish(message, known))
        if (name === 'job') runSafely(() => metrics.countEnd(message as TraceSpans['job']))
      },
      end: ignore,
      asyncStart: ignore,
      error: ignore,
    }
    const channel = channels[name]
    channel.subscribe(subscriber)
    return () => {
      channel.unsubscribe(subscriber)
    }
  }

  const unsubscribe = names.map((name) => subscribe(name, spanWriters[name] as SpanWriter<TraceSpans[typeof name]>))
  const stop = (): void => {
    for (const end of unsubscribe.splice(0)) end()
    endAll(open, metrics)
  }
  return { stop, [Symbol.dispose]: stop }
}

const ignore = (): void => undefined

/** Reports what an SDK throws to the logger of OpenTelemetry. Thrown by a subscriber of a channel, it would end the process. */
function runSafely(act: () => void): void {
  try {
    act()
  } catch (error) {
    diag.error('trawl: telemetry failed', error)
  }
}

/** Ends the spans of work under way: their ends will not be seen. */
function endAll(open: Map<object, OpenSpan>, metrics: Metrics): void {
  for (const [message, { span }] of open) {
    runSafely(() => span?.end())
    if ('jobId' in message) runSafely(() => metrics.countEnd(message as TraceSpans['job']))
  }
  open.clear()
}
