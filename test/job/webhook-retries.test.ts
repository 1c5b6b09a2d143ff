import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../src/index.js'
import { createReportPoster, type ReportPoster } from '../../src/fetch/post-report.js'
import { Webhook } from '../../src/job/webhook.js'
import type { JobLedger } from '../../src/ledger/ledger.js'
import { memoryLedger } from '../../src/ledger/ledgers/index.js'
import { at, candidate, end } from '../contracts/ledger-rows.js'
import { answers, startReceiver, type Receiver } from '../site/receiver.js'

const until = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 20_000 })

const ID = '019b1e5f-0000-7000-8000-000000000000'
const SECOND = 1000
const MINUTE = 60 * SECOND

let receiver: Receiver
let poster: ReportPoster
let ledger: JobLedger<Document>
let clockMs: number
let alarms: { atMs: number; act: () => void }[]
let warnings: Set<string>
let reported: number
let sending: number

beforeEach(async () => {
  receiver = await startReceiver()
  poster = createReportPoster({ allowPrivateNetworks: true, answerMs: 200 })
  ledger = await memoryLedger().open<Document>(ID, { limit: Infinity, holdLevelMs: 0 })
  clockMs = 0
  alarms = []
  warnings = new Set()
  reported = 0
  sending = 0
})
afterEach(async () => {
  await poster.close()
  await receiver.close()
})

/** A webhook whose clock stands still until it is moved. */
function makeWebhook(keeping: { keepsNothing?: boolean } = {}): Webhook {
  const events = ['started', 'page', 'completed', 'cancelled', 'failed'] as const
  return new Webhook({
    id: ID,
    script: { kind: 'crawl', webhook: { url: receiver.url, headers: {}, metadata: {}, events }, ...keeping },
    tools: {
      now: () => clockMs,
      async report(report, signal) {
        sending += 1
        return poster.post(report, signal).finally(() => (sending -= 1))
      },
      alarm(afterMs, act) {
        const alarm = { atMs: clockMs + afterMs, act }
        alarms.push(alarm)
        return () => void (alarms = alarms.filter((other) => other !== alarm))
      },
    },
    ledger: Promise.resolve(ledger),
    receipts: { present: ({ document }) => document },
    record: { warnings: warnings as never, reported: () => (reported += 1) },
    error: () => undefined,
  })
}

const documentOf = (url: string, markdown = 'words'): Document =>
  ({ markdown, metadata: { url, sourceURL: url } }) as Document

/** Ends a page as a job does. */
async function endPage(webhook: Webhook, key: string, markdown?: string): Promise<void> {
  await ledger.admit([candidate(key)], 0)
  const row = await ledger.lease(at(0))
  const ending = { outcome: 'done', documents: [documentOf(`http://site.test/${key}`, markdown)], bytes: 10 } as const
  const reportAtMs = row && webhook.endAtMs(row, ending, true)
  webhook.hold(key, ending)
  await ledger.end(key, ending, { ...end, ...(reportAtMs !== undefined && { reportAtMs }) })
  webhook.look()
}

/** Lets so much time go by at once, and what it sets off come to its end. */
async function pass(ms: number): Promise<void> {
  await settle()
  clockMs += ms
  for (;;) {
    const due = alarms.filter(({ atMs }) => atMs <= clockMs)
    if (due.length === 0) return
    alarms = alarms.filter((alarm) => !due.includes(alarm))
    for (const { act } of due) act()
    await settle()
  }
}

/** Waits until nothing is on its way, and nothing is about to be. */
async function settle(): Promise<void> {
  for (let calm = 0; calm < 20; calm = sending === 0 ? calm + 1 : 0) await setImmediate()
}

const idsOf = (): string[] => receiver.received.map(({ body }) => body.webhookId)

describe('a report that is not taken', () => {
  it('is sent again after 1, 5 and 15 minutes, the same each time, and then given up', async () => {
    receiver.answer = answers.status(500)
    const webhook = makeWebhook()
    await webhook.begin()
    const times: number[] = []
    for (let minute = 0; minute <= 40; minute++) {
      const before = receiver.received.length
      await pass(minute === 0 ? 0 : MINUTE)
      if (receiver.received.length > before) times.push(minute)
    }
    expect(times).toEqual([0, 1, 6, 21])
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1)
    expect(await webhook.undelivered({})).toEqual([
      { webhookId: idsOf()[0], type: 'crawl.started', attempts: 4, error: 'answered with 500' },
    ])
    expect([...warnings].join()).toMatch(/job\.undelivered\(\)/)
    expect(alarms).toEqual([])
    await webhook.close(false)
  })

  it('is not sent a second early', async () => {
    receiver.answer = answers.status(503)
    const webhook = makeWebhook()
    await webhook.begin()
    await pass(MINUTE - 1)
    expect(receiver.received.length).toBe(1)
    await pass(1)
    expect(receiver.received.length).toBe(2)
    await webhook.close(false)
  })

  it('lets the pages go on, and keeps the end waiting; the beginning keeps all waiting', async () => {
    const webhook = makeWebhook()
    receiver.answer = answers.status(500)
    await webhook.begin()
    await endPage(webhook, 'a')
    await endPage(webhook, 'b')
    await pass(MINUTE / 2)
    expect(receiver.types).toEqual(['crawl.started'])
    receiver.answer = (response, { body }) => {
      const isBad = body.data.some(({ metadata }) => metadata.sourceURL.endsWith('/a'))
      response.writeHead(isBad ? 500 : 200).end()
    }
    await pass(MINUTE / 2)
    await endPage(webhook, 'c')
    await webhook.end('completed')
    await pass(MINUTE / 2)
    expect(receiver.types.slice(1)).toEqual(['crawl.started', 'crawl.page', 'crawl.page', 'crawl.page'])
    expect(reported).toBe(0)
    receiver.answer = answers.ok
    await pass(MINUTE)
    expect(receiver.types.slice(5)).toEqual(['crawl.page', 'crawl.completed'])
    expect(await webhook.undelivered({})).toEqual([])
    expect(reported).toBe(1)
    await webhook.close(false)
  })

  it('ends after the last page was given up, too', async () => {
    const webhook = makeWebhook()
    receiver.answer = (response, { body }) => response.writeHead(body.type === 'crawl.page' ? 400 : 200).end()
    await webhook.begin()
    await endPage(webhook, 'a')
    await webhook.end('cancelled')
    for (let minute = 0; minute < 22; minute++) await pass(MINUTE)
    expect(receiver.types).toEqual(['crawl.started', ...Array(4).fill('crawl.page'), 'crawl.cancelled'])
    expect(reported).toBe(1)
    await webhook.close(false)
  })

  it('is sent on time by a clock that is set forward, without an alarm being due', async () => {
    receiver.answer = answers.status(500)
    const webhook = makeWebhook()
    await webhook.begin()
    await settle()
    clockMs += MINUTE
    // The alarm that is there rings within a second of real time.
    expect(alarms.map(({ atMs }) => atMs)).toEqual([SECOND])
    alarms.splice(0).forEach(({ act }) => act())
    await settle()
    expect(receiver.received.length).toBe(2)
    await webhook.close(false)
  })
})

