import { isWebUrl, resolveUrl, withoutFragment } from '../../../base/url.js'
import type { ExtractedPage } from '../extracted-page.js'
import { type FoundMedia, type MediaFacts, type MediaRank, mediaRanks, type MediaSource } from './found-media.js'
import { resolveThumbnail } from './media-facts.js'
import { kindOfFile } from './media-names.js'
import { readDescribedMedia } from './described-media.js'
import { readNamedMedia } from './named-media.js'
import { readPlayers } from './players.js'
import type { StructuredItem } from '../structured-data/structured-item.js'

/** Maximum media of a page, and maximum sources of one. */
const MAX_FOUND = 40
const MAX_SOURCES = 6
/** Maximum length of a URL, and of all `data:` URLs of a page together. Characters. */
const MAX_URL_LENGTH = 8192
const MAX_DATA = 4 * 1024 * 1024

/**
 * Finds the audio and video of a page, ordered by the reliability of the place that names them and then by document
 * order. A medium that several places name is listed once, with the best rank.
 *
 * @param items structured data of the page
 */
export function findMedia({ page, tree }: ExtractedPage, items: readonly StructuredItem[]): FoundMedia[] {
  const mentions: FoundMedia[] = [
    ...readPlayers(tree.root, 'content'),
    ...readDescribedMedia(items),
    ...readPlayers(page.tree.root, 'elsewhere'),
    ...readNamedMedia(page.tree.root),
  ]
  const order = (rank: MediaRank): number => mediaRanks.indexOf(rank)
  const seen = new Map<string, Found>()
  const remaining = { data: MAX_DATA }
  const found: Found[] = []
  for (const mention of mentions.toSorted((a, b) => order(a.rank) - order(b.rank))) {
    if (found.length === MAX_FOUND) break
    const settled = mention.sources.flatMap((source) => normalizeSource(source, page, remaining) ?? [])
    const sources = [...new Map(settled.map((source) => [source.url, source])).values()].slice(0, MAX_SOURCES)
    if (sources.length === 0) continue
    const { rank, about } = mention
    const facts = about && resolveThumbnail(about, page.baseUrl)
    const known = sources.map(({ url }) => seen.get(url)).find((one) => one !== undefined)
    const one = known ?? { kind: mention.kind ?? kindOf(sources), rank, sources }
    // What another place says of it completes what the first one says.
    if (facts) one.about = { ...facts, ...one.about }
    for (const { url } of sources) if (!seen.has(url)) seen.set(url, one)
    if (!known) found.push(one)
  }
  return found
}

/** A medium whose facts are still collected. */
type Found = FoundMedia & { about?: MediaFacts }

function normalizeSource(
  { url, mediaType }: MediaSource,
  page: ExtractedPage['page'],
  remaining: { data: number },
): MediaSource | undefined {
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase()
  const named = type === undefined || type === '' ? {} : { mediaType: type.slice(0, 100) }
  if (/^\s*data:/i.test(url)) {
    const isMedia = /^\s*data:(?:audio|video)\/[\w.+-]+[;,]/i.test(url)
    remaining.data -= url.length
    return isMedia && remaining.data >= 0 ? { url: url.trim(), ...named } : undefined
  }
  if (url.length > MAX_URL_LENGTH || url.trim() === '') return undefined
  const resolved = resolveUrl(url, page.baseUrl)
  if (!resolved || !isWebUrl(resolved)) return undefined
  resolved.hash = ''
  // Some pages name their own URL as that of a medium. It is ignored: if the URL is a media file, its bytes show that.
  if (resolved.href === withoutFragment(new URL(page.url)).href) return undefined
  return { url: resolved.href, ...named }
}

const kindOf = (sources: readonly MediaSource[]): FoundMedia['kind'] =>
  sources.map(kindOfFile).find((kind) => kind !== undefined)
