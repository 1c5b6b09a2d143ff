import { defineFeature } from '../../kernel/engine/feature.js'
import { rawBase64 } from './raw-base64.js'

export type { RawBase64Format } from './raw-base64.js'

declare module '../enrich/format.js' {
  interface FeatureFormats {
    rawBase64: typeof rawBase64
  }
}

/** The file of a page as received. @internal */
export const base64 = defineFeature({ name: 'base64', formats: [rawBase64] })
