import { describe, expect, it } from 'vitest'
import { keyvStore, memoryStore, readMedia, storeMedia } from '../../../src/index.js'

describe('media in a store', () => {
  it('finds nothing under other names, and in entries of something else', async () => {
    const values = new Map<string, unknown>()
    const store = keyvStore({
      get: async (key) => values.get(key),
      set: async (key, value) => values.set(key, value),
      delete: async (key) => values.delete(key),
    })
    expect(await readMedia(store, 'none.png')).toBeUndefined()
    await store.set('media a.png', { facts: 'other' })
    expect(await readMedia(store, 'a.png')).toBeUndefined()
    await store.set('media a.png', { facts: { mediaType: 'image/png' } })
    expect(await readMedia(store, 'a.png')).toBeUndefined()
  })

  it('refuses what is no store, and what is no URL', () => {
    const make = storeMedia as (...given: unknown[]) => unknown
    expect(() => make({}, { baseUrl: 'https://x.test' })).toThrow('`storeMedia(store)`: an object is not a store')
    expect(() => make(memoryStore(), { baseUrl: 'files' })).toThrow('`storeMedia({ baseUrl })`: "files" is not a URL')
    expect(() => make(memoryStore(), {})).toThrow('`storeMedia({ baseUrl })`: undefined is not a URL')
  })
})
