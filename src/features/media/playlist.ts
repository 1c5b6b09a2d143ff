import { isWebUrl, resolveUrl } from '../../base/url.js'
import type { MediaKind } from '../../base/media/media-types.js'

/**
 * Result of reading a playlist: another playlist, the segments of the file, or the reason why it cannot be downloaded.
 */
type PlaylistReading =
  | { readonly kind: 'choice'; readonly url: string }
  | { readonly kind: 'pieces'; readonly urls: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

/** Maximum size of a playlist. Bytes. */
const MAX_BYTES = 4 * 1024 * 1024
/** Maximum segments of a playlist: more than four hours of six-second segments. */
export const MAX_SEGMENTS = 3000
/** Maximum lines of a playlist: ten for each segment. More would hold the host's thread. */
const MAX_LINES = 10 * MAX_SEGMENTS
/** Maximum variants of a master playlist to read. */
const MAX_CHOICES = 200
/** Maximum length of a tag to read. Characters. */
const MAX_TAG_LENGTH = 4096

const refused = (why: string): PlaylistReading => ({ kind: 'refused', why })

/**
 * Reads an HLS playlist. In a master playlist it chooses, for audio, an audio rendition, otherwise the variant of the
 * lowest bit rate; for video, the variant of the highest bit rate that includes its audio. Live and encrypted streams
 * are refused, as is DASH.
 *
 * @param url of the playlist, the base of its relative URLs
 * @see RFC 8216
 */
export function readPlaylist(body: Uint8Array, url: string, wanted: MediaKind): PlaylistReading {
  if (body.length > MAX_BYTES) return refused(`it is a playlist of more than ${MAX_BYTES} bytes`)
  const lines = new TextDecoder().decode(body).split(/\r\n|\r|\n/, MAX_LINES + 1)
  if (!lines[0]?.startsWith('#EXTM3U')) return refused('it is a DASH playlist, which is not supported')
  if (lines.length > MAX_LINES) return refused(`it has more than ${MAX_LINES} lines`)
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'))
  return isMaster ? choose(lines, url, wanted) : listSegments(lines, url)
}

/** A variant stream. */
interface Variant {
  readonly url: string
  readonly rate: number
  /** Group of its separate audio renditions; undefined when its audio is included. */
  readonly group: string | undefined
}

function choose(lines: readonly string[], base: string, wanted: MediaKind): PlaylistReading {
  const renditions = lines
    .filter((line) => line.startsWith('#EXT-X-MEDIA:'))
    .slice(0, MAX_CHOICES)
    .map(readAttributes)
    .filter(({ TYPE, URI }) => TYPE === 'AUDIO' && URI !== undefined)
  const streams = [...lines.entries()].filter(([, line]) => line.startsWith('#EXT-X-STREAM-INF:')).slice(0, MAX_CHOICES)
  const variants = streams.flatMap(([at, line]): Variant[] => {
    const { BANDWIDTH = '0', AUDIO } = readAttributes(line)
    const next = lines.slice(at + 1, at + 20).find((other) => other.trim() !== '' && !other.startsWith('#'))
    const url = next === undefined ? undefined : resolveWeb(next, base)
    const group = renditions.some((rendition) => rendition['GROUP-ID'] === AUDIO) ? AUDIO : undefined
    return url === undefined ? [] : [{ url, rate: Number(BANDWIDTH) || 0, group }]
  })
  const byRate = variants.toSorted((a, b) => a.rate - b.rate)
  if (wanted === 'audio') {
    const audio = renditions.find(({ DEFAULT }) => DEFAULT === 'YES') ?? renditions[0]
    const url = (audio?.['URI'] === undefined ? undefined : resolveWeb(audio['URI'], base)) ?? byRate[0]?.url
    return url === undefined ? refused('it is an empty playlist') : { kind: 'choice', url }
  }
  const whole = byRate.findLast(({ group }) => group === undefined)
  if (whole) return { kind: 'choice', url: whole.url }
  return refused(
    variants.length === 0 ? 'it is an empty playlist' : 'its video and its audio are in separate playlists',
  )
}

function listSegments(lines: readonly string[], base: string): PlaylistReading {
  const key = lines.find((line) => /^#EXT-X-(?:SESSION-)?KEY:/.test(line) && readAttributes(line)['METHOD'] !== 'NONE')
  if (key !== undefined) return refused('its segments are encrypted')
  if (!lines.includes('#EXT-X-ENDLIST') && !lines.includes('#EXT-X-PLAYLIST-TYPE:VOD'))
    return refused('it is a live stream')
  const heads = lines.filter((line) => line.startsWith('#EXT-X-MAP:')).map((line) => readAttributes(line)['URI'] ?? '')
  const named = [...heads, ...lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))]
  if (named.length > MAX_SEGMENTS) return refused(`it has ${named.length} segments, more than ${MAX_SEGMENTS}`)
  const urls = named.map((address) => resolveWeb(address, base))
  const known = urls.filter((one) => one !== undefined)
  if (known.length < urls.length) return refused('it lists a URL that is neither http nor https')
  if (new Set(heads).size > 1) return refused('it contains several videos')
  const hasByteRanges = lines.some((line) => line.startsWith('#EXT-X-BYTERANGE:'))
  const segments = hasByteRanges
    ? [...new Set(known)]
    : [...new Set(known.slice(0, heads.length)), ...known.slice(heads.length)]
  // The byte ranges of one file add up to that file. Ranges of several files are not supported.
  if (hasByteRanges && segments.length > 1) return refused('its segments are byte ranges of several files')
  return segments.length === 0 ? refused('it is an empty playlist') : { kind: 'pieces', urls: segments }
}

function resolveWeb(address: string, base: string): string | undefined {
  const url = resolveUrl(address, base)
  return url && isWebUrl(url) ? url.href : undefined
}

/** Parses the attributes of a tag: `NAME=value,NAME="value, quoted"`. @see RFC 8216 section 4.2 */
function readAttributes(line: string): Readonly<Record<string, string | undefined>> {
  const list = line.slice(line.indexOf(':') + 1, MAX_TAG_LENGTH)
  const found = list.matchAll(/(?<![A-Z0-9-])([A-Z0-9-]{1,100})=(?:"([^"]*)(?:"|$)|([^",]*))/g)
  return Object.fromEntries(Array.from(found, ([, name, quoted, plain = '']) => [name, quoted ?? plain]))
}
