import { isObject } from '../../base/collections/is-object.js'
import { pack, type Compression, unpack } from '../../base/store/compress.js'
import type { Json, StoredEntry } from '../../base/store/store.js'
import { parseJson } from '../../base/text/parse-json.js'

/** Pages of a record whose documents nobody has taken: a later crawl reads them again. */
export interface Undelivered {
  readonly urls: readonly string[]
  /** Pages that are gone, and in the record only until their documents are delivered. */
  readonly gone: readonly string[]
}

/** Maximum uncompressed size of the list. Bytes. */
const MAX_BYTES = 256 * 1024 * 1024

/** Adds the list to the head of a record. */
export async function withUndelivered(head: StoredEntry, list: Undelivered): Promise<StoredEntry> {
  const { undelivered: _, ...facts } = head.facts as Readonly<Record<string, Json>>
  if (list.urls.length + list.gone.length === 0) return { facts }
  const bytes = new TextEncoder().encode(JSON.stringify(list))
  const { packing, packed } = await pack(bytes)
  return { facts: { ...facts, undelivered: { packing, bytes: bytes.byteLength } }, bodies: { undelivered: packed } }
}

/** Reads the list of the head of a record. @returns undefined when it is damaged: then any page may be undelivered */
export async function readUndelivered({ facts, bodies }: StoredEntry): Promise<Undelivered | undefined> {
  const stored = isObject(facts) ? facts['undelivered'] : undefined
  if (stored === undefined) return { urls: [], gone: [] }
  const { packing, bytes } = (isObject(stored) ? stored : {}) as { packing?: Compression; bytes?: number }
  const packed = bodies?.['undelivered']
  if (!packed || (packing !== 'br' && packing !== 'raw') || !(Number(bytes) > 0 && Number(bytes) <= MAX_BYTES))
    return undefined
  try {
    const list = parseJson(new TextDecoder().decode(await unpack(packing, packed, Number(bytes))))
    const { urls, gone } = isObject(list) ? list : {}
    return isTexts(urls) && isTexts(gone) ? { urls, gone } : undefined
  } catch {
    return undefined
  }
}

const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((one) => typeof one === 'string')
