import type { CheerioAPI } from 'cheerio'
import type { PagePicture } from '../ocr/ocr.js'
import type { DroppedText } from '../pdf/output/dropped-lines.js'
import type { PdfPart } from '../pdf/output/part-pages.js'

/** Bytes to be read, and what is known about them. */
export interface ParserInput {
  /** The page's final URL. */
  readonly url: string
  readonly body: Uint8Array
  /** The `Content-Type` header, verbatim. */
  readonly contentType?: string
  /** What the server calls the file; where it does not, the end of the URL's path is its name. */
  readonly fileName?: string
  /** What the bytes are, where that has been found out. @default their type is sniffed */
  readonly mediaType?: string
}

/** Bounds on what a parser may build. */
export interface ParsePlan {
  /** Larger HTML is not parsed but read as plain text, with a warning. Bytes. */
  readonly maxHtmlBytes: number
  /** Elements nested deeper than this are attached to their ancestor at this depth: no text is lost. */
  readonly maxDepth: number
  /** A tree of more nodes than this is not built; the page is read as plain text, with a warning. */
  readonly maxNodes: number
  /** Which files are given in base64 as they came: PDF files, or whatever is no text. @default none */
  readonly unread?: 'pdf' | 'all'
  /** Whether pictures are left alone though the engine has an image parser. @default false */
  readonly skipsImages?: boolean
  /** Whether sound and films are pages without text. @default they are refused */
  readonly mayBeMedia?: boolean
  /** How PDF files are read. @default every page, by its text layer */
  readonly pdf?: PdfPlan
  /** Set for a page that was too much to be parsed, with the reason: it is read as plain text, and the warning gives it. */
  readonly asText?: string
}

/** How PDF files are read; what is absent has its default. @see docs/compatibility.md#parsers */
export interface PdfPlan {
  /** `fast` reads the text layer, `ocr` looks at the pages, `auto` decides. @default 'auto' */
  readonly mode?: 'fast' | 'auto' | 'ocr'
  /** Pages read, from the first. @default all */
  readonly maxPages?: number
  /** Whether it is marked where each page begins. @default false */
  readonly pageMarkers?: boolean
  /** Whether each page is given by itself as well. @default false */
  readonly pages?: boolean
  /** Whether each block of text is given by itself as well. @default false */
  readonly blocks?: boolean
}

/** What a file is, as numbers: a document's metadata has them under the same names. */
export interface FileFacts {
  /** Pages that were read. */
  readonly numPages?: number
  /** Pages in the file. */
  readonly totalPages?: number
}

/** A page as one tree, parsed once; everything later reads this tree. @internal */
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
  /** Set for a file that was not read: its bytes, which are given as its `html` too. */
  readonly base64?: string
  readonly warnings: readonly string[]
  /** Set for a file that is no web page: all of it is content, no part is boilerplate. */
  readonly isFile?: true
  readonly facts?: FileFacts
  /** What the parser has left out of a file's content; present where the parser of its kind counts it. */
  readonly dropped?: DroppedText
  /** The pages of a file each by itself, where they or their blocks are wanted so. */
  readonly parts?: readonly PdfPart[]
}

interface KindOfFile {
  readonly name: string
  /** Whether this parser reads the input; the first in the registry's order that says so does. */
  accepts(mediaType: string, body: Uint8Array): boolean
}

/** Reads one kind of file. Plug-ins of `parse/parsers/` implement this, or {@link FileParser}. @internal */
export interface Parser extends KindOfFile {
  /** @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` */
  parse(input: ParserInput, plan: ParsePlan): ParsedPage
}

/** What a parser of files may call. @internal */
export interface FileTools {
  /** Reads the text in a picture of a page; absent where nobody can. */
  readonly readText?: (picture: PagePicture) => Promise<string>
  /** Lets others have their turn, and throws where the file is to be given up; absent where the thread is nobody else's. */
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
