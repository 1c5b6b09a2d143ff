import { expect, it } from 'vitest'
import { JobTracer } from '../../src/job/lifecycle/job-tracer.js'
import type { LedgerRow } from '../../src/ledger/ledger.js'
import { channels } from '../../src/tracing/channels.js'

it('looks at no row that was refused when nobody listens', () => {
  const tracer = new JobTracer({ jobId: 'a', kind: 'crawl' }, undefined)
  let looks = 0
  const row = {
    key: 'https://a.com/',
    url: 'https://a.com/',
    get refusal() {
      looks += 1
      return { reason: 'EXCLUDE_PATTERN', message: '' }
    },
  } as unknown as LedgerRow
  expect(tracer.endSkipped([row])).toBe(0)
  expect(looks).toBe(0)
  const listener = { start: () => undefined } as unknown as Parameters<typeof channels.ledger.subscribe>[0]
  channels.ledger.subscribe(listener)
  try {
    expect(tracer.endSkipped([row])).toBe(1)
  } finally {
    channels.ledger.unsubscribe(listener)
  }
})
