import { defineFeature } from '../../kernel/engine/feature.js'
import { screenshot as format } from './screenshot.js'

export type { ScreenshotFormat } from './screenshot.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    screenshot: typeof format
  }
}

/** Images of pages. @internal */
export const screenshot = defineFeature({ name: 'screenshot', needs: ['browser'], formats: [format] })
