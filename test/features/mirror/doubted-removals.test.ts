import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mirrorTo, sqliteTable } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-doubted-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const HOUR_MS = 60 * 60 * 1000
const NIGHT_MS = 24 * HOUR_MS
const listPaths = (count: number): string[] => Array.from({ length: count }, (_, index) => `/p${index}`)

/** Opens a mirror whose site has a start page that links to as many pages. */
async function open(count: number, start = '/') {
  const opened = await openChangingSite(on, { '/': listPaths(count) })
  const { engine, pages, clock } = opened
  const mirror = engine.mirror({ url: new URL(start, opened.start).href }, mirrorTo(join(folder, 'out')))
  const link = (paths: readonly string[]) => pages.set('/', { links: paths })
  const wait = (ms: number) => void (clock.now += ms)
  return { ...opened, mirror, link, wait, paths: listPaths(count) }
}

describe('a crawl that does not find most of a mirror', () => {
  it.each([2, 7, 13, 30])(
    'removes nothing of a mirror of 1 + %i pages when the start page has no links',
    async (count) => {
      const { mirror, link, wait, paths } = await open(count)
      expect(await mirror.sync()).toMatchObject({ new: count + 1, gaps: [] })
      link([])
      for (let night = 0; night < 3; night += 1) {
        const { removed, kept, gaps } = await mirror.sync()
        expect([removed, kept]).toEqual([0, count])
        expect(gaps).toEqual([expect.stringContaining('The start page leads to no other page')])
        wait(NIGHT_MS)
      }
      link(paths)
      expect(await mirror.sync()).toMatchObject({ new: 0, removed: 0, unchanged: count, gaps: [] })
    },
  )

  it('removes nothing when every page says that the site is back soon, or says nothing', async () => {
    const { mirror, pages, wait, paths } = await open(7)
    await mirror.sync()
    for (const text of ['Back soon', '']) {
      for (const path of ['/', ...paths]) pages.set(path, { links: [], text })
      expect(await mirror.sync()).toMatchObject({ removed: 0, kept: 7 })
      wait(NIGHT_MS)
    }
    expect(await mirror.status()).toMatchObject({ pages: 8 })
  })

  it.each([
    ['small', 6],
    ['large', 20],
  ])('is believed when one of the next night does not find them either: a %s mirror', async (_, count) => {
    const { mirror, link, wait, paths } = await open(count)
    await mirror.sync()
    const left = paths.slice(0, 1)
    link(left)
    const first = await mirror.sync()
    expect(first).toMatchObject({ removed: 0, kept: count - 1 })
    expect(first.gaps).toEqual([
      `${count - 1} of ${count + 1} pages were not found: the site may be in maintenance. A crawl after 2026-11-21T06:00:00.000Z that ` +
        'does not find them either removes them; `maxRemoved: 1` does at once.',
    ])
    wait(HOUR_MS)
    const second = await mirror.sync()
    expect(second).toMatchObject({ removed: 0, kept: count - 1, gaps: first.gaps })
    wait(NIGHT_MS - HOUR_MS)
    expect(await mirror.sync()).toMatchObject({ removed: count - 1, kept: 0, gaps: [] })
    expect(await mirror.verify()).toMatchObject({ ok: true, compared: 2 })
  })

  it('is forgotten when the next one finds the pages', async () => {
    const { mirror, link, wait, paths } = await open(6)
    await mirror.sync()
    for (let night = 0; night < 3; night += 1) {
      link(['/p0'])
      expect(await mirror.sync()).toMatchObject({ removed: 0, kept: 5 })
      wait(NIGHT_MS)
      link(paths)
      expect(await mirror.sync()).toMatchObject({ removed: 0, kept: 0, gaps: [] })
      wait(NIGHT_MS)
    }
  })

  it('does not confirm what a crawl that did not see the whole site has missed', async () => {
    const { mirror, link, wait, failures } = await open(6)
    await mirror.sync()
    link(['/p0'])
    failures.set('/p0', [403])
    expect(await mirror.sync()).toMatchObject({ removed: 0, kept: 5 })
    wait(NIGHT_MS)
    const { removed, gaps } = await mirror.sync()
    expect([removed, gaps]).toEqual([0, [expect.stringContaining('5 of 7 pages were not found')]])
  })

  it('removes nothing when a site answers 404 for most pages, until the next night does so too', async () => {
    const { mirror, pages, wait, paths } = await open(6)
    await mirror.sync()
    for (const path of paths.slice(1)) pages.delete(path)
    const first = await mirror.sync()
    expect(first).toMatchObject({ removed: 0, kept: 5, pages: { kept: { length: 5 } } })
    expect(first.gaps).toEqual([
      '5 of 7 pages answered 404 or 410: the site may be broken. A crawl after 2026-11-21T06:00:00.000Z that has the same answers ' +
        'removes them; `maxRemoved: 1` does at once.',
    ])
    for (const path of paths) pages.set(path, { links: [] })
    expect(await mirror.sync()).toMatchObject({ new: 0, removed: 0, kept: 0, gaps: [] })
    for (const path of paths.slice(1)) pages.delete(path)
    wait(NIGHT_MS)
    expect(await mirror.sync()).toMatchObject({ removed: 0, kept: 5 })
    wait(NIGHT_MS)
    expect(await mirror.sync()).toMatchObject({ removed: 5, kept: 0, gaps: [] })
    expect(await mirror.verify()).toMatchObject({ ok: true, compared: 2 })
  })

  it.each([0, 1, 6])('removes nothing when every page answers 404: a mirror of 1 + %i pages', async (count) => {
    const { mirror, pages, wait, link, paths } = await open(count)
    await mirror.sync()
    pages.clear()
    const { removed, kept, gaps } = await mirror.sync()
    expect([removed, kept]).toEqual([0, count + 1])
    expect(gaps.join(' ')).toContain('answered 404 or 410')
    link(paths)
    for (const path of paths) pages.set(path, { links: [] })
    expect(await mirror.sync()).toMatchObject({ new: 0, removed: 0, kept: 0 })
    pages.clear()
    wait(NIGHT_MS)
    await mirror.sync()
    wait(NIGHT_MS)
    // The crawl has met no other page: nothing is known of those.
    expect(await mirror.sync()).toMatchObject({ removed: 1, kept: count })
  })

  it('removes nothing when half is not found and a few are gone, which together is too much', async () => {
    const { mirror, pages, link, paths } = await open(7)
    await mirror.sync()
    link(paths.slice(3))
    for (const path of paths.slice(5)) pages.delete(path)
    const { removed, kept, gaps } = await mirror.sync()
    expect([removed, kept, gaps]).toEqual([
      0,
      5,
      [expect.stringContaining('2 of 8 pages answered 404 or 410, and 3 were not found')],
    ])
  })

  it('removes a few that are gone, also where the crawl did not see the whole site', async () => {
    const { mirror, pages, failures } = await open(6)
    await mirror.sync()
    failures.set('/p0', [403])
    pages.delete('/p1')
    expect(await mirror.sync()).toMatchObject({ removed: 1, kept: 0, failed: 1 })
  })

  it('removes at once with `maxRemoved: 1` what answers 404', async () => {
    const { engine, start, pages, paths } = await open(6)
    const mirror = engine.mirror({ url: start }, mirrorTo(join(folder, 'out')), { maxRemoved: 1 })
    await mirror.sync()
    for (const path of paths.slice(1)) pages.delete(path)
    expect(await mirror.sync()).toMatchObject({ removed: 5, kept: 0, gaps: [] })
  })

  it('never removes what it did not find, or what is gone, with `maxRemoved: 0`', async () => {
    const { engine, start, link, wait, pages, paths } = await open(6)
    const mirror = engine.mirror({ url: start }, mirrorTo(join(folder, 'out')), { maxRemoved: 0 })
    await mirror.sync()
    for (const left of [paths.slice(1), ['/p0']]) {
      link(left)
      for (let night = 0; night < 3; night += 1) {
        const kept = paths.length - left.length
        const gaps = [`${kept} of 7 pages were not found: \`maxRemoved: 0\` keeps them.`]
        expect(await mirror.sync()).toMatchObject({ removed: 0, kept, gaps })
        wait(NIGHT_MS)
      }
    }
    link(paths)
    pages.delete('/p1')
    for (let night = 0; night < 3; night += 1) {
      const gaps = ['1 of 7 pages answered 404 or 410: `maxRemoved: 0` keeps them.']
      expect(await mirror.sync()).toMatchObject({ removed: 0, kept: 1, gaps })
      wait(NIGHT_MS)
    }
  })

  it('removes at once with `maxRemoved: 1`, also from a table', async () => {
    const { engine, start, link } = await open(6)
    const mirror = engine.mirror({ url: start }, sqliteTable(join(folder, 'out.db')), { maxRemoved: 1 })
    await mirror.sync()
    link([])
    expect(await mirror.sync()).toMatchObject({ removed: 6, kept: 0, gaps: [] })
  })
})

