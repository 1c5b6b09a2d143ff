import { type Element, isElement, type ParentNode, walk } from '../../html/tree.js'
import type { FoundMedia, MediaRank, MediaSource } from './found-media.js'
import { readMediaFacts } from './media-facts.js'
import { kindOfFile } from './media-names.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** Maximum players and links of a page, and maximum sources of a player. */
const MAX_PLAYERS = 200
const MAX_LINKS = 40
const MAX_SOURCES = 20

/**
 * Reads the players of a page (`audio`, `video`, embedded media files) and then the media files that it links to, with
 * URLs as written.
 *
 * @see https://html.spec.whatwg.org/multipage/media.html
 */
export function readPlayers(root: ParentNode, rank: MediaRank): FoundMedia[] {
  const players: FoundMedia[] = []
  const links: FoundMedia[] = []
  walk(root, (node) => {
    if (players.length >= MAX_PLAYERS) return 'stop'
    if (!isElement(node)) return true
    const shown = ownValue(readers, node.name)?.(node, rank)
    if (!shown || shown.sources.length === 0) return true
    if (shown.rank !== 'linked') players.push(shown)
    else if (links.length < MAX_LINKS) links.push(shown)
    return true
  })
  return [...players, ...links]
}

const readers: Readonly<Record<string, (element: Element, rank: MediaRank) => FoundMedia | undefined>> = {
  audio: (element, rank) => ({ kind: 'audio', rank, sources: readSources(element) }),
  video: (element, rank) => ({
    kind: 'video',
    rank: isDecorative(element) ? 'ornament' : rank,
    sources: readSources(element),
    about: factsOf(element),
  }),
  embed: (element, rank) => readEmbedded(element.attribs['src'], element, rank),
  object: (element, rank) => readEmbedded(element.attribs['data'], element, rank),
  a: (element) => readEmbedded(element.attribs['href'], element, 'linked'),
}

const factsOf = ({ attribs }: Element) =>
  readMediaFacts({
    title: attribs['title'] ?? attribs['aria-label'],
    thumbnail: attribs['poster'],
    width: attribs['width'],
    height: attribs['height'],
  })

/** Attributes in which a player has its URL, including those of lazy-loading scripts. */
const URL_ATTRIBUTES = ['src', 'data-src', 'data-lazy-src', 'data-url']

const addressOf = ({ attribs }: Element): string | undefined =>
  URL_ATTRIBUTES.map((name) => attribs[name]?.trim()).find((value) => value !== undefined && value !== '')

function readSources(player: Element): MediaSource[] {
  const found: MediaSource[] = []
  const own = addressOf(player)
  if (own !== undefined) found.push(describe(own, player.attribs['type']))
  walk(player, (node) => {
    if (found.length >= MAX_SOURCES) return 'stop'
    if (!isElement(node) || node.name !== 'source') return true
    const address = addressOf(node)
    if (address !== undefined) found.push(describe(address, node.attribs['type']))
    return true
  })
  return found
}

const describe = (url: string, type: string | undefined): MediaSource => ({ url, mediaType: type })

const isDecorative = ({ attribs }: Element): boolean =>
  attribs['controls'] === undefined && attribs['muted'] !== undefined && attribs['autoplay'] !== undefined

/** Reads an embedded or linked file if its media type or name identifies it as audio, video or a playlist. */
function readEmbedded(url: string | undefined, { attribs }: Element, rank: MediaRank): FoundMedia | undefined {
  if (url === undefined) return undefined
  const source = describe(url, attribs['type'])
  const kind = kindOfFile(source)
  return kind && { kind, rank, sources: [source] }
}
