/** Audio or video. */
export type MediaKind = 'audio' | 'video'

/** Properties of a file type. */
interface MediaTrait {
  readonly kind: MediaKind
  /** File name extension. */
  readonly ending: string
  /** Name of the ffmpeg demuxer that reads the type. */
  readonly demuxer: string
}

const trait = (kind: MediaKind, ending: string, demuxer: string): MediaTrait => ({ kind, ending, demuxer })

/** The audio and video types that are identified by their bytes. */
export const mediaTypes = {
  'audio/mpeg': trait('audio', 'mp3', 'mp3'),
  'audio/mp4': trait('audio', 'm4a', 'mov'),
  'audio/aac': trait('audio', 'aac', 'aac'),
  'audio/ogg': trait('audio', 'ogg', 'ogg'),
  'audio/webm': trait('audio', 'weba', 'matroska'),
  'audio/flac': trait('audio', 'flac', 'flac'),
  'audio/wav': trait('audio', 'wav', 'wav'),
  'audio/aiff': trait('audio', 'aiff', 'aiff'),
  'audio/amr': trait('audio', 'amr', 'amr'),
  'video/mp4': trait('video', 'mp4', 'mov'),
  'video/quicktime': trait('video', 'mov', 'mov'),
  'video/webm': trait('video', 'webm', 'matroska'),
  'video/x-matroska': trait('video', 'mkv', 'matroska'),
  'video/ogg': trait('video', 'ogv', 'ogg'),
  'video/mpeg': trait('video', 'mpg', 'mpeg'),
  'video/mp2t': trait('video', 'ts', 'mpegts'),
  'video/x-flv': trait('video', 'flv', 'flv'),
  'video/x-msvideo': trait('video', 'avi', 'avi'),
  'video/x-ms-asf': trait('video', 'asf', 'asf'),
} as const satisfies Record<string, MediaTrait>

/** One of the types of {@link mediaTypes}. */
export type MediaType = keyof typeof mediaTypes
