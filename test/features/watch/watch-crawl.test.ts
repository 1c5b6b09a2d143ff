import { expect, it } from 'vitest'
import { sqlite } from '../../../src/index.js'
import { findFreePort } from '../../site/find-free-port.js'
import { DAY, links, nextCheck, paragraph, statusesOf, WatchSite } from './watch-site.js'

const plain = { every: '1d', scrapeOptions: { onlyMainContent: false } }

it('asks once for a page that its crawl no longer finds, and then leaves it until it is found again', async () => {
  await using world = await WatchSite.start()
  world.pages.set('/', links(['/a', '/b', '/c']))
  for (const path of ['/a', '/b', '/c']) world.pages.set(path, paragraph(`about ${path}`))
  const crawl = { url: world.site.url('/'), sitemap: 'skip' as const }
  const watch = await world.open().watch({ ...plain, name: 'crawl', targets: [{ crawl }] })
  await nextCheck(watch)
  world.pages.set('/', links(['/c']))
  world.pages.set('/a', '500')
  await world.pass(watch, DAY)
  // An error tells nothing: it is asked again.
  expect(await statusesOf(watch, 2)).toEqual({ '/': 'changed', '/a': 'error', '/b': 'changed', '/c': 'same' })
  const unlisted = (await watch.results()).find(({ check, url }) => check === 2 && url.endsWith('/b'))
  expect(unlisted).toMatchObject({
    meaningful: true,
    statusCode: 200,
    reasons: [{ message: 'the crawl no longer finds the page, which still answers (200)' }],
  })
  world.pages.delete('/a')
  await world.pass(watch, DAY)
  expect(await statusesOf(watch, 3)).toEqual({ '/': 'same', '/a': 'removed', '/c': 'same' })
  await world.pass(watch, DAY)
  expect(await statusesOf(watch, 4)).toEqual({ '/': 'same', '/c': 'same' })
  world.pages.set('/', links(['/b', '/c']))
  await world.pass(watch, DAY)
  expect(await statusesOf(watch, 5)).toMatchObject({ '/b': 'same' })
  expect(world.asked('/b')).toBe(3)
  // A site that does not answer makes no page look removed.
  world.pages.set('/', '500')
  await world.pass(watch, DAY)
  expect(await statusesOf(watch, 6)).toEqual({ '/': 'error' })
})

it('asks for at most as many pages of the past as the `limit` of the crawl, and keeps as many removed ones', async () => {
  await using world = await WatchSite.start()
  const crawl = { url: world.site.url('/'), sitemap: 'skip' as const, limit: 3 }
  for (const path of 'abcdefgh') world.pages.set(`/${path}`, paragraph(`about ${path}`))
  world.pages.set('/', links(['/a', '/b']))
  const watch = await world
    .open({ ledger: sqlite(world.file('limit.db')) })
    .watch({ ...plain, name: 'crawl', targets: [{ crawl }] })
  await nextCheck(watch)
  for (const [one, two] of ['cd', 'ef', 'gh', 'ab']) {
    world.pages.set('/', links([`/${one}`, `/${two}`]))
    const { summary } = await world.pass(watch, DAY)
    expect(summary).toMatchObject({ totalPages: 5, removed: 0, changed: 3 })
  }
  // The start page, two pages found, and three that are found no more.
  expect((await watch.status()).pages).toBe(6)
})

it('deletes the histories of pages that no target has any more, and takes no crawl for another one', async () => {
  await using world = await WatchSite.start()
  world.pages.set('/', links(['/a']))
  for (const path of ['/a', '/b', '/c']) world.pages.set(path, paragraph(`about ${path}`))
  const crawl = { url: world.site.url('/'), sitemap: 'skip' as const }
  const targets = [...world.urls('/b'), { crawl }]
  const watch = await world.open().watch({ ...plain, every: 'auto', name: 'crawl', targets })
  await nextCheck(watch)
  expect((await watch.status()).pages).toBe(3)
  await watch.change({ targets: [{ crawl: { ...crawl, url: world.site.url('/c') } }] })
  expect(await watch.check()).toMatchObject({ summary: { totalPages: 1, new: 1, meaningful: 0, removed: 0 } })
  expect((await watch.status()).pages).toBe(1)
  expect([world.asked('/a'), world.asked('/b')]).toEqual([1, 1])
})

