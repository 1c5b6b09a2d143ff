import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { memoryCache } from '../../src/cache/caches/index.js'
import { cacheContract, fetchedPage } from '../contracts/cache.contract.js'
import { noise } from '../contracts/store.contract.js'

describe('the memory cache', () => {
  cacheContract((maxBytes) => memoryCache({ maxBytes }))

  const page = (number: number) => fetchedPage({ body: Buffer.from(`<p>${number}</p>`.repeat(3000)) })

  it('holds more than `maxBytes` of pages, because they are compressed', async () => {
    const cache = memoryCache({ maxBytes: 1_000_000 })
    for (let number = 0; number < 100; number += 1) {
      await cache.set(`k${number}`, page(number))
      await delay(1)
    }
    for (let number = 0; number < 100; number += 1) {
      const found = await cache.get(`k${number}`)
      expect(found && Buffer.compare(found.body, page(number).body)).toBe(0)
    }
    await cache.close()
  })

  it('returns the newest page of a key, also where an older one is being compressed', async () => {
    const cache = memoryCache()
    for (let number = 0; number < 50; number += 1) await cache.set(`k${number}`, page(number))
    for (let number = 0; number < 50; number += 1) await cache.set(`k${number}`, page(number + 1))
    await delay(100)
    for (let number = 0; number < 50; number += 1) {
      const found = await cache.get(`k${number}`)
      expect(found && Buffer.compare(found.body, page(number + 1).body)).toBe(0)
    }
    await cache.close()
  })

  it('keeps bytes as they are that do not become smaller', async () => {
    const cache = memoryCache()
    for (let number = 0; number < 20; number += 1)
      await cache.set(`k${number}`, fetchedPage({ body: noise(100_000, number) }))
    await delay(100)
    const found = await cache.get('k3')
    expect(found && Buffer.compare(found.body, noise(100_000, 3))).toBe(0)
    await cache.close()
  })
})
