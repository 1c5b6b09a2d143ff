import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { at, candidate, end } from '../../contracts/ledger-rows.js'
import { answers } from '../../site/receiver.js'
import { donePage, reportsAt, useWebhookHarness } from './harness.js'

const until = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 20_000 })

const SECOND = 1000
const MINUTE = 60 * SECOND

const on = useWebhookHarness()

const idsOf = (): string[] => on.receiver.received.map(({ body }) => body.webhookId)

describe('a rejected report', () => {
  it('is sent again after 1, 5 and 15 minutes, the same each time, and then given up', async () => {
    on.receiver.answer = answers.status(500)
    const webhook = on.make()
    await webhook.begin()
    const times: number[] = []
    for (let minute = 0; minute <= 40; minute++) {
      const before = on.receiver.received.length
      await on.pass(minute === 0 ? 0 : MINUTE)
      if (on.receiver.received.length > before) times.push(minute)
    }
    expect(times).toEqual([0, 1, 6, 21])
    expect(new Set(on.receiver.received.map(({ raw }) => raw)).size).toBe(1)
    expect(await on.undelivered()).toEqual([
      { webhookId: idsOf()[0], type: 'crawl.started', attempts: 4, error: 'answered with 500' },
    ])
    expect([...on.warnings].join()).toMatch(/job\.undelivered\(\)/)
    expect(on.alarms).toEqual([])
    await webhook.close(false)
  })

  it('is not sent a second too early', async () => {
    on.receiver.answer = answers.status(503)
    const webhook = on.make()
    await webhook.begin()
    await on.pass(MINUTE - 1)
    expect(on.receiver.received.length).toBe(1)
    await on.pass(1)
    expect(on.receiver.received.length).toBe(2)
    await webhook.close(false)
  })

  it('delays the report of the end, and no reports of pages; a rejected report of the start delays all others', async () => {
    const webhook = on.make()
    on.receiver.answer = answers.status(500)
    await webhook.begin()
    await on.endPage(webhook, 'a')
    await on.endPage(webhook, 'b')
    await on.pass(MINUTE / 2)
    expect(on.receiver.types).toEqual(['crawl.started'])
    on.receiver.answer = (response, { body }) => {
      const isBad = body.data.some(({ metadata }) => metadata.sourceURL.endsWith('/a'))
      response.writeHead(isBad ? 500 : 200).end()
    }
    await on.pass(MINUTE / 2)
    await on.endPage(webhook, 'c')
    await webhook.end('completed')
    await on.pass(MINUTE / 2)
    expect(on.receiver.types.slice(1)).toEqual(['crawl.started', 'crawl.page', 'crawl.page', 'crawl.page'])
    expect(on.settled).toBe(0)
    on.receiver.answer = answers.ok
    await on.pass(MINUTE)
    expect(on.receiver.types.slice(5)).toEqual(['crawl.page', 'crawl.completed'])
    expect(await on.undelivered()).toEqual([])
    expect(on.settled).toBe(1)
    await webhook.close(false)
  })

  it('allows the report of the end after the last report of a page was given up', async () => {
    const webhook = on.make()
    on.receiver.answer = (response, { body }) => response.writeHead(body.type === 'crawl.page' ? 400 : 200).end()
    await webhook.begin()
    await on.endPage(webhook, 'a')
    await webhook.end('cancelled')
    for (let minute = 0; minute < 22; minute++) await on.pass(MINUTE)
    expect(on.receiver.types).toEqual(['crawl.started', ...Array(4).fill('crawl.page'), 'crawl.cancelled'])
    expect(on.settled).toBe(1)
    await webhook.close(false)
  })

  it('is sent again as soon as it is due when the clock is set forward', async () => {
    on.receiver.answer = answers.status(500)
    const webhook = on.make()
    await webhook.begin()
    await on.settle()
    // The poll timer fires within a second of real time.
    expect(on.alarms.map(({ atMs }) => atMs)).toEqual([SECOND])
    await on.jump(MINUTE)
    expect(on.receiver.received.length).toBe(2)
    await webhook.close(false)
  })

  it('does not wait for the time that a clock had before it was set back by an hour', async () => {
    on.receiver.answer = answers.status(500)
    const webhook = on.make()
    await webhook.begin()
    await on.settle()
    await on.jump(-60 * MINUTE)
    expect(on.receiver.received.length).toBe(2)
    // A wait of a quarter of an hour may be a delay.
    await on.jump(-10 * MINUTE)
    expect(on.receiver.received.length).toBe(2)
    await webhook.close(false)
  })
})

