import type { AnswerOf } from '../../base/json-schema/answer-schema.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import { deterministicJson } from './deterministic-json.js'
import { type ExtractFields, json as format, type JsonV1Options } from './json.js'

export type { DeterministicJsonFormat } from './deterministic-json.js'
export type { JsonFormat } from './json.js'
export type { Evidence } from './citations.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    deterministicJson: typeof deterministicJson
    json: typeof format
  }
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureV1Options extends JsonV1Options {}
}

/** Data in the shape of a schema. */
interface JsonOf<Schema> {
  json?: AnswerOf<Schema>
  partialJson?: unknown
}

declare module '../../kernel/page/document.js' {
  interface DocumentFrame extends ExtractFields {}
  interface SchemaFields<Schema> {
    deterministicJson: JsonOf<Schema>
    json: JsonOf<Schema>
  }
}

/** Data of pages in a given shape, by their structured data, a language model or extractors. @internal */
export const json = defineFeature({ name: 'json', formats: [deterministicJson, format] })
