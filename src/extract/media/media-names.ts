import type { MediaKind } from '../../media/media-types.js'
import type { MediaSource } from './found-media.js'
import { ownValue } from '../../collections/own-value.js'

const KINDS: Readonly<Record<string, MediaKind>> = {
  ...of('audio', 'mp3 m4a m4b aac oga ogg opus flac wav weba aif aiff amr wma'),
  ...of('video', 'mp4 m4v webm mov ogv mkv avi mpg mpeg flv wmv 3gp'),
}

function of(kind: MediaKind, endings: string): Record<string, MediaKind> {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, kind]))
}

/** Of a name so much is looked at. Characters. */
const MAX_NAME_LENGTH = 200

/** Types whose names say nothing of what they are. */
const PLAYLISTS: ReadonlySet<string> = new Set([
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
  'audio/mpegurl',
  'audio/x-mpegurl',
  'application/dash+xml',
])

/** Whether it is a list of the pieces of something, by its type or its name. */
export const isPlaylist = ({ url, mediaType = '' }: MediaSource): boolean =>
  PLAYLISTS.has(mediaType) || /^(?:m3u8?|mpd)$/.test(endingOf(url))

/** Whether it is sound or a film, by its type or its name; undefined when they do not say, or say that it is something else. */
export function kindOfFile({ url, mediaType }: MediaSource): MediaKind | undefined {
  if (mediaType !== undefined && PLAYLISTS.has(mediaType)) return undefined
  if (mediaType?.startsWith('audio/') || /^data:audio\//i.test(url)) return 'audio'
  if (mediaType?.startsWith('video/') || /^data:video\//i.test(url)) return 'video'
  return ownValue(KINDS, endingOf(url))
}

/** What follows the last dot of a path, as far as that needs no URL to be read: every link of a page is asked. */
function endingOf(address: string): string {
  const end = address.search(/[?#]/)
  const path = (end === -1 ? address : address.slice(0, end)).slice(-MAX_NAME_LENGTH)
  const at = path.lastIndexOf('.')
  return at === -1
    ? ''
    : path
        .slice(at + 1)
        .trim()
        .toLowerCase()
}
