import type { EnrichFormat } from '../format.js'

/** The film that the page shows; known media sites only. */
export interface VideoFormat {
  type: 'video'
}

/** What `video` fills. */
export interface VideoFields {
  /** URL of the film, when the page shows one. */
  video?: string
  /** URLs of the films, when the page shows several. */
  videos?: string[]
}

/** @see behaviour 6.8 */
export const video: EnrichFormat<VideoFormat, VideoFields> = { type: 'video' }
