import { compact } from '../collections/compact.js'
import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import { TrawlError } from '../errors.js'
import type { TraceSpans } from './spans.js'

const channelOf = <Name extends keyof TraceSpans>(name: Name): TracingChannel<unknown, TraceSpans[Name]> =>
  tracingChannel<unknown, TraceSpans[Name]>(`trawl:${name}`)

/**
 * The tracing channels, `trawl:job` and so on. Node keeps them by name, for the whole process. A message is made only when
 * the channel `hasSubscribers`.
 *
 * @see https://nodejs.org/api/diagnostics_channel.html#class-tracingchannel
 */
export const channels: { readonly [Name in keyof TraceSpans]: TracingChannel<unknown, TraceSpans[Name]> } = {
  job: channelOf('job'),
  page: channelOf('page'),
  attempt: channelOf('attempt'),
  fetch: channelOf('fetch'),
  digest: channelOf('digest'),
  model: channelOf('model'),
  ledger: channelOf('ledger'),
}

/** Publishes the start of a span. @returns the span */
export function startSpan<Span extends object>(channel: TracingChannel<unknown, Span>, span: Span): Span {
  channel.start.publish(span)
  // By convention, `end` is the end of the synchronous part.
  channel.end.publish(span)
  return span
}

/** Publishes the end of a span, with what is known then. */
export function endSpan<Span extends { code?: string }>(
  channel: TracingChannel<unknown, Span>,
  span: Span,
  results: Partial<Span>,
): void {
  Object.assign(span, compact(results))
  if (span.code !== undefined) channel.error.publish(span)
  channel.asyncStart.publish(span)
  channel.asyncEnd.publish(span)
}

/**
 * Runs work as a span. Only for a channel with subscribers: otherwise the caller runs the work itself, so that nothing is
 * allocated.
 *
 * @throws what the work throws
 */
export async function runInSpan<Span extends { code?: string }, Result>(
  channel: TracingChannel<unknown, Span>,
  span: Span,
  run: () => Promise<Result>,
  describe: (result: Result) => Partial<Span>,
): Promise<Result> {
  startSpan(channel, span)
  try {
    const result = await run()
    endSpan(channel, span, describe(result))
    return result
  } catch (error) {
    endSpan(channel, span, failureOf(error) as Partial<Span>)
    throw error
  }
}

/** Longest name of an error that is not one of trawl. Characters. */
const MAX_NAME = 64

/** Describes an error without its message. */
export const failureOf = (error: unknown): { readonly code: string } => {
  if (error instanceof TrawlError) return { code: error.code }
  // The name of an error of the host may be of any type.
  const name: unknown = error instanceof Error ? error.name : undefined
  return { code: typeof name === 'string' && name !== '' && name.length <= MAX_NAME ? name : 'Error' }
}
