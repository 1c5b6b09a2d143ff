import { describe, expect, it } from 'vitest'
import { features } from '../../../src/features/index.js'
import { type FormatItem, memoryLedger, sqlite } from '../../../src/index.js'
import { DAY, nextCheck, paragraph, WatchSite } from './watch-site.js'

const plain = { name: 'pages', every: '1d', scrapeOptions: { onlyMainContent: false } }

describe('check()', () => {
  it('is answered by a check under way of which no page has a result yet', async () => {
    await using world = await WatchSite.start()
    for (const path of ['/a', '/b']) world.pages.set(path, paragraph(`about ${path}`))
    const engine = world.open()
    const release = world.hold()
    const watches = await Promise.all(
      ['/a', '/b'].map((path) => engine.watch({ ...plain, name: path, targets: world.urls(path) })),
    )
    await expect.poll(() => world.asked('/a') + world.asked('/b')).toBe(2)
    const checks = Promise.all(watches.map((watch) => watch.check()))
    await Promise.all(watches.map((watch) => watch.status()))
    release()
    expect((await checks).map(({ number }) => number)).toEqual([1, 1])
    expect([world.asked('/a'), world.asked('/b')]).toEqual([1, 1])
    // A later call has a check of its own.
    expect(await watches[0]?.check()).toMatchObject({ number: 2, trigger: 'call' })
  })

  it('runs a watch that no process runs, until that check has ended', async () => {
    await using world = await WatchSite.start()
    world.pages.set('/a', paragraph('one'))
    const file = world.file('alone.db')
    const first = world.open({ ledger: sqlite(file) })
    await nextCheck(await first.watch({ ...plain, targets: world.urls('/a') }))
    await first.close()
    const [watch] = await world.open({ ledger: sqlite(file) }).watches()
    expect(await watch?.status()).toMatchObject({ running: false })
    const [one, two] = await Promise.all([watch?.check(), watch?.check()])
    expect(one).toMatchObject({ number: 2, trigger: 'call' })
    expect(two?.number).toBeGreaterThanOrEqual(2)
    await expect.poll(async () => (await watch?.status())?.running).toBe(false)
    world.nowMs += 2 * DAY
    const stopped = AbortSignal.abort(new Error('enough'))
    await expect(watch?.check({ signal: stopped })).rejects.toThrow('enough')
  })

  it('ends with its signal, and says why no process can make it', async () => {
    await using world = await WatchSite.start()
    world.pages.set('/a', paragraph('one'))
    const file = world.file('refused.db')
    const first = world.open({ ledger: sqlite(file), model: async () => ({ text: '{}' }) })
    const targets = world.urls('/a')
    const watch = await first.watch({ ...plain, targets, formats: ['markdown', 'summary'] })
    await nextCheck(watch)
    world.hold()
    await expect(watch.check({ signal: AbortSignal.timeout(100) })).rejects.toMatchObject({ name: 'TimeoutError' })
    world.gate = Promise.resolve()
    await first.close({ drain: false })
    const [refused] = await world.open({ ledger: sqlite(file) }).watches()
    await expect(refused?.check()).rejects.toThrow('model')
  })
})

describe('watch()', () => {
  it('knows the formats of features', async () => {
    await using world = await WatchSite.start()
    const engine = world.open()
    const types = features.flatMap(({ formats = [] }) => formats.map(({ type }) => type as FormatItem))
    for (const type of types) {
      const refusal = await engine
        .watch({ ...plain, targets: world.urls('/a'), formats: [type] })
        .then(() => '', String)
      expect(refusal, JSON.stringify(type)).not.toContain('is not known')
    }
  })

  it('is shared by engines with one ledger in memory, and refused by a ledger that keeps nothing', async () => {
    await using world = await WatchSite.start()
    const ledger = memoryLedger()
    await world.open({ ledger }).watch({ ...plain, targets: world.urls('/a') })
    expect(await world.open({ ledger, resume: false }).watches()).toHaveLength(1)
    const { open, forget, close } = memoryLedger()
    const engine = world.open({ ledger: { open, forget, close } })
    await expect(engine.watch({ ...plain, targets: world.urls('/a') })).rejects.toMatchObject({ code: 'NOT_AVAILABLE' })
  })
})
