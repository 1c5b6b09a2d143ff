/** What a page says about one thing in a form for programs. */
export interface StructuredItem {
  /** How it is said; `state` and `data-layer` are what a page brings for its scripts. */
  readonly source: 'json-ld' | 'microdata' | 'rdfa' | 'state' | 'data-layer' | 'meta' | 'table'
  /** What kind of thing it is, as schema.org names it: `Product`; several for one that is several. Empty where it is not said. */
  readonly types: readonly string[]
  /** By what other things refer to it. */
  readonly id?: string
  /** By the names of schema.org; for a table by its labels. */
  readonly properties: Readonly<Record<string, readonly StructuredValue[]>>
}

/** A value of a property. */
export type StructuredValue = string | number | boolean | StructuredItem