describe('a mirror whose start page is another one', () => {
  it('removes what it does not find by the second crawl that sees the whole site', async () => {
    const { engine, mirror, start, failures, pages } = await open(2)
    pages.set('/p0', { links: ['/p0/x'] })
    pages.set('/p0/x', { links: [] })
    await mirror.sync()
    const other = engine.mirror({ url: `${start}p0` }, mirrorTo(join(folder, 'out')))
    failures.set('/p0/x', [403])
    expect(await other.sync()).toMatchObject({ removed: 0, kept: 2, failed: 1 })
    const { removed, gaps, warnings } = await other.sync()
    expect([removed, gaps]).toEqual([0, [expect.stringContaining(`The mirror was one of ${start}: `)]])
    expect(warnings).toEqual([expect.stringContaining(`was a mirror of ${start}. `)])
    expect(await other.sync()).toMatchObject({ removed: 2, gaps: [] })
  })

  it('removes nothing when the first start page is back', async () => {
    const { engine, mirror, start } = await open(2)
    await mirror.sync()
    const wrong = engine.mirror({ url: `${start}p0` }, mirrorTo(join(folder, 'out')))
    expect(await wrong.sync()).toMatchObject({ removed: 0, kept: 2 })
    expect(await mirror.sync()).toMatchObject({ new: 0, removed: 0, kept: 0, gaps: [] })
  })
})
