import { defineFeature } from '../../kernel/engine/feature.js'
import { question as format } from './question.js'
import { highlights } from './highlights.js'
import { query } from './query.js'

export type { QuestionFormat } from './question.js'
export type { HighlightsFormat } from './highlights.js'
export type { QueryFormat } from './query.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    question: typeof format
    highlights: typeof highlights
    query: typeof query
  }
}

/** Answers to questions about a page, and its passages on a subject. @internal */
export const question = defineFeature({ name: 'question', formats: [format, highlights, query] })
