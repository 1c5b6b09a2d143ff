import { defineFeature } from '../../kernel/engine/feature.js'
import { summary as format } from './summary.js'

export type { SummaryFormat } from './summary.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    summary: typeof format
  }
}

/** Short summaries of pages, by a language model. @internal */
export const summary = defineFeature({ name: 'summary', formats: [format] })
