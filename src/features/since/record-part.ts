import type { RecordedPage } from './crawl-record.js'
import { pack, type Compression, unpack } from '../../base/store/compress.js'
import type { StoredEntry } from '../../base/store/store.js'
import type { PageRecord } from './crawl-record.js'
import { parseJson } from '../../base/text/parse-json.js'

/** The stored form of a part. A link is the index of its URL in `urls`, times two, plus one for `nofollow`. */
interface StoredPart {
  readonly urls: readonly string[]
  readonly pages: readonly (RecordedPage & { readonly links?: readonly number[] })[]
}

/** Maximum uncompressed size of a part. Bytes. */
const MAX_BYTES = 256 * 1024 * 1024

/** Serializes pages as an entry of a store. Pages of a site share most of their links: each URL is written once. */
export async function writePart(pages: readonly PageRecord[]): Promise<StoredEntry> {
  const places = new Map<string, number>()
  const indexOf = (url: string): number => {
    const place = places.get(url) ?? places.size
    places.set(url, place)
    return place
  }
  const written = pages.map(({ links, ...page }) => ({
    ...page,
    links: links?.map(({ url, nofollow }) => indexOf(url) * 2 + (nofollow ? 1 : 0)),
  }))
  const text: StoredPart = { urls: [...places.keys()], pages: written }
  const bytes = new TextEncoder().encode(JSON.stringify(text))
  const { packing, packed } = await pack(bytes)
  return { facts: { packing, bytes: bytes.byteLength }, bodies: { pages: packed } }
}

/**
 * Reads the pages of an entry; none when `writePart` did not write it, because a store of the host may return anything.
 */
export async function readPart(entry: StoredEntry | undefined): Promise<PageRecord[]> {
  const packed = entry?.bodies?.['pages']
  const { packing, bytes = 0 } = (entry?.facts ?? {}) as { packing?: Compression; bytes?: number }
  if (!packed || (packing !== 'br' && packing !== 'raw') || !(bytes > 0 && bytes <= MAX_BYTES)) return []
  try {
    const text = new TextDecoder().decode(await unpack(packing, packed, bytes))
    const { urls, pages } = parseJson(text) as StoredPart
    return pages.map(({ links, ...page }) => ({
      ...page,
      links: links?.map((place) => ({
        url: urls[Math.floor(place / 2)] ?? '',
        nofollow: place % 2 === 1 ? true : undefined,
      })),
    }))
  } catch {
    // A damaged part counts as missing, so that its pages are fetched as new ones.
    return []
  }
}
