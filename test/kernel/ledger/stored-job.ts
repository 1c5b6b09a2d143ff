import type { StoredJob } from '../../../src/kernel/ledger/job-store.js'

export const storedJob = (id: string, more: Partial<StoredJob> = {}): StoredJob => ({
  id,
  kind: 'crawl',
  request: '{}',
  missing: [],
  acknowledges: false,
  reports: false,
  createdAtMs: 1000,
  state: 'scraping',
  warnings: [],
  ...more,
})