describe('many reports', () => {
  it('are on their way four at once, and each goes once', async () => {
    let underWay = 0
    let most = 0
    receiver.answer = (response) => {
      most = Math.max(most, ++underWay)
      setTimeout(() => {
        underWay -= 1
        response.end()
      }, 5)
    }
    const webhook = makeWebhook()
    await webhook.begin()
    for (let index = 0; index < 40; index++) await endPage(webhook, `k${index}`)
    await webhook.end('completed')
    await until(() => receiver.types.at(-1)).toBe('crawl.completed')
    expect(most).toBe(4)
    expect(new Set(idsOf()).size).toBe(42)
    expect(receiver.received.length).toBe(42)
    await webhook.close(false)
  })

  it('of a job that keeps nothing hold so much and no more; of what is over, its address is told', async () => {
    const webhook = makeWebhook({ keepsNothing: true })
    receiver.answer = answers.status(500)
    await webhook.begin()
    await settle()
    const mib = 1024 * 1024
    for (const [key, bytes] of [
      ['a', 20 * mib],
      ['b', 20 * mib],
      ['c', 12 * mib],
    ] as const) {
      await ledger.admit([candidate(key)], 0)
      await ledger.lease(at(0))
      const ending = { outcome: 'done', documents: [documentOf(`http://site.test/${key}`)], bytes } as const
      webhook.hold(key, ending)
      await ledger.end(key, { ...ending, documents: [] }, { ...end, reportAtMs: 0 })
    }
    await webhook.end('completed')
    receiver.answer = answers.ok
    await pass(MINUTE)
    const pages = receiver.received.map(({ body }) => body).filter(({ type }) => type === 'crawl.page')
    const told = pages.map(({ data: [page], ...body }) => [page?.metadata.sourceURL, [body.error, page?.markdown]])
    expect(Object.fromEntries(told)).toEqual({
      'http://site.test/a': [undefined, 'words'],
      'http://site.test/b': [expect.stringMatching(/no longer kept/), undefined],
      'http://site.test/c': [undefined, 'words'],
    })
    await webhook.close(false)
  })
})

describe('a webhook that is closed', () => {
  it('waits for what is due, for ten seconds at most, and for no retry', async () => {
    const webhook = makeWebhook()
    await webhook.begin()
    await settle()
    receiver.answer = answers.status(500)
    await endPage(webhook, 'a')
    await settle()
    receiver.answer = answers.ok
    await endPage(webhook, 'b')
    await webhook.close(true)
    expect(receiver.types).toEqual(['crawl.started', 'crawl.page', 'crawl.page'])
    expect(await webhook.undelivered({})).toMatchObject([{ url: 'http://site.test/a', attempts: 1 }])
    expect(alarms).toEqual([])

    const other = makeWebhook()
    receiver.answer = answers.silence
    await endPage(other, 'c')
    await other.begin()
    await until(() => receiver.received.length).toBe(4)
    const closed = other.close(true)
    await until(() => alarms.some(({ atMs }) => atMs === 10 * SECOND)).toBe(true)
    alarms.find(({ atMs }) => atMs === 10 * SECOND)?.act()
    await closed
    expect(await other.undelivered({})).toMatchObject([{ attempts: 1 }, { url: 'http://site.test/c', attempts: 0 }])
    expect(alarms).toEqual([])
  })

  it('sends nothing any more, whatever happens', async () => {
    const webhook = makeWebhook()
    await webhook.begin()
    await settle()
    await webhook.close(false)
    await endPage(webhook, 'a')
    await webhook.end('completed')
    await settle()
    expect(receiver.types).toEqual(['crawl.started'])
    expect((await webhook.undelivered({})).map(({ type }) => type)).toEqual(['crawl.page', 'crawl.completed'])
    expect(alarms).toEqual([])
  })
})

describe('a ledger that fails', () => {
  it('ends the reports, and says so', async () => {
    const webhook = makeWebhook()
    await webhook.begin()
    await settle()
    ledger.outbox.lease = async () => {
      throw new Error('the disk is full')
    }
    await endPage(webhook, 'a')
    await settle()
    expect([...warnings]).toEqual(['Reports to the webhook are no longer sent: the disk is full.'])
    await webhook.close(true)
    expect(receiver.types).toEqual(['crawl.started'])
  })
})
