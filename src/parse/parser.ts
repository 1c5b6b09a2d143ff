import type { CheerioAPI } from 'cheerio'

/** Bytes to be read, and what is known about them. */
export interface ParseInput {
  /** The page's final URL. */
  readonly url: string
  readonly body: Uint8Array
  readonly contentType?: string
}

/** Bounds on what a parser may build. */
export interface ParsePlan {
  /** Larger HTML is not parsed but read as plain text, with a warning. Bytes. */
  readonly maxHtmlBytes: number
  /** Elements nested deeper than this are attached to their ancestor at this depth: no text is lost. */
  readonly maxDepth: number
  /** A tree of more nodes than this is not built; the page is read as plain text, with a warning. */
  readonly maxNodes: number
  /** Set for a page that was too much to be parsed, with the reason: it is read as plain text, and the warning gives it. */
  readonly asText?: string
}

/** A page as one tree, parsed once; everything later reads this tree. */
export interface ParsedPage {
  readonly url: string
  /** What relative links are resolved against: the first `<base href>`, else the page's URL. */
  readonly baseUrl: string
  /** The whole page. */
  readonly $: CheerioAPI
  /** The body as text, after charset decoding: `rawHtml`. */
  readonly text: string
  /** Set when the body is Markdown already, or is to be shown verbatim (JSON, plain text): `markdown` is then exactly this. */
  readonly markdown?: string
  readonly warnings: readonly string[]
}

/** Reads one kind of file. Plug-ins of `parse/parsers/` implement this. */
export interface Parser {
  readonly name: string
  /** Whether this parser reads the input; the first in the registry's order that says so does. */
  accepts(mediaType: string, body: Uint8Array): boolean
  /** @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` */
  parse(input: ParseInput, plan: ParsePlan): ParsedPage
}
