import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createEngine,
  type Engine,
  type EngineConfig,
  memoryLedger,
  sqlite,
  type Watch,
  type WatchCheck,
} from '../../../src/index.js'
import { maskSecrets } from '../../../src/features/watch/mask-secrets.js'
import { useSqliteFiles } from '../../kernel/ledger/use-sqlite-files.js'
import { sendPage } from '../../site/exchange.js'
import { answers, type Receiver, startReceiver } from '../../site/receiver.js'
import { type Site, startSite } from '../../site/site.js'

const { newFile } = useSqliteFiles()
const DAY = 86_400_000
let [site, receiver]: [Site, Receiver] = [] as never
let engine: Engine | undefined
let [text, nowMs] = ['', Date.UTC(2026, 0, 5)]

const page = (paragraph: string): string =>
  `<main><h1>Page</h1><p>${paragraph}</p><p>The same in each version.</p></main>`

beforeEach(async () => {
  text = page('It costs $10.')
  nowMs = Date.UTC(2026, 0, 5)
  site = await startSite({ pages: { '/a': (exchange) => sendPage(exchange, text) } })
  receiver = await startReceiver()
})

afterEach(async () => {
  await engine?.close({ drain: false })
  await receiver.close()
  await site.close()
})

const open = (config: EngineConfig = {}): Engine =>
  (engine = createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    cache: false,
    now: () => nowMs,
    ...config,
  }))

const request = () => ({
  name: 'reported',
  targets: [{ url: site.url('/a') }],
  every: '1d',
  scrapeOptions: { onlyMainContent: false },
})

async function pass(watch: Watch, ms: number): Promise<WatchCheck> {
  const checked = new Promise<WatchCheck>((resolve) => {
    const listen = (check: WatchCheck): void => {
      watch.off('check', listen)
      resolve(check)
    }
    watch.on('check', listen)
  })
  nowMs += ms
  return await checked
}

const types = (): string[] => receiver.received.map(({ body }) => body.type)

describe('the webhook of a watch', () => {
  it('receives signed reports of pages that are not the same, and of the end of each check', async () => {
    const webhook = { url: receiver.url, metadata: { team: 'prices' } }
    const watch = await open({ webhookSecret: 'secret' }).watch({ ...request(), webhook })
    await pass(watch, 0)
    await pass(watch, DAY)
    text = page('It costs $12.')
    await pass(watch, DAY)
    await expect
      .poll(types)
      .toEqual([
        'monitor.page',
        'monitor.check.completed',
        'monitor.check.completed',
        'monitor.page',
        'monitor.check.completed',
      ])
    const [, , , changed, completed] = receiver.received
    expect(changed?.body).toMatchObject({
      success: true,
      metadata: { team: 'prices' },
      data: [
        {
          url: site.url('/a'),
          status: 'changed',
          isMeaningful: true,
          judgment: {
            meaningful: true,
            confidence: 'high',
            reason: 'price: $10 → $12',
            meaningfulChanges: [
              {
                type: 'changed',
                before: expect.stringContaining('$10'),
                after: expect.stringContaining('$12'),
                reason: 'price: $10 → $12',
              },
            ],
          },
          error: null,
        },
      ],
    })
    expect(completed?.body).toMatchObject({
      id: changed?.body.id,
      data: [{ status: 'completed', summary: { totalPages: 1, changed: 1, meaningful: 1 } }],
    })
    const signature = `sha256=${createHmac('sha256', 'secret')
      .update(changed?.raw ?? '')
      .digest('hex')}`
    expect(changed?.headers['x-firecrawl-signature']).toBe(signature)
  })

  it('is asked again with the same `webhookId` after a failure, and gets only the events that it named', async () => {
    receiver.answer = answers.status(500)
    const webhook = { url: receiver.url, events: ['check.completed'] as const }
    const watch = await open().watch({ ...request(), webhook })
    await expect.poll(() => receiver.received.length).toBe(1)
    receiver.answer = answers.ok
    nowMs += 61_000
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(new Set(receiver.received.map(({ body }) => body.webhookId)).size).toBe(1)
    expect(types()).toEqual(['monitor.check.completed', 'monitor.check.completed'])
    expect((await watch.status()).warning).toBeUndefined()
  })

  it.each([
    ['memory', memoryLedger],
    ['file', () => sqlite(newFile())],
  ])('is asked again when the clock was set back by an hour: %s', async (_, openLedger) => {
    receiver.answer = answers.status(500)
    const webhook = { url: receiver.url, events: ['check.completed'] as const }
    await open({ ledger: openLedger() }).watch({ ...request(), webhook })
    await expect.poll(() => receiver.received.length).toBe(1)
    receiver.answer = answers.ok
    nowMs -= 3_600_000
    await expect.poll(() => receiver.received.length).toBe(2)
  })
})

