import { pack, type Packing, unpack } from '../store/compress.js'
import type { StoredEntry } from '../store/store.js'
import type { PageRecord } from './crawl-record.js'
import { parseJson } from '../text/parse-json.js'

/** A part as it is written: links as places in a list of URLs, times two, and one more where they are not to be followed. */
interface PartText {
  readonly urls: readonly string[]
  readonly pages: readonly (Omit<PageRecord, 'links'> & { readonly links?: readonly number[] })[]
}

/** What a part may come to when it is unpacked. Bytes. */
const MAX_BYTES = 256 * 1024 * 1024

/** Pages as an entry of a store. The pages of a site have most of their links in common: each is written once. */
export async function writePart(pages: readonly PageRecord[]): Promise<StoredEntry> {
  const places = new Map<string, number>()
  const placeOf = (url: string): number => {
    const place = places.get(url) ?? places.size
    places.set(url, place)
    return place
  }
  const written = pages.map(({ links, ...page }) => ({
    ...page,
    ...(links && { links: links.map(({ url, nofollow }) => placeOf(url) * 2 + (nofollow ? 1 : 0)) }),
  }))
  const text: PartText = { urls: [...places.keys()], pages: written }
  const bytes = new TextEncoder().encode(JSON.stringify(text))
  const { packing, packed } = await pack(bytes)
  return { facts: { packing, bytes: bytes.byteLength }, bodies: { pages: packed } }
}

/** The pages of an entry; none when it is not one that `writePart` made: a store of the host's own may hold anything. */
export async function readPart(entry: StoredEntry | undefined): Promise<PageRecord[]> {
  const packed = entry?.bodies?.['pages']
  const { packing, bytes = 0 } = (entry?.facts ?? {}) as { packing?: Packing; bytes?: number }
  if (!packed || (packing !== 'br' && packing !== 'raw') || !(bytes > 0 && bytes <= MAX_BYTES)) return []
  try {
    const text = new TextDecoder().decode(await unpack(packing, packed, bytes))
    const { urls, pages } = parseJson(text) as PartText
    return pages.map(({ links, ...page }) => ({
      ...page,
      ...(links && {
        links: links.map((place) => ({
          url: urls[Math.floor(place / 2)] ?? '',
          ...(place % 2 === 1 && { nofollow: true as const }),
        })),
      }),
    }))
  } catch {
    // Damaged: as good as missing, so that its pages are new.
    return []
  }
}
