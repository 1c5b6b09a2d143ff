import type { JobStatus } from '../../kernel/job/job.js'
import type { Document } from '../../kernel/page/document.js'
import type { ReportFacts } from './report-data.js'
import type { ReportedJob } from './reported-job.js'

/** Options of a request that a report names. Others may hold credentials: headers, a webhook, a profile. */
const SHOWN_OPTIONS = [
  'limit',
  'maxDiscoveryDepth',
  'includePaths',
  'excludePaths',
  'sitemap',
  'crawlEntireDomain',
  'allowSubdomains',
  'allowExternalLinks',
  'ignoreQueryParameters',
  'deduplicateContent',
  'ignoreRobotsTxt',
  'goal',
  'until',
  'siteSearch',
  'prompt',
  'delay',
  'maxConcurrency',
]

/** Facts that are known before the pages are read. */
export type FirstFacts = Omit<ReportFacts, 'unlisted' | 'linksFrom' | 'partsFolder' | 'partsId'>

/** Describes a job for the head of its report. */
export function describeJobFacts(job: ReportedJob, status: JobStatus<Document>, nowMs: number): FirstFacts {
  const request = job.request as Readonly<Record<string, unknown>>
  const { url, urls } = request
  const { completed, failed, skipped, total, skippedByReason, creditsUsed, used, createdAt } = status
  return {
    kind: job.kind,
    subject: typeof url === 'string' ? url : Array.isArray(urls) ? `${urls.length} URLs` : (job.id ?? ''),
    id: job.id,
    state: status.interrupted ? 'interrupted' : status.status,
    stoppedBy: status.stoppedBy,
    createdAt: job.kind === 'pages' ? undefined : createdAt,
    completedAt: status.completedAt,
    duration: status.duration,
    warning: status.warning,
    error: status.error,
    completed,
    failed,
    skipped,
    open: total - completed,
    skippedByReason,
    creditsUsed,
    used,
    settings: listSettings(request),
    startedAtMs: Date.parse(createdAt),
    writtenAt: new Date(nowMs).toISOString(),
  }
}

/** Describes a single document. */
export function describePageFacts({ metadata }: Document, nowMs: number): FirstFacts {
  return {
    kind: 'page',
    subject: metadata.url,
    state: 'completed',
    completed: 1,
    failed: 0,
    skipped: 0,
    open: 0,
    skippedByReason: {},
    creditsUsed: metadata.creditsUsed,
    settings: [],
    startedAtMs: nowMs,
    writtenAt: new Date(nowMs).toISOString(),
  }
}

function listSettings(request: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  const given = SHOWN_OPTIONS.filter((name) => request[name] !== undefined)
  return given.map((name) => [name, printSetting(request[name])])
}

const printSetting = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(printSetting).join(', ') : JSON.stringify(value)
