import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach } from 'vitest'
import type { Document } from '../../../src/index.js'
import { createReportPoster, type ReportPoster } from '../../../src/base/http/post-report.js'
import { listUndelivered } from '../../../src/features/webhooks/list-undelivered.js'
import type { WebhookPlan } from '../../../src/features/webhooks/webhook-options.js'
import { WebhookReporter } from '../../../src/features/webhooks/webhook-reporter.js'
import type { ReporterJob } from '../../../src/kernel/job/job-reporter.js'
import type { JobLedger } from '../../../src/kernel/ledger/ledger.js'
import { memoryLedger } from '../../../src/kernel/ledger/ledgers/index.js'
import { at, candidate, end } from '../../contracts/ledger-rows.js'
import { startReceiver, type Receiver } from '../../site/receiver.js'

const ID = '019b1e5f-0000-7000-8000-000000000000'

/** Ending of a page that gave a document. */
export const donePage = (key: string, bytes = 10) => {
  const url = `http://site.test/${key}`
  const document = { markdown: 'words', metadata: { url, sourceURL: url } } as Document
  return { outcome: 'done', documents: [document], bytes } as const
}

/** Reports of a row that are due at a time. */
export const reportsAt = (dueAtMs: number) => ({ features: ['webhooks'], dueAtMs })

interface Alarm {
  readonly atMs: number
  readonly act: () => void
}

/** Parts of a webhook without a job, created for each test: a receiver, a ledger, and a clock that stands still. */
export interface WebhookHarness {
  readonly receiver: Receiver
  readonly ledger: JobLedger<Document>
  /** Timers that are set. */
  readonly alarms: readonly Alarm[]
  readonly warnings: ReadonlySet<string>
  /** Number of calls of `settle`. */
  readonly settled: number
  make(retention?: { dropsDocuments?: boolean }): WebhookReporter
  undelivered(): ReturnType<typeof listUndelivered>
  /** Records the ending of a page as a job does. */
  endPage(webhook: WebhookReporter, key: string): Promise<void>
  /** Advances the clock, fires the timers that are due, and waits until nothing is being sent. */
  pass(ms: number): Promise<void>
  /** Sets the clock forward and fires all timers, although none is due by it, as the real timers of a polling webhook do. */
  jump(ms: number): Promise<void>
  /** Waits until nothing is being sent or about to be sent. */
  settle(): Promise<void>
}

export function useWebhookHarness(): WebhookHarness {
  let receiver: Receiver
  let poster: ReportPoster
  let ledger: JobLedger<Document>
  let clockMs: number
  let alarms: Alarm[]
  let warnings: Set<string>
  let settled: number
  let sending: number

  beforeEach(async () => {
    receiver = await startReceiver()
    poster = createReportPoster({ allowPrivateNetworks: true })
    ledger = await memoryLedger().open<Document>(ID, { limit: Infinity, holdLevelMs: 0 })
    alarms = []
    warnings = new Set()
    clockMs = settled = sending = 0
  })
  afterEach(async () => {
    await poster.close()
    await receiver.close()
  })

  const settle = async (): Promise<void> => {
    for (let calm = 0; calm < 20; calm = sending === 0 ? calm + 1 : 0) await setImmediate()
  }

  return {
    get receiver() {
      return receiver
    },
    get ledger() {
      return ledger
    },
    get alarms() {
      return alarms
    },
    get warnings() {
      return warnings
    },
    get settled() {
      return settled
    },
    settle,
    make(retention = {}) {
      const events = ['started', 'page', 'completed', 'cancelled', 'failed'] as const
      const job = {
        id: ID,
        kind: 'crawl',
        slice: { url: receiver.url, headers: {}, metadata: {}, events },
        ledger: Promise.resolve(ledger),
        dropsDocuments: false,
        present: ({ document }) => document,
        error: () => undefined,
        warn: (message) => void warnings.add(message),
        delivered: () => undefined,
        settle: () => void (settled += 1),
        ...retention,
      } satisfies ReporterJob<WebhookPlan>
      return new WebhookReporter(job, {
        now: () => clockMs,
        post(report, signal) {
          sending += 1
          return poster.post(report, signal).finally(() => (sending -= 1))
        },
        setTimer(afterMs, act) {
          const alarm = { atMs: clockMs + afterMs, act }
          alarms.push(alarm)
          return () => void (alarms = alarms.filter((other) => other !== alarm))
        },
      })
    },
    undelivered: () => listUndelivered({}, { id: ID, kind: 'crawl' }, ledger),
    async endPage(webhook, key) {
      await ledger.admit([candidate(key)], 0)
      const row = await ledger.lease(at(0))
      const ending = donePage(key)
      const isReported = row !== undefined && webhook.take(row, ending, true)
      await ledger.end(key, ending, { ...end, ...(isReported && { reports: reportsAt(clockMs) }) })
      webhook.flush()
    },
    async jump(ms) {
      clockMs += ms
      for (const { act } of alarms.splice(0)) act()
      await settle()
    },
    async pass(ms) {
      await settle()
      clockMs += ms
      for (;;) {
        const due = alarms.filter(({ atMs }) => atMs <= clockMs)
        if (due.length === 0) return
        alarms = alarms.filter((alarm) => !due.includes(alarm))
        for (const { act } of due) act()
        await settle()
      }
    },
  }
}
