import { describe, expect, it } from 'vitest'
import { isReported, type JobReporter, openReporters, type ReporterJob } from '../../../src/kernel/job/job-reporter.js'
import type { Ending, LedgerRow } from '../../../src/kernel/ledger/ledger.js'
import { memoryLedger } from '../../../src/kernel/ledger/ledgers/index.js'
import type { Document } from '../../../src/kernel/page/document.js'

/** Reporters of one job, of the features `a` and `b`, which do nothing by themselves. */
function openJob(slices: Record<string, unknown> | undefined) {
  const said: string[] = []
  const jobs = new Map<string, ReporterJob>()
  let isStopped = false
  const closed = new Set<string>()
  const extension = (feature: string) => ({
    feature,
    reporter(job: ReporterJob): JobReporter {
      jobs.set(feature, job)
      const say = (what: string) => said.push(`${feature} ${what}`)
      return {
        reportsPages: feature === 'a',
        get isClosed() {
          return closed.has(feature)
        },
        begin: async () => void say('begins'),
        take: (_row, { outcome }) => feature === 'b' || outcome === 'done',
        flush: () => undefined,
        end: async (state) => void say(state),
        stop: () => void say('stops'),
        close: async () => void closed.add(feature),
      }
    },
  })
  const extensions = [extension('a'), { feature: 'silent' }, extension('b')]
  const opened = openReporters(extensions, {
    id: 'job',
    kind: 'crawl',
    features: slices,
    ledger: memoryLedger().open<Document>('job', { limit: 1, holdLevelMs: 0 }),
    dropsDocuments: false,
    present: ({ document }) => document,
    error: () => undefined,
    warn: () => undefined,
    delivered: () => undefined,
    now: () => 7,
    isStopped: () => isStopped,
    release: () => void said.push('released'),
    markReported: () => void said.push('marked'),
  })
  return {
    opened,
    get reporters() {
      if (!opened) throw new Error('no feature reports the job')
      return opened
    },
    said,
    extensions,
    settle: (feature: string) => jobs.get(feature)?.settle(),
    sliceOf: (feature: string) => jobs.get(feature)?.slice,
    set isStopped(value: boolean) {
      isStopped = value
    },
  }
}

const row = { key: 'k', url: 'http://site.test/' } as LedgerRow
const done = { outcome: 'done', documents: [], bytes: 0, credits: 0 } satisfies Ending<Document>
const failed = { outcome: 'failed', code: 'SCRAPE_TIMEOUT', error: 'slow' } satisfies Ending<Document>

describe('the reporters of a job', () => {
  it('are those of the features that it asks for, with their slices', () => {
    const { reporters, extensions, sliceOf } = openJob({ b: 5, silent: 1 })
    expect([sliceOf('a'), sliceOf('b')]).toEqual([undefined, 5])
    expect(reporters.take(row, done, true)).toEqual({ features: ['b'], dueAtMs: 7 })
    expect(reporters.reportPages).toBe(false)
    const slices = [undefined, {}, { silent: 1 }, { a: 1 }]
    expect(slices.map((asked) => isReported(extensions, asked))).toEqual([false, false, false, true])
  })

  it('report the rows that each takes, and sources that are added to a row if they report each page', () => {
    const { reporters } = openJob({ a: 1, b: 1 })
    expect(reporters.take(row, done, true)).toEqual({ features: ['a', 'b'], dueAtMs: 7 })
    expect(reporters.take(row, failed, true)).toEqual({ features: ['b'], dueAtMs: 7 })
    expect(reporters.ofAddedSources()).toEqual({ features: ['a'], dueAtMs: 7 })
    expect(reporters.reportPages).toBe(true)
    expect(openJob(undefined).opened).toBeUndefined()
  })

  it('are over when the job has ended and each has nothing left, which is recorded once', async () => {
    const { reporters, said, settle } = openJob({ a: 1, b: 1 })
    await reporters.begin()
    await reporters.end('scraping')
    await reporters.end('completed')
    settle('a')
    settle('a')
    expect([reporters.areOver, said.includes('marked')]).toEqual([false, false])
    settle('b')
    settle('b')
    expect(reporters.areOver).toBe(true)
    expect(said).toEqual(['a begins', 'b begins', 'a completed', 'b completed', 'marked'])
  })

  it('release a job that has stopped, and go on when it is resumed', async () => {
    const on = openJob({ a: 1, b: 1 })
    await on.reporters.begin()
    on.isStopped = true
    await on.reporters.end('completed')
    on.settle('b')
    on.settle('a')
    expect(on.said.slice(2)).toEqual(['a stops', 'b stops', 'released'])
    expect(on.reporters.areOver).toBe(false)
    on.isStopped = false
    await on.reporters.begin()
    await on.reporters.end('failed')
    on.settle('a')
    expect(on.reporters.areOver).toBe(false)
    on.settle('b')
    expect(on.said.slice(5)).toEqual(['a begins', 'b begins', 'a failed', 'b failed', 'marked'])
  })

  it('count what one says after it was told of the end: before, it cannot know what that leaves', async () => {
    const { reporters, said, settle } = openJob({ a: 1, b: 1 })
    await reporters.begin()
    settle('b')
    await reporters.end('completed')
    settle('a')
    expect([reporters.areOver, said.includes('marked')]).toEqual([false, false])
    settle('b')
    expect([reporters.areOver, said.at(-1)]).toEqual([true, 'marked'])
  })

  it('are over when they are closed, but leave their reports to the next process', async () => {
    const { reporters, said, settle } = openJob({ a: 1, b: 1 })
    await reporters.begin()
    await reporters.end('completed')
    settle('a')
    await reporters.close(true)
    expect(reporters.areOver).toBe(true)
    expect(said).not.toContain('marked')
  })
})
