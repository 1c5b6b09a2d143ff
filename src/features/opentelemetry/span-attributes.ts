import type { Attributes } from '@opentelemetry/api'
import type {
  AttemptSpan,
  DigestSpan,
  FetchSpan,
  JobSpan,
  LedgerSpan,
  ModelSpan,
  PageSpan,
  TraceSpans,
} from '../../base/tracing/spans.js'
import { withoutSecrets } from '../../base/tracing/without-secrets.js'

/** Names and describes the spans of one channel. */
export interface SpanWriter<Span> {
  /** True for a request to another machine. */
  readonly isClient?: true
  /** True where other spans may be its children. */
  readonly isParent?: true
  name(span: Span): string
  /** Attributes that are known at the start. */
  begin(span: Span): Attributes
  /** Attributes that are known at the end. */
  end(span: Span): Attributes
  /** `error.type` of work that failed without an error, such as a request with an error status. */
  findFault?(span: Span): string | undefined
}

/** Describes the server of a request. */
export function describeServer(url: string): Attributes {
  const { hostname, port, protocol } = new URL(url)
  const scheme = protocol.slice(0, -1)
  const usual = scheme === 'https' ? 443 : 80
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port), 'url.scheme': scheme }
}

/** Describes a model and what it is asked for. */
export const describeModel = ({ operation, provider = '_OTHER', model }: ModelSpan): Attributes => ({
  'gen_ai.operation.name': operation,
  'gen_ai.provider.name': provider,
  'gen_ai.request.model': model,
})

const job: SpanWriter<JobSpan> = {
  isParent: true,
  name: ({ kind }) => kind,
  begin: ({ jobId, kind, isResumed }) => ({
    'trawl.job.id': jobId,
    'trawl.job.kind': kind,
    'trawl.job.resumed': isResumed,
  }),
  end: ({ state, stoppedBy, counts, used }) => ({
    'trawl.job.state': state,
    'trawl.job.stopped_by': stoppedBy,
    'trawl.job.completed': counts?.completed,
    'trawl.job.failed': counts?.failed,
    'trawl.job.skipped': counts?.skipped,
    'trawl.credits': counts?.credits,
    'trawl.requests': used?.requests,
    'trawl.bytes': used?.bytes,
  }),
}

const page: SpanWriter<PageSpan> = {
  isParent: true,
  name: () => 'page',
  begin: ({ url, depth, positions }) => ({
    'url.full': withoutSecrets(url),
    'trawl.page.depth': depth,
    'trawl.page.positions': positions,
  }),
  end: ({ outcome, reason, documents, credits }) => ({
    'trawl.page.outcome': outcome,
    'trawl.page.reason': reason,
    'trawl.page.documents': documents,
    'trawl.credits': credits,
  }),
}

const attempt: SpanWriter<AttemptSpan> = {
  isParent: true,
  name: () => 'attempt',
  begin: ({ url, number }) => ({ 'url.full': withoutSecrets(url), 'trawl.attempt.number': number }),
  end: ({ outcome, fetcher, fetcherReason, statusCode, retryDelayMs }) => ({
    'trawl.attempt.outcome': outcome,
    'trawl.fetcher': fetcher,
    'trawl.fetcher.reason': fetcherReason,
    'http.response.status_code': statusCode,
    'trawl.retry.delay': retryDelayMs === undefined ? undefined : retryDelayMs / 1000,
  }),
}

const fetch: SpanWriter<FetchSpan> = {
  isClient: true,
  name: () => 'GET',
  begin: ({ url, fetcher }) => ({
    'http.request.method': 'GET',
    'url.full': withoutSecrets(url),
    ...describeServer(url),
    'trawl.fetcher': fetcher,
  }),
  end: ({ statusCode, finalUrl, requests, bytes, browserMs }) => ({
    'http.response.status_code': statusCode,
    'trawl.url.final': finalUrl === undefined ? undefined : withoutSecrets(finalUrl),
    'trawl.requests': requests,
    'trawl.bytes': bytes,
    'trawl.browser.duration': browserMs / 1000,
  }),
  findFault: ({ statusCode = 0 }) => (statusCode >= 400 ? String(statusCode) : undefined),
}

const digest: SpanWriter<DigestSpan> = {
  name: () => 'digest',
  begin: ({ url, bytes, contentType }) => ({
    'url.full': withoutSecrets(url),
    'trawl.bytes': bytes,
    'trawl.content_type': contentType,
  }),
  end: () => ({}),
}

const model: SpanWriter<ModelSpan> = {
  isClient: true,
  name: ({ operation, model: name }) => (name === undefined ? operation : `${operation} ${name}`),
  begin: (span) => ({
    ...describeModel(span),
    'gen_ai.request.temperature': span.temperature,
    'gen_ai.request.max_tokens': span.maxOutputTokens,
    'trawl.model.texts': span.texts,
  }),
  end: ({ inputTokens, outputTokens, cost, finish, statusCode }) => ({
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
    'http.response.status_code': statusCode,
    'trawl.model.cost': cost,
  }),
}

const ledger: SpanWriter<LedgerSpan> = {
  name: ({ operation }) => `ledger ${operation}`,
  begin: ({ operation }) => ({ 'trawl.ledger.operation': operation }),
  end: ({ rows, refused }) => ({ 'trawl.ledger.rows': rows, 'trawl.ledger.refused': refused }),
}

/** The writers of all channels. */
export const spanWriters: { readonly [Name in keyof TraceSpans]: SpanWriter<TraceSpans[Name]> } = {
  job,
  page,
  attempt,
  fetch,
  digest,
  model,
  ledger,
}
