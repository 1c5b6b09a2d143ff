import { defineFeature } from '../../kernel/engine/feature.js'
import { audio } from './audio.js'
import { type MediaConfig, mediaDefinitions } from './media-options.js'
import { openMediaTools } from './page-media.js'
import { video } from './video.js'

export type { AudioFormat } from './audio.js'
export type { MediaConfig } from './media-options.js'
export type { PageVideo, VideoFormat } from './video.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    audio: typeof audio
    video: typeof video
  }
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureConfig extends MediaConfig {}
}

/** The audio and the videos of a page. @internal */
export const media = defineFeature({
  name: 'media',
  options: { engine: mediaDefinitions },
  formats: [audio, video],
  openFormats: openMediaTools,
})
