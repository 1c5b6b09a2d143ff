import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../../src/base/store/stores/index.js'
import { noise, storeContract } from '../../contracts/store.contract.js'

describe('the memory store', () => {
  storeContract({ make: (maxBytes) => memoryStore({ maxBytes }), isBounded: true })

  it('evicts nothing without `maxBytes`', async () => {
    const store = memoryStore()
    for (let i = 0; i < 100; i++) await store.set(`k${i}`, { facts: i, bodies: { page: noise(1000, i) } })
    expect((await store.get('k0'))?.facts).toBe(0)
    await store.close()
  })
})
