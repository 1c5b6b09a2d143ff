import { expect, it } from 'vitest'
import { boundCache } from '../../../src/kernel/cache/bound-cache.js'
import type { CachePlan } from '../../../src/kernel/cache/cache.js'
import { memoryCache } from '../../../src/kernel/cache/caches/index.js'
import { recall } from '../../../src/kernel/cache/recall.js'
import { remember } from '../../../src/kernel/cache/remember.js'
import { fetchedPage } from '../../contracts/cache.contract.js'

const url = 'http://site.test/page'
const NOW_MS = 1_000_000
const plan: CachePlan = { read: true, write: true, maxAgeMs: Infinity, variant: '' }

it('a cache that gave no answer once is asked at once for pages that may come from it alone, and for no others', async () => {
  const inner = memoryCache()
  await remember(url, fetchedPage({ fetchedAtMs: 0 }), plan, inner)
  let isStuck = true
  const cache = boundCache({ ...inner, get: (key) => (isStuck ? new Promise(() => {}) : inner.get(key)) }, 50)
  const late = 'the cache could not be read: it took longer than 50 ms'
  expect(await recall(url, plan, cache, NOW_MS)).toEqual({ state: 'miss', warning: late })
  expect(await recall(url, plan, cache, NOW_MS)).toEqual({
    state: 'miss',
    warning: `${late} for an earlier call, and is not asked for a moment`,
  })
  for (const only of [{ minAgeMs: 1 }, { lockdown: true } as const]) {
    await expect(recall(url, { ...plan, ...only }, cache, NOW_MS)).rejects.toThrow(`(${late})`)
  }
  isStuck = false
  const pages = Array.from({ length: 5 }, async () => recall(url, { ...plan, minAgeMs: 1 }, cache, NOW_MS))
  for (const page of pages) expect(await page).toMatchObject({ state: 'hit' })
  expect(await recall(url, plan, cache, NOW_MS)).toMatchObject({ state: 'hit' })
})
