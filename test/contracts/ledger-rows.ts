import type { Attempt, UrlCandidate, LeaseRequest } from '../../src/kernel/ledger/ledger.js'

export type Doc = { name: string }

export const candidate = (key: string, more: Partial<UrlCandidate> = {}): UrlCandidate => ({
  key,
  url: `http://site.test/${key}`,
  via: 'link',
  depth: 0,
  ...more,
})
export const at = (nowMs: number, more: Partial<LeaseRequest> = {}): LeaseRequest => ({ nowMs, ...more })
export const attempt = (more: Partial<Attempt> = {}): Attempt => ({ startedAtMs: 1, endedAtMs: 2, ...more })
export const end = { nowMs: 2, attempt: attempt() }
export const done = (name: string) => ({ outcome: 'done', documents: [{ name }], bytes: 10, credits: 2 }) as const
export const failed = { outcome: 'failed', code: 'SCRAPE_TIMEOUT', error: 'too slow' } as const
export const refusal = { reason: 'LIMIT', message: 'enough' } as const
