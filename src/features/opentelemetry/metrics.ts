import type { Context, Meter } from '@opentelemetry/api'
import { compact } from '../../base/collections/compact.js'
import type { JobSpan, ModelSpan, TraceSpans } from '../../base/tracing/spans.js'
import { describeModel, describeServer } from './span-attributes.js'

/** Bounds of histograms of durations, in seconds, as the conventions advise them. */
const HTTP_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const MODEL_BOUNDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const DIGEST_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power)

/** Records ended spans in metrics. The duration is in seconds, and the context is that of the span. */
type SpanRecorders = {
  readonly [Name in keyof TraceSpans]: (span: TraceSpans[Name], seconds: number, context: Context) => void
}

/** The metrics of trawl. */
export interface Metrics {
  /** Called when a job starts. */
  countStart(span: JobSpan): void
  /** Called when a job ends, or when nobody counts it any longer. */
  countEnd(span: JobSpan): void
  readonly record: SpanRecorders
}

/** Creates the metrics of trawl with a meter. */
export function createMetrics(meter: Meter): Metrics {
  const duration = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } })
  const requests = duration('http.client.request.duration', 'Duration of fetches, with their redirects', HTTP_BOUNDS)
  const digests = duration('trawl.digest.duration', 'Duration of parsing and converting a page', DIGEST_BOUNDS)
  const writes = duration('trawl.ledger.write.duration', 'Duration of writes to ledgers', DIGEST_BOUNDS)
  const calls = duration('gen_ai.client.operation.duration', 'Duration of requests to the model', MODEL_BOUNDS)
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens of requests to the model',
    advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
  })
  const count = (name: string, unit: string, description: string) => meter.createCounter(name, { unit, description })
  const jobs = count('trawl.jobs', '{job}', 'Jobs that have ended, by state')
  const pages = count('trawl.pages', '{page}', 'Pages that have ended, by outcome')
  const attempts = count('trawl.attempts', '{attempt}', 'Attempts at pages, by outcome')
  const refused = count('trawl.urls.refused', '{url}', 'URLs refused when they were found')
  const credits = count('trawl.credits', '{credit}', 'Credits of pages')
  const bytes = count('trawl.fetch.bytes', 'By', 'Bytes received on the wire')
  const sent = count('trawl.fetch.requests', '{request}', 'Requests sent, with redirects and those of browsers')
  const active = meter.createUpDownCounter('trawl.jobs.active', { unit: '{job}', description: 'Jobs that run' })

  const countTokens = (span: ModelSpan, context: Context): void => {
    const { inputTokens, outputTokens } = span
    const attributes = describeModel(span)
    if (inputTokens !== undefined) tokens.record(inputTokens, { ...attributes, 'gen_ai.token.type': 'input' }, context)
    if (outputTokens !== undefined)
      tokens.record(outputTokens, { ...attributes, 'gen_ai.token.type': 'output' }, context)
  }
  return {
    countStart: ({ kind }) => active.add(1, { 'trawl.job.kind': kind }),
    countEnd: ({ kind }) => active.add(-1, { 'trawl.job.kind': kind }),
    record: {
      job: ({ kind, state, code }, _, context) =>
        jobs.add(1, compact({ 'trawl.job.kind': kind, 'trawl.job.state': state, 'error.type': code }), context),
      page: ({ outcome, reason, code, positions, credits: price = 0 }, _, context) => {
        const attributes = { 'trawl.page.outcome': outcome, 'trawl.page.reason': reason, 'error.type': code }
        if (outcome) pages.add(positions, compact(attributes), context)
        if (price > 0) credits.add(price, {}, context)
      },
      attempt: ({ outcome, fetcher, code }, _, context) => {
        const attributes = { 'trawl.attempt.outcome': outcome, 'trawl.fetcher': fetcher, 'error.type': code }
        attempts.add(1, compact(attributes), context)
      },
      fetch: ({ url, fetcher, statusCode, code, ...used }, seconds, context) => {
        const status = statusCode !== undefined && statusCode >= 400 ? String(statusCode) : undefined
        const attributes = compact({
          'http.request.method': 'GET',
          ...describeServer(url),
          'http.response.status_code': statusCode,
          'error.type': code ?? status,
          'trawl.fetcher': fetcher,
        })
        requests.record(seconds, attributes, context)
        bytes.add(used.bytes, { 'trawl.fetcher': fetcher }, context)
        sent.add(used.requests, { 'trawl.fetcher': fetcher }, context)
      },
      digest: ({ code }, seconds, context) => digests.record(seconds, compact({ 'error.type': code }), context),
      model: (span, seconds, context) => {
        calls.record(seconds, compact({ ...describeModel(span), 'error.type': span.code }), context)
        countTokens(span, context)
      },
      ledger: ({ operation, refused: urls, code }, seconds, context) => {
        writes.record(seconds, compact({ 'trawl.ledger.operation': operation, 'error.type': code }), context)
        if (urls > 0) refused.add(urls, {}, context)
      },
    },
  }
}
