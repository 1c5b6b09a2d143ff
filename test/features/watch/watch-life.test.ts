import { cpSync, existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { memoryLedger, sqlite } from '../../../src/index.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { DAY, nextCheck, paragraph, WatchSite } from './watch-site.js'

const plain = { every: '1d', scrapeOptions: { onlyMainContent: false } }

describe.each(['memory', 'sqlite'])('a watch that takes the name of a removed one (%s)', (kind) => {
  it('runs, though the old one was removed in the midst of a check', async () => {
    await using world = await WatchSite.start()
    world.pages.set('/a', paragraph('one'))
    world.pages.set('/b', paragraph('two'))
    const engine = world.open({ ledger: kind === 'memory' ? memoryLedger() : sqlite(world.file('watches.db')) })
    const release = world.hold()
    const old = await engine.watch({ ...plain, name: 'pages', targets: world.urls('/a') })
    await expect.poll(() => world.asked('/a')).toBe(1)
    const asking = expect(old.check()).rejects.toMatchObject({ code: 'WATCH_NOT_FOUND' })
    await expect.poll(async () => (await old.status()).checking).toBe(true)
    const [, watch] = await Promise.all([
      old.remove(),
      engine.watch({ ...plain, name: 'pages', targets: world.urls('/b') }),
    ])
    await asking
    release()
    const check = await watch.check()
    expect(check).toMatchObject({ summary: { totalPages: 1, new: 1, error: 0 } })
    expect((await watch.results()).every(({ url }) => url.endsWith('/b'))).toBe(true)
    expect(await watch.status()).toMatchObject({ running: true, pages: 1 })
  })
})

describe('an interrupted check whose request the next engine refuses', () => {
  it('ends with that error, and the watch goes on', async () => {
    await using world = await WatchSite.start()
    world.pages.set('/a', paragraph('one'))
    const release = world.hold()
    const file = world.file('asked.db')
    const model = async () => ({ text: '{}' })
    const request = { ...plain, name: 'pages', targets: world.urls('/a') }
    const first = world.open({ ledger: sqlite(file), model })
    const watch = await first.watch({ ...request, formats: ['markdown', 'summary'] })
    await expect.poll(() => world.asked('/a')).toBe(1)
    expect((await watch.status()).checking).toBe(true)
    const copy = world.file('copy.db')
    for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) cpSync(`${file}${end}`, `${copy}${end}`)
    release()
    await first.close()
    const next = world.open({ ledger: sqlite(copy) })
    // Refused as it is stored: this engine gives it back, and says why.
    const [refused] = await next.watches({ run: true })
    await expect.poll(async () => (await refused?.status())?.warning).toContain('model')
    expect((await refused?.status())?.running).toBe(false)
    const mended = await next.watch(request)
    const check = await nextCheck(mended)
    expect(check).toMatchObject({ number: 1, error: expect.stringContaining('model') as string })
    expect(await world.pass(mended, DAY)).toMatchObject({ number: 2, summary: { new: 1 } })
  })
})

describe('a watch with stored values that are damaged', () => {
  it.each([
    ['request', `UPDATE watches SET request = '{"name'`, ['status', 'change', 'check']],
    ['state', `UPDATE watches SET state = '{"checks'`, ['status', 'check']],
    ['state', `UPDATE watches SET state = '{}'`, ['status', 'check']],
    ['state', `UPDATE watches SET state = '7'`, ['status', 'check']],
    ['result', `UPDATE watch_results SET result = '{"url'`, ['results']],
  ] as const)('has a `LEDGER_ERROR` for them: `%s` by %s', async (column, sql, refused) => {
    await using world = await WatchSite.start()
    world.pages.set('/a', paragraph('one'))
    const file = world.file('damaged.db')
    const first = world.open({ ledger: sqlite(file) })
    await (await first.watch({ ...plain, name: 'pages', targets: world.urls('/a') })).check()
    await first.close()
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
    database.exec(sql)
    database.close()
    const [watch] = await world.open({ ledger: sqlite(file) }).watches()
    const calls = {
      status: () => watch?.status(),
      results: () => watch?.results(),
      change: () => watch?.change({ every: '2d' }),
      check: () => watch?.check({ signal: AbortSignal.timeout(20_000) }),
    }
    for (const call of refused)
      await expect(calls[call]()).rejects.toMatchObject({
        code: 'LEDGER_ERROR',
        message: expect.stringContaining(`\`${column}\` is damaged`) as string,
      })
  })
})
