import type { EnrichFormat } from '../format.js'

/** The sound of the media that the page shows; known media sites only. */
export interface AudioFormat {
  type: 'audio'
}

/** What `audio` fills. */
export interface AudioFields {
  /** URL of the sound file. */
  audio: string
}

/** @see behaviour 6.8 */
export const audio: EnrichFormat<AudioFormat, AudioFields> = { type: 'audio' }
