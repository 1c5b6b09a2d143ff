import { checkArgument, checkOptions, objectWithMethods, webUrl } from '../runtime/check-options.js'
import { isObject } from '../collections/is-object.js'
import type { Store } from '../store/store.js'
import type { MediaSink } from './media.js'

/** Options of `storeMedia`. */
export interface StoreMediaOptions {
  /** URL under which your service serves the files, by `readMedia`. The name of a file is appended, after a slash. */
  baseUrl: string | URL
}

/** A file that `storeMedia` has stored. */
export interface StoredMedia {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Appends the name of a file to a URL. */
export const underUrl = (baseUrl: string | URL, name: string): string => `${String(baseUrl).replace(/\/$/, '')}/${name}`

/**
 * Stores media files in a store, which machines may share. Documents have URLs under `baseUrl`, which your service answers with
 * what `readMedia` returns. The store belongs to the caller, who closes it.
 *
 * @throws TypeError for what is no store, and for invalid options
 * @example createEngine({ media: storeMedia(store, { baseUrl: 'https://api.example.com/media' }) })
 */
export function storeMedia(store: Store, options: StoreMediaOptions): MediaSink {
  checkArgument('storeMedia(store)', store, IS_STORE)
  checkOptions('storeMedia', options, { baseUrl: webUrl }, ['baseUrl'])
  const { baseUrl } = options
  return async ({ name, kind, mediaType, pageUrl, bytes }) => {
    await store.set(keyOf(name), { facts: { kind, mediaType, pageUrl }, bodies: { file: bytes } })
    return underUrl(baseUrl, name)
  }
}

/**
 * Reads a file that `storeMedia` has stored, by the last part of its URL; undefined when there is none.
 *
 * @throws TypeError for what is no store; the errors of the store
 */
export async function readMedia(store: Store, name: string): Promise<StoredMedia | undefined> {
  checkArgument('readMedia(store)', store, IS_STORE)
  const entry = await store.get(keyOf(name))
  const bytes = entry?.bodies?.['file']
  const mediaType = isObject(entry?.facts) ? entry.facts['mediaType'] : undefined
  return bytes && typeof mediaType === 'string' ? { mediaType, bytes } : undefined
}

const IS_STORE = objectWithMethods('a store', 'get', 'set', 'delete', 'close')

const keyOf = (name: string): string => `media ${name}`