it('takes no page for removed that its crawl did not come to because of its `limit`', async () => {
  await using world = await WatchSite.start()
  for (const path of 'abcd') world.pages.set(`/${path}`, paragraph(`about ${path}`))
  world.pages.set('/', links(['/a', '/b']))
  const crawl = { url: world.site.url('/'), sitemap: 'skip' as const, limit: 3 }
  const watch = await world.open().watch({ ...plain, name: 'crawl', targets: [{ crawl }] })
  await nextCheck(watch)
  world.pages.set('/', links(['/c', '/d', '/a']))
  world.pages.set('/a', paragraph('another text'))
  world.pages.delete('/b')
  await world.pass(watch, DAY)
  expect(await statusesOf(watch, 2)).toEqual({
    '/': 'changed',
    '/a': 'changed',
    '/b': 'removed',
    '/c': 'new',
    '/d': 'new',
  })
})

it('does not ask for a page of the past that robots.txt forbids now, and says why', async () => {
  await using world = await WatchSite.start()
  for (const path of 'abc') world.pages.set(`/${path}`, paragraph(`about ${path}`))
  world.pages.set('/', links(['/a', '/b', '/c']))
  const crawl = { url: world.site.url('/'), sitemap: 'skip' as const }
  const watch = await world.open().watch({ ...plain, name: 'crawl', targets: [{ crawl }] })
  await nextCheck(watch)
  world.pages.set('/robots.txt', 'User-agent: *\nDisallow: /a\nDisallow: /b')
  // One is still linked, the other is not.
  world.pages.set('/', links(['/a', '/c']))
  await world.pass(watch, 2 * DAY)
  expect(await statusesOf(watch, 2)).toEqual({ '/': 'changed', '/a': 'error', '/b': 'error', '/c': 'same' })
  const errors = (await watch.results()).filter(({ status }) => status === 'error').map(({ error }) => error)
  expect(errors).toHaveLength(2)
  expect(errors.join('\n')).toMatch(/Disallow: \/a\n.*Disallow: \/b|Disallow: \/b\n.*Disallow: \/a/)
  expect([world.asked('/a'), world.asked('/b')]).toEqual([1, 1])
})

it('tells the page that a crawl of a site which is down could not read, in each check', async () => {
  await using world = await WatchSite.start()
  const url = `http://127.0.0.1:${await findFreePort()}/`
  const targets = [{ crawl: { url, sitemap: 'skip' as const } }, { url: `${url}page` }]
  const watch = await world.open().watch({ ...plain, name: 'down', targets })
  const refused = expect.stringContaining('ECONNREFUSED')
  for (const number of [1, 2]) {
    const check = number === 1 ? await nextCheck(watch) : await world.pass(watch, DAY)
    expect(check).toMatchObject({ error: refused, summary: { totalPages: 2, error: 2, removed: 0, meaningful: 0 } })
    const results = (await watch.results()).filter((result) => result.check === number)
    const failed = { status: 'error', code: 'SCRAPE_SITE_ERROR', error: refused, meaningful: false }
    expect(results).toEqual([`${url}page`, url].map((page) => expect.objectContaining({ url: page, ...failed })))
  }
})

it.each(['500', 'gone'])('takes no page for removed when a listing of its crawl is %s once', async (fault) => {
  await using world = await WatchSite.start()
  world.pages.set('/', links(['/a', '/b']))
  const listing = links(['/c', '/d', '/e'])
  world.pages.set('/b', listing)
  for (const path of ['/a', '/c', '/d', '/e']) world.pages.set(path, paragraph(`about ${path}`))
  const crawl = { url: world.site.url('/'), sitemap: 'skip' as const }
  const watch = await world.open().watch({ ...plain, name: 'crawl', targets: [{ crawl }] })
  await nextCheck(watch)
  if (fault === '500') world.pages.set('/b', '500')
  else world.pages.delete('/b')
  world.pages.delete('/e')
  world.pages.set('/d', paragraph('about something else'))
  const { warning, summary } = await world.pass(watch, DAY)
  expect(summary).toMatchObject({ totalPages: 6 })
  expect(await statusesOf(watch, 2)).toEqual({
    '/': 'same',
    '/a': 'same',
    '/b': fault === '500' ? 'error' : 'removed',
    '/c': 'same',
    '/d': 'changed',
    '/e': 'removed',
  })
  expect(warning).toMatch(
    /^The crawl of .* may not have seen all of its site \(1 page .*3 pages that it did not find were asked for/,
  )
  world.pages.set('/b', listing)
  const whole = await world.pass(watch, DAY)
  expect(whole.warning).toBeUndefined()
  expect(await statusesOf(watch, 3)).toEqual({
    '/': 'same',
    '/a': 'same',
    '/b': fault === '500' ? 'same' : 'new',
    '/c': 'same',
    '/d': 'same',
    '/e': 'same',
  })
})
