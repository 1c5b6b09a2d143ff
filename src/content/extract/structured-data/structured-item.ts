/** One thing that a page describes in machine-readable form. */
export interface StructuredItem {
  /** Markup that describes it; `state` and `data-layer` are data for the page's scripts. */
  readonly source: 'json-ld' | 'microdata' | 'rdfa' | 'state' | 'data-layer' | 'meta' | 'table'
  /** Types of the thing as schema.org names them, e.g. `Product`; empty if none is given. */
  readonly types: readonly string[]
  /** Identifier that other items use to refer to it. */
  readonly id?: string
  /** Values by schema.org property name, or by the labels of a table. */
  readonly properties: Readonly<Record<string, readonly StructuredValue[]>>
}

/** A value of a property. */
export type StructuredValue = string | number | boolean | StructuredItem
