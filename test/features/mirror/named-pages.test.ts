import { expect, it } from 'vitest'
import { mirrorWith } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()

it('a summary names the first 100 pages of each kind, and those that failed with the reason', async () => {
  const paths = Array.from({ length: 104 }, (_, index) => `/p${index}`)
  const { engine, start, pages, failures } = await openChangingSite(
    on,
    { '/': paths },
    {},
    { retry: { maxRetries: 0 } },
  )
  const mirror = engine.mirror(
    { url: start, maxConcurrency: 1 },
    mirrorWith(() => undefined, { name: 'named' }),
  )
  const first = await mirror.sync()
  expect(first).toMatchObject({ new: 105, failed: 0 })
  expect(first.pages?.new).toHaveLength(100)
  expect(first.failures).toBeUndefined()
  const [broken = '', refused = '', ...others] = paths
  failures.set(
    broken,
    Array.from({ length: 9 }, () => 0),
  )
  failures.set(refused, [403])
  for (const path of others) failures.set(path, [403])
  pages.set('/', { links: paths, text: 'New.' })
  const second = await mirror.sync()
  expect(second).toMatchObject({ failed: 104, changed: 1, pages: { changed: [start] } })
  expect(second.failures).toHaveLength(100)
  const reasons = new Map(second.failures?.map(({ url, reason }) => [url, reason]))
  expect(reasons.get(on.site.url(broken))).toMatch(/^[A-Z_]+: ./)
  expect(reasons.get(on.site.url(refused))).toBe('403')
  expect((await mirror.status()).summary).not.toHaveProperty('failures')
})

it('a summary names the pages that stay, and those that are removed later', async () => {
  const { engine, start, pages, failures } = await openChangingSite(on, { '/': ['/a', '/b', '/c'] })
  const mirror = engine.mirror(
    { url: start },
    mirrorWith(() => undefined, { name: 'named' }),
  )
  await mirror.sync()
  pages.set('/', { links: ['/a', '/b'] })
  failures.set('/a', [403])
  expect((await mirror.sync()).pages).toEqual({ changed: [start], kept: [`${start}c`] })
  expect((await mirror.sync()).pages).toEqual({ removed: [`${start}c`] })
})
