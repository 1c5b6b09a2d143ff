/** A `script` element in the source of a page, whatever its type. */
export interface PageScript {
  /** The start tag, e.g. `<script id="__NEXT_DATA__" type="application/json">`, cut to 2,000 characters. */
  readonly tag: string
  readonly text: string
}

/** A page in which data are searched. */
export interface PageSource {
  readonly html: string
  readonly scripts: readonly PageScript[]
}

/**
 * The relation of data to the page that is shown: `page` is data of the framework for this page, `state` is a store that may
 * hold more than that, `description` is the page's description of itself for others, which may be less.
 */
export type DataScope = 'page' | 'state' | 'description'

/** Data that a page embeds for its scripts. */
export interface PageData {
  /** The name in the page's source, e.g. `__NEXT_DATA__`. */
  readonly source: string
  readonly scope: DataScope
  /** Plain data. One object may occur in several places, and inside itself. */
  readonly value: unknown
}

/** Reader of one notation of embedded data. Plug-ins of `fetch/payloads/` implement this. No script of the page is run. */
export interface Payload {
  /** Returns all data of this notation, in the order of the page, without those that cannot be read. */
  read(page: PageSource): readonly PageData[]
}
