import { isWebUrl, resolveUrl, withoutFragment } from '../../../base/url.js'
import type { ExtractedPage } from '../extracted-page.js'
import { type FoundMedia, type MediaFacts, type MediaRank, mediaRanks, type MediaSource } from './found-media.js'
import { resolveThumbnail, readMediaFacts } from './media-facts.js'
import { kindOfFile } from './media-names.js'
import { readPlayers } from './players.js'
import type { StructuredItem } from '../structured-data/structured-item.js'
import type { MediaKind } from '../../../base/media/media-types.js'
import { type Element, isElement, type ParentNode, walk } from '../../html/tree.js'

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

const MAX_ITEMS = 2000
const MAX_DEPTH = 10

/**
 * Reads the audio and video that structured data describes: any schema.org item with a `contentUrl`.
 *
 * @see https://schema.org/MediaObject
 */
function readDescribedMedia(items: readonly StructuredItem[]): FoundMedia[] {
  const found: FoundMedia[] = []
  let left = MAX_ITEMS
  const read = (item: StructuredItem, within: MediaKind | undefined, depth: number): void => {
    left -= 1
    if (left < 0 || depth > MAX_DEPTH || item.source === 'table') return
    const kind = kindOfItem(item) ?? within
    const type = textsOf(item, 'encodingFormat').find((text) => text.includes('/'))
    const sources = textsOf(item, 'contentUrl').map((url) => ({ url, mediaType: type }))
    const isImage = item.types.some((name) => name === 'ImageObject' || name === 'Photograph')
    if (sources.length > 0 && !isImage)
      found.push({ kind: kind ?? kindOfType(type), rank: 'described', sources, about: factsOf(item) })
    for (const values of Object.values(item.properties)) {
      for (const value of values) if (typeof value === 'object') read(value, kind, depth + 1)
    }
  }
  for (const item of items) read(item, undefined, 0)
  return found.filter(({ kind, sources }) => kind !== undefined || !sources.some(({ mediaType }) => mediaType))
}

/** @see https://schema.org/VideoObject */
const factsOf = (item: StructuredItem) => {
  const first = (...names: string[]): string | undefined => names.flatMap((name) => textsOf(item, name))[0]
  return readMediaFacts({
    title: first('name', 'headline'),
    thumbnail: first('thumbnailUrl', 'thumbnail'),
    duration: first('duration'),
    width: first('width'),
    height: first('height'),
  })
}

const textsOf = ({ properties }: StructuredItem, name: string): string[] =>
  (properties[name] ?? []).filter((value): value is string => typeof value === 'string')

function kindOfItem({ types }: StructuredItem): MediaKind | undefined {
  if (types.some((type) => /^(?:Audio|Podcast|Music(?!VideoObject)|Radio)/.test(type))) return 'audio'
  return types.some((type) => /^(?:Video|MusicVideo|Movie|TV)/.test(type)) ? 'video' : undefined
}

function kindOfType(type = ''): MediaKind | undefined {
  if (/^audio\//i.test(type)) return 'audio'
  return /^video\//i.test(type) ? 'video' : undefined
}

type Draft = { kind: FoundMedia['kind']; rank: MediaRank; sources: MediaSource[] }

/** Maximum tags that are read. */
const MAX_TAGS = 2000

/**
 * Reads the media in Open Graph tags, Twitter cards and `link rel="enclosure"`. They are read in order, because a tag
 * may describe the one before it.
 *
 * @see https://ogp.me/#structured
 */
function readNamedMedia(root: ParentNode): FoundMedia[] {
  const drafts: Draft[] = []
  let left = MAX_TAGS
  walk(root, (node) => {
    if (!isElement(node)) return true
    if (node.name !== 'meta' && node.name !== 'link') return true
    left -= 1
    if (left < 0) return 'stop'
    if (node.name === 'meta') readTag(node, drafts)
    else readEnclosure(node, drafts)
    return true
  })
  // A medium that is shown in a frame is a page.
  return drafts.filter(
    ({ sources }) => !sources.some(({ mediaType = '' }) => /^text\/|shockwave|\bhtml/i.test(mediaType)),
  )
}

function readTag({ attribs }: Element, drafts: Draft[]): void {
  const name = (attribs['property'] ?? attribs['name'] ?? '').trim().toLowerCase()
  const content = attribs['content']?.trim() ?? ''
  const [, medium, part = 'url'] = /^og:(audio|video)(?::(url|secure_url|type))?$/.exec(name) ?? []
  if (content === '') return
  if (medium === 'audio' || medium === 'video') readShared(medium, part, content, drafts)
  if (name === 'twitter:player:stream') drafts.push({ kind: undefined, rank: 'streamed', sources: [{ url: content }] })
  if (name === 'twitter:player:stream:content_type') nameType(drafts, 'streamed', content)
}

function readShared(kind: 'audio' | 'video', part: string, content: string, drafts: Draft[]): void {
  if (part === 'type') return nameType(drafts, 'shared', content)
  const last = drafts.at(-1)
  const isOpen = last?.rank === 'shared' && last.kind === kind
  // `og:video` and `og:video:url` are the same, and `og:video:secure_url` is another URL of it.
  const isSame = isOpen && (part === 'secure_url' || last.sources.some(({ url }) => url === content))
  if (!isSame) drafts.push({ kind, rank: 'shared', sources: [{ url: content }] })
  else if (!last.sources.some(({ url }) => url === content)) last.sources.unshift({ ...last.sources[0], url: content })
}

function nameType(drafts: Draft[], rank: MediaRank, mediaType: string): void {
  const last = drafts.at(-1)
  if (last?.rank === rank) last.sources = last.sources.map((source) => ({ ...source, mediaType }))
}

function readEnclosure({ attribs }: Element, drafts: Draft[]): void {
  const url = attribs['href'] ?? ''
  const source = { url, mediaType: attribs['type'] }
  const isEnclosure = (attribs['rel'] ?? '').toLowerCase().split(/\s+/).includes('enclosure')
  const kind = kindOfFile(source)
  if (isEnclosure && kind) drafts.push({ kind, rank: 'enclosed', sources: [source] })
}
