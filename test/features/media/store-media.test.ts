import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, keyvStore, memoryStore, readMedia, storeMedia, type Engine } from '../../../src/index.js'
import { makeMp3 } from './make-media.js'
import { startSite, type Site } from '../../site/site.js'

let site: Site | undefined
let engine: Engine | undefined
afterEach(async () => {
  await engine?.close()
  await site?.close()
})

describe('media in a store', () => {
  it('gives documents URLs of files that `readMedia` returns', async () => {
    const mp3 = makeMp3()
    site = await startSite({
      pages: {
        '/': '<title>t</title><main><p>Words.</p><audio src="/a.mp3"></audio></main>',
        '/a.mp3': ({ response }) => response.end(mp3),
      },
    })
    const store = memoryStore()
    const media = storeMedia(store, { baseUrl: new URL('https://files.test/media/') })
    engine = createEngine({ media, allowPrivateNetworks: true })
    const { audio } = await engine.scrape(site.origin, { formats: ['audio'] })
    expect(audio).toMatch(/^https:\/\/files\.test\/media\/[0-9a-f]{32}\.mp3$/)
    expect(await readMedia(store, audio.slice(audio.lastIndexOf('/') + 1))).toEqual({
      mediaType: 'audio/mpeg',
      bytes: new Uint8Array(mp3),
    })
  })

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
