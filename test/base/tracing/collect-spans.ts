import { tracingChannel } from 'node:diagnostics_channel'
import type { LedgerRow, TraceSpans } from '../../../src/index.js'

export type SpanName = keyof TraceSpans

const NAMES: readonly SpanName[] = ['job', 'page', 'attempt', 'fetch', 'digest', 'model', 'ledger']

/** The spans that were published since, in the order in which they ended; and how many have not ended. */
export interface CollectedSpans extends Disposable {
  readonly ended: { readonly [Name in SpanName]: TraceSpans[Name][] }
  readonly open: ReadonlySet<object>
  /** Everything that was published, as text. */
  toText(): string
}

/** Subscribes to channels as a user of Node does. */
export function collectSpans(names: readonly SpanName[] = NAMES): CollectedSpans {
  const ended: Record<string, object[]> = Object.fromEntries(NAMES.map((name) => [name, []]))
  const open = new Set<object>()
  const unsubscribe = names.map((name) => {
    const channel = tracingChannel<unknown, object>(`trawl:${name}`)
    const subscriber = {
      start: (span: object) => void open.add(span),
      asyncEnd: (span: object) => {
        if (!open.delete(span)) throw new Error(`a span of \`${name}\` ended that was not open`)
        ended[name]?.push(span)
      },
      end: () => undefined,
      asyncStart: () => undefined,
      error: () => undefined,
    }
    channel.subscribe(subscriber)
    return () => channel.unsubscribe(subscriber)
  })
  return {
    ended: ended as unknown as CollectedSpans['ended'],
    open,
    toText: () => JSON.stringify(ended),
    [Symbol.dispose]: () => unsubscribe.forEach((end) => end()),
  }
}

/** Sums over the spans of jobs, in the terms of the status of a job. */
export function sumSpans({ ended }: CollectedSpans): Record<string, number> {
  const sum = <Span>(spans: readonly Span[], read: (span: Span) => number | undefined): number =>
    spans.reduce((total, span) => total + (read(span) ?? 0), 0)
  const ofJob = <Span extends object>(spans: readonly Span[]): Span[] => spans.filter(isOfJob)
  const pages = (outcome: string): number =>
    sum(ofJob(ended.page), (page) => (page.outcome === outcome ? page.positions : undefined))
  const fetches = ofJob(ended.fetch)
  const calls = ofJob(ended.model)
  return {
    completed: pages('done'),
    failed: pages('failed'),
    skipped: pages('skipped') + sum(ended.ledger, ({ refused }) => refused),
    creditsUsed: sum(ofJob(ended.page), ({ credits }) => credits),
    requests: sum(fetches, ({ requests }) => requests),
    bytes: sum(fetches, ({ bytes }) => bytes),
    browserSeconds: sum(fetches, ({ browserMs }) => browserMs) / 1000,
    modelTokens: sum(calls, ({ inputTokens = 0, outputTokens = 0 }) => inputTokens + outputTokens),
    modelCost: sum(calls, ({ cost }) => cost),
    attempts: ofJob(ended.attempt).filter(({ outcome }) => outcome !== 'refused').length,
    retries: ofJob(ended.attempt).filter(({ outcome }) => outcome === 'retry').length,
    endings: ended.ledger.filter(({ operation }) => operation === 'end').length,
  }
}

const isOfJob = (span: object): boolean =>
  'jobId' in span ||
  ('parent' in span && typeof span.parent === 'object' && span.parent !== null && isOfJob(span.parent))

/** The same figures from the status of a job and the rows of its ledger. */
export function countJob(
  { completed, failed, skipped, creditsUsed, used }: StatusFigures,
  rows: readonly LedgerRow[],
): Record<string, number> {
  const { requests, bytes, browserSeconds, modelTokens, modelCost } = used
  const attempts = rows.flatMap((row) => row.attempts)
  return {
    completed,
    failed,
    skipped,
    creditsUsed,
    requests,
    bytes,
    browserSeconds,
    modelTokens,
    modelCost,
    attempts: attempts.length,
    retries: attempts.filter(({ retryAtMs }) => retryAtMs !== undefined).length,
    endings: rows.filter(({ order, refusal }) => order !== undefined && !isEndOfJob(refusal)).length,
  }
}

/** True for a page that was skipped with all others when its job ended. */
const isEndOfJob = (refusal: LedgerRow['refusal']): boolean =>
  refusal?.reason === 'CANCELLED' || refusal?.reason === 'LIMIT'

interface StatusFigures {
  readonly completed: number
  readonly failed: number
  readonly skipped: number
  readonly creditsUsed: number
  readonly used: {
    readonly requests: number
    readonly bytes: number
    readonly browserSeconds: number
    readonly modelTokens: number
    readonly modelCost: number
  }
}
