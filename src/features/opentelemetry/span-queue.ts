import {
  context,
  type Context,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { TraceSpans } from '../../base/tracing/spans.js'
import type { Metrics } from './metrics.js'
import { type SpanWriter, spanWriters } from './span-attributes.js'

/** A span of trawl, and what has been made of it. */
interface KnownSpan {
  readonly name: keyof TraceSpans
  readonly message: TraceSpans[keyof TraceSpans]
  /** Time of `performance.now()`, as all times here. Milliseconds. */
  readonly startedAtMs: number
  endedAtMs: number
  /** Time since the epoch when `performance.now()` was 0: the same for all spans of a job, so that their times agree. Milliseconds. */
  readonly originMs: number
  /** The nearest span above it; undefined for one that belongs to none. */
  readonly parent: KnownSpan | undefined
  /** Context of the caller, for a span without a parent. */
  readonly caller: Context | undefined
  /** Undefined until it is written, and where only metrics are made. */
  span?: Span
  /** Context of its children. Undefined until it is written. */
  context?: Context
}

/** Spans that are written at once, one after the other: written one by one, between other work, they cost three times as much. */
const MAX_WAITING = 64
/** Maximum time for which an ended span waits for others. Milliseconds. */
const MAX_WAIT_MS = 1000

/** Writes spans and metrics when spans have ended, many at a time. A job writes all that it has when it ends. */
export class SpanQueue {
  readonly #tracer: Tracer
  readonly #metrics: Metrics
  readonly #wanted: ReadonlySet<keyof TraceSpans>
  readonly #open = new Map<object, KnownSpan>()
  /** Spans that others may belong to, which may start after these have ended. */
  readonly #parents = new WeakMap<object, KnownSpan>()
  #ended: KnownSpan[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(tracer: Tracer, metrics: Metrics, wanted: readonly (keyof TraceSpans)[]) {
    this.#tracer = tracer
    this.#metrics = metrics
    this.#wanted = new Set(wanted)
  }

  /** Adds a span. Never throws. */
  start(name: keyof TraceSpans, message: TraceSpans[keyof TraceSpans]): void {
    const parent = this.#parentOf(message)
    const caller = parent ? undefined : activeContext()
    const startedAtMs = performance.now()
    const originMs = parent?.originMs ?? Date.now() - startedAtMs
    const known: KnownSpan = { name, message, startedAtMs, endedAtMs: 0, originMs, parent, caller }
    this.#open.set(message, known)
    if (spanWriters[name].isParent) this.#parents.set(message, known)
    if (name === 'job') runSafely(() => this.#metrics.countStart(message as TraceSpans['job']))
  }

  #parentOf(message: TraceSpans[keyof TraceSpans]): KnownSpan | undefined {
    let above = 'parent' in message ? message.parent : undefined
    while (above) {
      const known = this.#parents.get(above)
      if (known) return known
      above = 'parent' in above ? above.parent : undefined
    }
    return undefined
  }

  /** Ends a span. Never throws. */
  end(message: TraceSpans[keyof TraceSpans]): void {
    const known = this.#open.get(message)
    if (!known) return
    this.#open.delete(message)
    known.endedAtMs = performance.now()
    this.#ended.push(known)
    if (known.name === 'job') runSafely(() => this.#metrics.countEnd(message as TraceSpans['job']))
    if (!known.parent || this.#ended.length >= MAX_WAITING) this.#write()
    else this.#timer ??= setTimeout(() => this.#write(), MAX_WAIT_MS).unref()
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ended = this.#ended
    this.#ended = []
    for (const known of ended) runSafely(() => this.#writeSpan(known))
  }

  #writeSpan(known: KnownSpan): void {
    const { name, message, startedAtMs, endedAtMs, originMs } = known
    const writer = spanWriters[name] as SpanWriter<object>
    const inner = this.#contextOf(known)
    const { span } = known
    if (span) {
      const fault = message.code ?? writer.findFault?.(message)
      span.setAttributes(writer.end(message))
      if (fault !== undefined) {
        span.setAttribute('error.type', fault)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end(originMs + endedAtMs)
    }
    // With the context of the span, so that the metrics can refer to it as an example.
    const record = this.#metrics.record[name] as (message: object, seconds: number, context: Context) => void
    record(message, (endedAtMs - startedAtMs) / 1000, inner)
  }

  /** Starts a span and those above it, unless that was done before. @returns the context of its children */
  #contextOf(known: KnownSpan): Context {
    if (known.context) return known.context
    const { name, message, startedAtMs, originMs, parent, caller } = known
    const outer = parent ? this.#contextOf(parent) : (caller ?? ROOT_CONTEXT)
    if (!this.#wanted.has(name)) return (known.context = outer)
    const writer = spanWriters[name] as SpanWriter<object>
    const kind = writer.isClient ? SpanKind.CLIENT : SpanKind.INTERNAL
    const options = { kind, attributes: writer.begin(message), startTime: originMs + startedAtMs }
    known.span = this.#tracer.startSpan(writer.name(message), options, outer)
    return (known.context = trace.setSpan(outer, known.span))
  }

  /** Writes all that has ended, and ends the spans of work under way: their ends will not be seen. */
  close(): void {
    this.#write()
    for (const [message, known] of this.#open) {
      runSafely(() => {
        this.#contextOf(known)
        known.span?.end(known.originMs + performance.now())
      })
      if (known.name === 'job') runSafely(() => this.#metrics.countEnd(message as TraceSpans['job']))
    }
    this.#open.clear()
  }
}

/** Returns the context of the caller. A manager of contexts may be anybody's. */
function activeContext(): Context {
  let active = ROOT_CONTEXT
  runSafely(() => {
    active = context.active()
  })
  return active
}

/** Reports what an SDK throws to the logger of OpenTelemetry. Thrown by a subscriber of a channel, it would end the process. */
function runSafely(act: () => void): void {
  try {
    act()
  } catch (error) {
    diag.error('trawl: telemetry failed', error)
  }
}
