import { objectWithMethods, checkArgument } from '../../base/runtime/check-options.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { Json, Store } from '../../base/store/store.js'
import type { PageCache } from './cache.js'
import { parseJson } from '../../base/text/parse-json.js'

/**
 * Makes a cache of a store. Pages and their digests are stored there.
 *
 * @throws TypeError for what is no store
 * @example createEngine({ cache: storeCache(myStore) })
 */
export function storeCache(store: Store): PageCache {
  checkArgument('storeCache(store)', store, objectWithMethods('a store', 'get', 'set', 'delete', 'close'))
  return {
    async get(key) {
      const entry = await store.get(`page ${key}`)
      return entry && toPage(entry.facts, entry.bodies ?? {})
    },
    async set(key, page) {
      const { body, captures, ...facts } = page
      const { screenshot, ...others } = captures ?? {}
      const bodies = { page: body, ...(screenshot && { screenshot: screenshot.bytes }) }
      const picture = screenshot && { ...screenshot, bytes: null }
      const written = { ...facts, captures: captures && { ...others, screenshot: picture } }
      await store.set(`page ${key}`, { facts: toJson(written), bodies })
    },
    delete: (key) => store.delete(`page ${key}`),
    close: () => store.close(),
    derived: store,
  }
}

/** Converts facts to JSON, without undefined fields. */
const toJson = (facts: object): Json => parseJson(JSON.stringify(facts)) as Json

/** Converts an entry to a page, unchecked: `recall` checks that it is a valid page. */
function toPage(facts: Json, bodies: Readonly<Record<string, Uint8Array>>): FetchedPage | undefined {
  const page = facts as unknown as FetchedPage
  const { page: body, screenshot: bytes } = bodies
  if (!body) return undefined
  const { captures } = page
  if (!captures?.screenshot) return { ...page, body }
  return bytes && { ...page, body, captures: { ...captures, screenshot: { ...captures.screenshot, bytes } } }
}
