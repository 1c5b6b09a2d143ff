import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { memoryCache } from '../../../src/kernel/cache/caches/index.js'
import { CompressedPages } from '../../../src/kernel/cache/caches/memory.js'
import { cacheContract, fetchedPage } from '../../contracts/cache.contract.js'
import { noise } from '../../contracts/store.contract.js'

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

  const text = (length: number, seed: number) => Buffer.from(noise((length * 3) / 4, seed)).toString('base64')
  const textPage = (length: number, seed: number) => fetchedPage({ body: Buffer.from(text(length, seed)) })

  it('holds at most `maxBytes`, also where a small page is read between large ones', async () => {
    const cache = new CompressedPages(1_260_000)
    for (let number = 0; number < 16; number += 1) {
      await cache.set(`small${number}`, textPage(50, number))
      await cache.set(`large${number}`, textPage(750_000, number))
      for (let read = 0; read <= number; read += 1) expect(await cache.get(`small${read}`)).toBeDefined()
      expect(cache.heldBytes).toBeLessThanOrEqual(1_260_000)
    }
    expect(await cache.get('large15')).toBeDefined()
    await cache.close()
    expect(cache.heldBytes).toBe(0)
  })

  it('holds at most `maxBytes`, and the pages that are read, where their neighbours are evicted', async () => {
    const maxBytes = 1_000_000
    const cache = new CompressedPages(maxBytes)
    for (let number = 0; number < 400; number += 1) {
      await cache.set(`k${number}`, textPage(number % 10 === 0 ? 1000 : 10_000, number))
      if (number % 5 > 0) continue
      for (let read = 0; read <= number; read += 10) await cache.get(`k${read}`)
      expect(cache.heldBytes).toBeLessThanOrEqual(maxBytes)
    }
    const found = await Promise.all(Array.from({ length: 400 }, (_, number) => cache.get(`k${number}`)))
    expect(found.filter((_, number) => number % 10 === 0).every(Boolean)).toBe(true)
    expect(found.filter(Boolean).length).toBeGreaterThan(80)
    for (const number of [0, 160, 399])
      expect(found[number]?.body).toEqual(new Uint8Array(textPage(number % 10 === 0 ? 1000 : 10_000, number).body))
    await cache.close()
  })

  it('stores a page larger than `maxBytes` that is smaller when it is compressed', async () => {
    const cache = memoryCache()
    const body = Buffer.from('<li><a href="/somewhere">a link</a></li>'.repeat(450_000))
    await cache.set('k', fetchedPage({ body }))
    const found = await cache.get('k')
    expect(found && Buffer.compare(found.body, body)).toBe(0)
    await cache.close()
  })

  it('drops the earlier page of a key when the newer one is too large', async () => {
    const cache = memoryCache({ maxBytes: 100_000 })
    await cache.set('k', fetchedPage())
    await cache.set('k', fetchedPage({ body: noise(100_000, 1) }))
    expect(await cache.get('k')).toBeUndefined()
    await cache.close()
  })

  it('keeps all pages that fit compressed, also when they are set in one turn', async () => {
    const cache = memoryCache()
    const markup = '<div class="row"><span>text</span></div>'.repeat(400)
    const bodyOf = (number: number) => Buffer.from(`${markup}${text(4000, number)}`)
    const numbers = Array.from({ length: 1000 }, (_, number) => number)
    await Promise.all(numbers.map((number) => cache.set(`k${number}`, fetchedPage({ body: bodyOf(number) }))))
    const found = await Promise.all(numbers.map((number) => cache.get(`k${number}`)))
    expect(found.filter(Boolean)).toHaveLength(1000)
    expect(found[500]?.body).toEqual(new Uint8Array(bodyOf(500)))
    await cache.close()
  })
})
