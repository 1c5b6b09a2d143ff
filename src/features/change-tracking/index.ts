import { defineFeature } from '../../kernel/engine/feature.js'
import { type ChangeTrackingV1Options, changeTracking as format } from './change-tracking.js'

export type { ChangeTrackingFormat } from './change-tracking.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    changeTracking: typeof format
  }
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureV1Options extends ChangeTrackingV1Options {}
}

/** Differences of pages from their last snapshots. @internal */
export const changeTracking = defineFeature({ name: 'change-tracking', formats: [format] })
