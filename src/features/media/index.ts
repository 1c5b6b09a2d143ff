import { defineFeature } from '../../kernel/engine/feature.js'
import { audio } from './audio.js'
import { video } from './video.js'

export type { AudioFormat } from './audio.js'
export type { VideoFormat } from './video.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    audio: typeof audio
    video: typeof video
  }
}

/** The audio and the videos of a page. @internal */
export const media = defineFeature({ name: 'media', formats: [audio, video] })
