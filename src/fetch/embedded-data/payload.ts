/** A script of a page, run or not. */
export interface PageScript {
  /** Its start tag, e.g. `<script id="__NEXT_DATA__" type="application/json">`. */
  readonly tag: string
  readonly text: string
}

/** A page as it is looked through for data. */
export interface PageSource {
  readonly html: string
  readonly scripts: readonly PageScript[]
}

/**
 * How near data is to what the page shows: `page` is what its framework made for this page, `state` a store that may hold
 * more than that, `description` what the page tells others about itself, which may be less.
 */
export type DataScope = 'page' | 'state' | 'description'

/** Data that a page brings along for its scripts. */
export interface PageData {
  /** What a reader of the page's source would look for, e.g. `__NEXT_DATA__`. */
  readonly source: string
  readonly scope: DataScope
  /** Plain data. One object may be found in several places of it, and in itself. */
  readonly value: unknown
}

/** One way of leaving data in a page. Plug-ins of `fetch/payloads/` implement this. No script of the page is ever run. */
export interface Payload {
  /** Gives what there is, in the order of the page; what cannot be read is left out. */
  read(page: PageSource): readonly PageData[]
}
