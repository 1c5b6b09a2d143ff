/** A `script` element in the source of a page, whatever its type. */
export interface PageScript {
  /** The start tag, e.g. `<script id="__NEXT_DATA__" type="application/json">`, cut to 2,000 characters. */
  readonly tag: string
  readonly text: string
}

/** The source of a page that is searched for embedded data. */
interface PageSource {
  readonly html: string
  readonly scripts: readonly PageScript[]
}

/**
 * The relation of data to the visible page: `page` is the framework's data for this page, `state` is a store that may
 * hold data of other pages as well, `description` is metadata about the page, which may lack some of its text.
 */
export type DataScope = 'page' | 'state' | 'description'

/** Data that a page embeds for its scripts. */
export interface PageData {
  /** The name in the page's source, e.g. `__NEXT_DATA__`. */
  readonly source: string
  readonly scope: DataScope
  /** Plain data. An object may be referenced several times, and may contain itself. */
  readonly value: unknown
}

/** Reads one format of embedded data. Plug-ins of `fetch/payloads/` implement this. No script of the page is run. */
export interface Payload {
  /** Returns all data of this format, in page order. Data that cannot be parsed is left out. */
  read(page: PageSource): readonly PageData[]
}
