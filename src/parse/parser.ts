import type { CheerioAPI } from 'cheerio'
import type { PagePicture } from '../ocr/ocr.js'
import type { DroppedText } from '../pdf/output/dropped-lines.js'
import type { PdfPart } from '../pdf/output/part-pages.js'

/** Bytes to parse, with known facts about them. */
export interface ParserInput {
  /** Final URL of the page. */
  readonly url: string
  readonly body: Uint8Array
  /** `Content-Type` header, verbatim. */
  readonly contentType?: string
  /** File name given by the server. @default the last segment of the URL's path */
  readonly fileName?: string
  /** Identified media type. @default the type is sniffed */
  readonly mediaType?: string
}

/** Limits and options of parsers. */
export interface ParsePlan {
  /** Maximum size of HTML, in bytes. Larger pages are read as plain text, with a warning. */
  readonly maxHtmlBytes: number
  /** Maximum nesting of elements. Deeper ones are attached to their ancestor at this depth, so that no text is lost. */
  readonly maxDepth: number
  /** Maximum number of nodes. Larger pages are read as plain text, with a warning. */
  readonly maxNodes: number
  /** Files that are returned in base64, unread: PDF files, or all binary files. @default none */
  readonly unread?: 'pdf' | 'all'
  /** Skips images although the engine has an image parser. @default false */
  readonly skipsImages?: boolean
  /** Accepts audio and video as pages without text. @default they are refused */
  readonly mayBeMedia?: boolean
  /** Options of PDF files. @default every page, by its text layer */
  readonly pdf?: PdfPlan
  /** Reason why the page is read as plain text: it was too much to be parsed. The warning contains it. */
  readonly asText?: string
}

/** Options of PDF files. @see docs/compatibility.md#parsers */
export interface PdfPlan {
  /** `fast` reads the text layer, `ocr` looks at the pages, `auto` decides. @default 'auto' */
  readonly mode?: 'fast' | 'auto' | 'ocr'
  /** Pages read, from the first. @default all */
  readonly maxPages?: number
  /** Marks the start of each page. @default false */
  readonly pageMarkers?: boolean
  /** Returns each page separately as well. @default false */
  readonly pages?: boolean
  /** Returns each block of text separately as well. @default false */
  readonly blocks?: boolean
}

/** Numbers that describe a file: a document's metadata has them under the same names. */
export interface FileFacts {
  /** Pages that were read. */
  readonly numPages?: number
  /** Pages in the file. */
  readonly totalPages?: number
}

/** A page as one tree, parsed once; everything later reads this tree. @internal */
export interface ParsedPage {
  readonly url: string
  /** Base URL of relative links: the first `<base href>`, else the page's URL. */
  readonly baseUrl: string
  /** The whole page. */
  readonly $: CheerioAPI
  /** The body as text, after charset decoding: `rawHtml`. */
  readonly text: string
  /**
   * Set when the body is Markdown already, or is to be shown verbatim (JSON, plain text): `markdown` is then exactly
   * this.
   */
  readonly markdown?: string
  /** Set for a file that was not read: its bytes, which are given as its `html` too. */
  readonly base64?: string
  readonly warnings: readonly string[]
  /** True for files that are not web pages: all of it is content, nothing is boilerplate. */
  readonly isFile?: true
  readonly facts?: FileFacts
  /** Text that the parser left out of the content, if the parser counts it. */
  readonly dropped?: DroppedText
  /** Pages of the file, if they or their blocks are requested separately. */
  readonly parts?: readonly PdfPart[]
}

interface KindOfFile {
  readonly name: string
  /** Tests if this parser reads the input; the first match in the registry's order is used. */
  accepts(mediaType: string, body: Uint8Array): boolean
}

/** Reads one kind of file. Plug-ins of `parse/parsers/` implement this, or {@link FileParser}. @internal */
export interface Parser extends KindOfFile {
  /** @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` */
  parse(input: ParserInput, plan: ParsePlan): ParsedPage
}

/** Functions that a file parser may call. @internal */
export interface FileTools {
  /** Reads the text of an image by OCR; absent without OCR. */
  readonly readText?: (picture: PagePicture) => Promise<string>
  /** Yields to other work, and throws if reading is to stop; absent on a thread of its own. */
  readonly takeTurn?: () => Promise<void>
}

/**
 * Reads a kind of file that takes long, with a library that is loaded for it: never on the host's thread, if that can be
 * helped, and with more time than a web page has. Plug-ins of `parse/parsers/` implement this, or {@link Parser}.
 * @internal
 */
export interface FileParser extends KindOfFile {
  /** @throws TrawlError one of the codes that begin with `SCRAPE_FILE_` or `SCRAPE_PDF_` */
  parseFile(input: ParserInput, plan: ParsePlan, tools?: FileTools): Promise<ParsedPage>
}