describe('many webhook reports', () => {
  it('are sent four at a time, each once', async () => {
    let underWay = 0
    let most = 0
    on.receiver.answer = (response) => {
      most = Math.max(most, ++underWay)
      setTimeout(() => {
        underWay -= 1
        response.end()
      }, 5)
    }
    const webhook = on.make()
    await webhook.begin()
    for (let index = 0; index < 40; index++) await on.endPage(webhook, `k${index}`)
    await webhook.end('completed')
    await until(() => on.receiver.types.at(-1)).toBe('crawl.completed')
    expect(most).toBe(4)
    expect(new Set(idsOf()).size).toBe(42)
    expect(on.receiver.received.length).toBe(42)
    await webhook.close(false)
  })

  it('of a job that keeps no documents hold a limited size; beyond it only the URL is reported', async () => {
    const webhook = on.make({ dropsDocuments: true })
    on.receiver.answer = answers.status(500)
    await webhook.begin()
    await on.settle()
    const mib = 1024 * 1024
    for (const [key, bytes] of [
      ['a', 20 * mib],
      ['b', 20 * mib],
      ['c', 12 * mib],
    ] as const) {
      await on.ledger.admit([candidate(key)], 0)
      const row = await on.ledger.lease(at(0))
      const ending = donePage(key, bytes)
      expect(row && webhook.take(row, ending, true)).toBe(true)
      await on.ledger.end(key, { ...ending, documents: [] }, { ...end, reports: reportsAt(0) })
    }
    await webhook.end('completed')
    on.receiver.answer = answers.ok
    await on.pass(MINUTE)
    const pages = on.receiver.received.map(({ body }) => body).filter(({ type }) => type === 'crawl.page')
    const told = pages.map(({ data: [page], ...body }) => [page?.metadata.sourceURL, [body.error, page?.markdown]])
    expect(Object.fromEntries(told)).toEqual({
      'http://site.test/a': [undefined, 'words'],
      'http://site.test/b': [expect.stringMatching(/no longer kept/), undefined],
      'http://site.test/c': [undefined, 'words'],
    })
    await webhook.close(false)
  })
})

describe('closing a webhook', () => {
  it('waits for due reports for ten seconds at most, and for no retry', async () => {
    const webhook = on.make()
    await webhook.begin()
    await on.settle()
    on.receiver.answer = answers.status(500)
    await on.endPage(webhook, 'a')
    await on.settle()
    on.receiver.answer = answers.ok
    await on.endPage(webhook, 'b')
    await webhook.close(true)
    expect(on.receiver.types).toEqual(['crawl.started', 'crawl.page', 'crawl.page'])
    expect(await on.undelivered()).toMatchObject([{ url: 'http://site.test/a', attempts: 1 }])
    expect(on.alarms).toEqual([])

    const other = on.make()
    on.receiver.answer = answers.silence
    await on.endPage(other, 'c')
    await other.begin()
    await until(() => on.receiver.received.length).toBe(4)
    const closed = other.close(true)
    await until(() => on.alarms.some(({ atMs }) => atMs === 10 * SECOND)).toBe(true)
    on.alarms.find(({ atMs }) => atMs === 10 * SECOND)?.act()
    await closed
    expect(await on.undelivered()).toMatchObject([{ attempts: 1 }, { url: 'http://site.test/c', attempts: 0 }])
    expect(on.alarms).toEqual([])
  })

  it('sets no further timer', async () => {
    const webhook = on.make()
    on.receiver.answer = answers.status(500)
    await webhook.begin()
    await on.settle()
    let release = (): void => undefined
    on.ledger.outbox('webhooks').nextAtMs = () => new Promise((resolve) => (release = () => resolve(9)))
    webhook.flush()
    await setImmediate()
    const closed = webhook.close(false)
    release()
    await closed
    expect(on.alarms).toEqual([])
  })

  it('stops all sending', async () => {
    const webhook = on.make()
    await webhook.begin()
    await on.settle()
    await webhook.close(false)
    await on.endPage(webhook, 'a')
    await webhook.end('completed')
    await on.settle()
    expect(on.receiver.types).toEqual(['crawl.started'])
    expect((await on.undelivered()).map(({ type }) => type)).toEqual(['crawl.page', 'crawl.completed'])
    expect(on.alarms).toEqual([])
  })
})

describe('a ledger that fails', () => {
  it('stops the webhook reports with a warning', async () => {
    const webhook = on.make()
    await webhook.begin()
    await on.settle()
    on.ledger.outbox('webhooks').lease = async () => {
      throw new Error('the disk is full')
    }
    await on.endPage(webhook, 'a')
    await on.settle()
    expect([...on.warnings]).toEqual(['Reports to the webhook are no longer sent: the disk is full.'])
    await webhook.close(true)
    expect(on.receiver.types).toEqual(['crawl.started'])
  })
})
