/** A JSON Schema: an object of keywords. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}
