import { type Element, isElement, type ParentNode, walk } from '../../html/tree.js'
import type { FoundMedia, MediaRank, MediaSource } from './found-media.js'
import { kindOfFile } from './media-names.js'

type Draft = { kind: FoundMedia['kind']; rank: MediaRank; sources: MediaSource[] }

/** Maximum tags that are read. */
const MAX_TAGS = 2000

/**
 * Reads the media in Open Graph tags, Twitter cards and `link rel="enclosure"`. They are read in order, because a tag
 * may describe the one before it.
 *
 * @see https://ogp.me/#structured
 */
export function readNamedMedia(root: ParentNode): FoundMedia[] {
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
