import { isWebUrl, resolveUrl } from '../url.js'
import type { MediaKind } from './media-types.js'

/** What a playlist leads to: another one, or the pieces of a file; or why it leads to nothing that can be had. */
export type PlaylistReading =
  | { readonly kind: 'choice'; readonly url: string }
  | { readonly kind: 'pieces'; readonly urls: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

/** Of a playlist. Bytes. */
const MAX_BYTES = 4 * 1024 * 1024
/** Pieces that it may have: four hours and more, at six seconds each. */
export const MAX_PIECES = 3000
/** Playlists that it may lead to. */
const MAX_CHOICES = 200
/** Of a tag, so much is read. Characters. */
const MAX_TAG_LENGTH = 4096

const refused = (why: string): PlaylistReading => ({ kind: 'refused', why })

/**
 * Reads an HLS playlist. Of several it chooses: for sound, sound by itself, else the film of the lowest rate; for a film that of the
 * highest rate with its sound in it. One that is still being written, or that is encrypted, is refused, as is DASH.
 *
 * @param url of the playlist, which its addresses are relative to
 * @see RFC 8216
 */
export function readPlaylist(body: Uint8Array, url: string, wanted: MediaKind): PlaylistReading {
  if (body.length > MAX_BYTES) return refused(`it is a playlist of more than ${MAX_BYTES} bytes`)
  const lines = new TextDecoder().decode(body).split(/\r\n|\r|\n/)
  if (!lines[0]?.startsWith('#EXTM3U')) return refused('it is a DASH playlist, which is not read')
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'))
  return isMaster ? choose(lines, url, wanted) : listPieces(lines, url)
}

/** One of the ways in which a film can be had. */
interface Variant {
  readonly url: string
  readonly rate: number
  /** The group of playlists that its sound is in; undefined where it has its sound in it. */
  readonly group: string | undefined
}

function choose(lines: readonly string[], base: string, wanted: MediaKind): PlaylistReading {
  const sounds = lines
    .filter((line) => line.startsWith('#EXT-X-MEDIA:'))
    .slice(0, MAX_CHOICES)
    .map(readAttributes)
    .filter(({ TYPE, URI }) => TYPE === 'AUDIO' && URI !== undefined)
  const streams = [...lines.entries()].filter(([, line]) => line.startsWith('#EXT-X-STREAM-INF:')).slice(0, MAX_CHOICES)
  const variants = streams.flatMap(([at, line]): Variant[] => {
    const { BANDWIDTH = '0', AUDIO } = readAttributes(line)
    const next = lines.slice(at + 1, at + 20).find((other) => other.trim() !== '' && !other.startsWith('#'))
    const url = next === undefined ? undefined : resolveWeb(next, base)
    const group = sounds.some((sound) => sound['GROUP-ID'] === AUDIO) ? AUDIO : undefined
    return url === undefined ? [] : [{ url, rate: Number(BANDWIDTH) || 0, group }]
  })
  const byRate = variants.toSorted((a, b) => a.rate - b.rate)
  if (wanted === 'audio') {
    const sound = sounds.find(({ DEFAULT }) => DEFAULT === 'YES') ?? sounds[0]
    const url = (sound?.['URI'] === undefined ? undefined : resolveWeb(sound['URI'], base)) ?? byRate[0]?.url
    return url === undefined ? refused('it is a playlist of nothing') : { kind: 'choice', url }
  }
  const whole = byRate.findLast(({ group }) => group === undefined)
  if (whole) return { kind: 'choice', url: whole.url }
  return refused(
    variants.length === 0 ? 'it is a playlist of nothing' : 'its pictures and its sound are in playlists of their own',
  )
}

function listPieces(lines: readonly string[], base: string): PlaylistReading {
  const key = lines.find((line) => /^#EXT-X-(?:SESSION-)?KEY:/.test(line) && readAttributes(line)['METHOD'] !== 'NONE')
  if (key !== undefined) return refused('its pieces are encrypted')
  if (!lines.includes('#EXT-X-ENDLIST') && !lines.includes('#EXT-X-PLAYLIST-TYPE:VOD'))
    return refused('it is a live stream')
  const heads = lines.filter((line) => line.startsWith('#EXT-X-MAP:')).map((line) => readAttributes(line)['URI'] ?? '')
  const named = [...heads, ...lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))]
  if (named.length > MAX_PIECES) return refused(`it has ${named.length} pieces, more than ${MAX_PIECES}`)
  const urls = named.map((address) => resolveWeb(address, base))
  const known = urls.filter((one) => one !== undefined)
  if (known.length < urls.length) return refused('it names what is not on the web')
  if (new Set(heads).size > 1) return refused('it is a playlist of several films')
  const isInParts = lines.some((line) => line.startsWith('#EXT-X-BYTERANGE:'))
  const pieces = isInParts
    ? [...new Set(known)]
    : [...new Set(known.slice(0, heads.length)), ...known.slice(heads.length)]
  // Parts of one file are that file; parts of several would have to be cut out of each.
  if (isInParts && pieces.length > 1) return refused('its pieces are parts of several files')
  return pieces.length === 0 ? refused('it is a playlist of nothing') : { kind: 'pieces', urls: pieces }
}

function resolveWeb(address: string, base: string): string | undefined {
  const url = resolveUrl(address, base)
  return url && isWebUrl(url) ? url.href : undefined
}

/** `NAME=value,NAME="value, quoted"` after a tag. @see RFC 8216 section 4.2 */
function readAttributes(line: string): Readonly<Record<string, string | undefined>> {
  const list = line.slice(line.indexOf(':') + 1, MAX_TAG_LENGTH)
  const found = list.matchAll(/(?<![A-Z0-9-])([A-Z0-9-]{1,100})=(?:"([^"]*)(?:"|$)|([^",]*))/g)
  return Object.fromEntries(Array.from(found, ([, name, quoted, plain = '']) => [name, quoted ?? plain]))
}
