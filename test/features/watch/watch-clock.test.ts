import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../../src/index.js'
import { DAY, HOUR, nextCheck, paragraph, WatchSite } from './watch-site.js'

const plain = { name: 'pages', scrapeOptions: { onlyMainContent: false } }

describe.each([{ every: '1d' }, { cron: '0 9 * * *' }, { every: 'auto' }])('a watch with %o', (schedule) => {
  it('goes on after a clock that was ten years ahead', async () => {
    await using world = await WatchSite.start()
    world.pages.set('/a', paragraph('one'))
    const rightMs = world.nowMs
    world.nowMs += 3650 * DAY
    const watch = await world.open().watch({ ...plain, ...schedule, targets: world.urls('/a') })
    await watch.check()
    world.nowMs = rightMs
    await expect
      .poll(async () => Date.parse((await watch.status()).nextCheckAt ?? ''), { timeout: 5000 })
      .toBeLessThanOrEqual(rightMs + DAY + HOUR)
    const { checks } = await watch.status()
    expect((await world.pass(watch, DAY + HOUR)).number).toBe(checks + 1)
  })

  it('makes no check twice when the clock is set back by an hour', async () => {
    await using world = await WatchSite.start()
    world.pages.set('/a', paragraph('one'))
    const watch = await world.open().watch({ ...plain, ...schedule, targets: world.urls('/a') })
    await watch.check()
    await world.pass(watch, DAY + HOUR)
    const { checks, nextCheckAt = '' } = await watch.status()
    world.nowMs -= HOUR
    await watch.pause()
    await watch.resume()
    await expect.poll(async () => (await watch.status()).running).toBe(true)
    expect(await watch.status()).toMatchObject({ checks })
    world.nowMs = Date.parse(nextCheckAt) + HOUR
    await expect.poll(async () => (await watch.status()).checks).toBe(checks + 1)
  })
})

/** Watches the pages of a site. Arguments: the file, and the URLs. */
const watcher = `
  import { createEngine, sqlite } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
  const [file, nowMs, ...urls] = process.argv.slice(1)
  const engine = createEngine({
    ledger: sqlite(file), allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false, now: () => Number(nowMs),
    maxConcurrency: 1,
  })
  await engine.watch({ name: 'pages', every: '1d', targets: [{ urls }], scrapeOptions: { onlyMainContent: false } })`

it('makes one check after a process was killed in the midst of a check, and three days without one', async () => {
  await using world = await WatchSite.start()
  const paths = ['/a', '/b', '/c']
  for (const path of paths) world.pages.set(path, paragraph(`about ${path}`))
  const file = world.file('killed.db')
  const [{ urls } = { urls: [] }] = world.urls(...paths)
  const script = ['--input-type=module', '-e', watcher, file, `${world.nowMs}`, ...urls]
  const release = world.hold()
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  await expect.poll(() => world.asked('/a'), { timeout: 30_000 }).toBe(1)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  release()
  world.nowMs += 3 * DAY
  const [watch] = await world.open({ ledger: sqlite(file) }).watches({ run: true })
  if (!watch) throw new Error('no watch')
  expect(await nextCheck(watch)).toMatchObject({ number: 1, summary: { totalPages: 3, new: 3 } })
  const { checks, nextCheckAt = '' } = await watch.status()
  expect(checks).toBe(1)
  expect(Date.parse(nextCheckAt)).toBeGreaterThan(world.nowMs)
  expect((await watch.results()).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
})
