import type { MediaKind } from '../../../base/media/media-types.js'
import type { FoundMedia } from './found-media.js'
import { readMediaFacts } from './media-facts.js'
import type { StructuredItem } from '../structured-data/structured-item.js'

const MAX_ITEMS = 2000
const MAX_DEPTH = 10

/**
 * Reads the audio and video that structured data describes: any schema.org item with a `contentUrl`.
 *
 * @see https://schema.org/MediaObject
 */
export function readDescribedMedia(items: readonly StructuredItem[]): FoundMedia[] {
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