describe.each([
  ['memory', memoryLedger],
  ['file', () => sqlite(newFile())],
])('closing the engine right after a check: %s', (_, openLedger) => {
  it('sends the reports of the check first', async () => {
    // One that takes a moment: the second report is not begun when the engine closes.
    receiver.answer = (response) => void setTimeout(() => response.end(), 50)
    const opened = open({ ledger: openLedger() })
    const watch = await opened.watch({ ...request(), webhook: receiver.url })
    await watch.check()
    await opened.close()
    expect(types()).toEqual(['monitor.page', 'monitor.check.completed'])
  })

  it('tells once that reports were not delivered, and the status has their number', async () => {
    receiver.answer = answers.status(500)
    const ledger = openLedger()
    const opened = open({ ledger })
    const watch = await opened.watch({ ...request(), webhook: receiver.url })
    const problems: string[] = []
    watch.on('problem', ({ message }) => problems.push(message))
    await watch.check()
    await expect
      .poll(async () => (await watch.status()).warning)
      .toBe('2 reports wait for another attempt at the webhook: answered with 500')
    await opened.close()
    expect(problems).toEqual(['A report was not delivered, and is sent again later: answered with 500'])
    expect(types()).toEqual(['monitor.page', 'monitor.check.completed'])
  })
})

it('a status in another process has the number of reports that wait, and `close({ drain: false })` sends none', async () => {
  const file = newFile()
  receiver.answer = answers.status(500)
  const first = open({ ledger: sqlite(file) })
  await (await first.watch({ ...request(), webhook: receiver.url })).check()
  await first.close()
  const [stored] = await open({ ledger: sqlite(file) }).watches()
  expect((await stored?.status())?.warning).toBe('2 reports wait for another attempt at the webhook')
  await engine?.close()

  receiver.answer = answers.silence
  const third = open({ ledger: sqlite(newFile()) })
  const watch = await third.watch({ ...request(), webhook: receiver.url })
  await watch.check()
  await third.close({ drain: false })
  expect(types().length).toBeLessThan(4)
})

it('deletes the reports that wait for a webhook that is replaced or removed', async () => {
  receiver.answer = answers.status(500)
  const watch = await open().watch({ ...request(), webhook: receiver.url })
  await pass(watch, 0)
  await expect.poll(() => receiver.received.length).toBe(2)
  const other = await startReceiver()
  await watch.change({ webhook: other.url })
  // The runner sees the change before the reports are due again.
  await pass(watch, DAY)
  await expect.poll(() => other.received.map(({ body }) => body.type)).toEqual(['monitor.check.completed'])
  expect(receiver.received).toHaveLength(2)
  await other.close()
})

it('`status()` gives no secrets away, and they stay when the watch is changed', async () => {
  const headers = { authorization: 'Bearer secret' }
  const actions = [{ type: 'write', selector: '#password', text: 'secret' }]
  const watch = await open().watch({
    ...request(),
    scrapeOptions: { onlyMainContent: false, headers },
    webhook: { url: receiver.url, headers },
  })
  const { request: shown } = await watch.status()
  expect(JSON.stringify(shown)).not.toContain('secret')
  expect(shown).toMatchObject({ webhook: { headers: { authorization: '***' } }, every: '1d' })
  expect(maskSecrets({ actions, targets: [{ url: 'https://me:secret@example.com/a' }] })).toEqual({
    actions: [{ type: 'write', selector: '#password', text: '***' }],
    targets: [{ url: 'https://***@example.com/a' }],
  })
  await watch.change({ every: '2d' })
  await watch.check()
  await expect.poll(() => receiver.received.at(-1)?.headers['authorization']).toBe('Bearer secret')
})

describe('a watch with a `goal`', () => {
  it('asks the model in doubt only', async () => {
    const asked: string[] = []
    const model = async ({ prompt }: { prompt: string }) => {
      asked.push(prompt)
      return { text: '{"matters": false, "reason": "It is about the weather."}' }
    }
    const watch = await open({ model }).watch({ ...request(), goal: 'changes of the price' })
    await pass(watch, 0)
    text = page('It costs $10. It rains.')
    await pass(watch, DAY)
    text = page('It costs $12. It rains.')
    await pass(watch, DAY)
    const [, words, price] = await watch.results()
    expect(words).toMatchObject({
      status: 'changed',
      meaningful: false,
      judgedBy: 'model',
      confidence: 'medium',
      reasons: [{ message: 'It is about the weather.' }],
    })
    expect(price).toMatchObject({
      meaningful: true,
      judgedBy: 'rules',
      confidence: 'high',
      reasons: [{ field: 'price', message: 'price: $10 → $12' }],
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('Goal: changes of the price')
  })

  it('says so when the model cannot be asked, and follows the rules', async () => {
    const model = async () => Promise.reject(new Error('no quota'))
    const watch = await open({ model, modelOptions: { maxRetries: 0 } }).watch({
      ...request(),
      goal: 'changes of the price',
    })
    await pass(watch, 0)
    text = page('It costs $10. It rains.')
    await pass(watch, DAY)
    const [, words] = await watch.results()
    expect(words).toMatchObject({
      meaningful: true,
      judgedBy: 'rules',
      confidence: 'low',
      warning: expect.stringContaining('could not be asked') as string,
    })
  })
})

it('`fields` names the kinds of changes that are meaningful', async () => {
  const watch = await open().watch({ ...request(), fields: ['price'] })
  await pass(watch, 0)
  text = page('It costs $10. It rains.')
  await pass(watch, DAY)
  text = page('It costs $9. It rains.')
  await pass(watch, DAY)
  expect((await watch.results()).map(({ meaningful }) => meaningful)).toEqual([false, false, true])
})
