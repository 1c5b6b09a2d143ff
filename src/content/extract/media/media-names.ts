import type { MediaKind } from '../../../base/media/media-types.js'
import type { MediaSource } from './found-media.js'
import { ownValue } from '../../../base/collections/own-value.js'

const KINDS: Readonly<Record<string, MediaKind>> = {
  ...of('audio', 'mp3 m4a m4b aac oga ogg opus flac wav weba aif aiff amr wma'),
  ...of('video', 'mp4 m4v webm mov ogv mkv avi mpg mpeg flv wmv 3gp'),
}

function of(kind: MediaKind, endings: string): Record<string, MediaKind> {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, kind]))
}

/** Maximum characters of a path that are searched for an extension. */
const MAX_NAME_LENGTH = 200

/** Media types of playlists, which may contain audio or video. */
const PLAYLISTS: ReadonlySet<string> = new Set([
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
  'audio/mpegurl',
  'audio/x-mpegurl',
  'application/dash+xml',
])

/** Returns audio or video by media type or extension; undefined if these do not tell, or name another kind. */
export function kindOfFile({ url, mediaType }: MediaSource): MediaKind | undefined {
  if (mediaType !== undefined && PLAYLISTS.has(mediaType)) return undefined
  if (mediaType?.startsWith('audio/') || /^data:audio\//i.test(url)) return 'audio'
  if (mediaType?.startsWith('video/') || /^data:video\//i.test(url)) return 'video'
  return ownValue(KINDS, extensionOf(url))
}

/** Returns the extension of a URL's path, without parsing the URL: it is called for every link of a page. */
function extensionOf(address: string): string {
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
