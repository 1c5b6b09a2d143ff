import type { CheerioAPI } from 'cheerio'
import type { Document, Element } from '../html/tree.js'
import type { PagePicture } from '../ocr/ocr.js'
import type { DroppedText } from '../../base/text/dropped-lines.js'
import type { LinkedSheet } from '../../base/text/linked-sheet.js'
import type { UnseenMarks } from '../../base/text/unseen-marks.js'
import type { PdfPart } from '../pdf/output/part-pages.js'

/** Bytes to parse, with the information that the server gave about them. */
export interface ParserInput {
  /** Final URL of the page. */
  readonly url: string
  readonly body: Uint8Array
  /** `Content-Type` header, verbatim. */
  readonly contentType?: string
  /** File name given by the server. @default the last segment of the URL's path */
  readonly fileName?: string
  /** Media type, if it is identified already. @default detected from the bytes, the header and the name */
  readonly mediaType?: string
  /** Texts that a browser has drawn without their being seen. @default not known */
  readonly unseen?: UnseenMarks
  /** Style sheets that the page links to. @default not known */
  readonly sheets?: readonly LinkedSheet[]
  /** Adds a warning to those of the page. */
  readonly warn?: (warning: string) => void
}

/** Limits and options of parsers. */
export interface ParsePlan {
  /** Maximum size of HTML, in bytes. Larger pages are read as plain text, with a warning. */
  readonly maxHtmlBytes: number
  /** Maximum nesting of elements. Deeper ones are attached to their ancestor at this depth, so that no text is lost. */
  readonly maxDepth: number
  /** Maximum number of nodes. Larger pages are read as plain text, with a warning. */
  readonly maxNodes: number
  /**
   * Maximum length of each part of a document, in characters.
   *
   * @default four times the page, at least 1 MiB and at most 32 MiB
   */
  readonly maxDocumentLength?: number
  /** Files that are returned in base64 instead of being parsed: PDF files, or all binary files. @default none */
  readonly asBase64?: 'pdf' | 'all'
  /** Skips images although the engine has an image parser. @default false */
  readonly skipsImages?: boolean
  /** Accepts audio and video files as empty pages. @default false: no parser reads them, so that they fail */
  readonly mayBeMedia?: boolean
  /** Keeps files that cannot be read as empty pages, with the reason as a warning. @default false: they fail */
  readonly keepsUnread?: boolean
  /** Set to take the file as an empty page, because it cannot be read: the reason, for the warning. */
  readonly unread?: string
  /** Keeps text of files that no reader sees. @default false */
  readonly keepsHidden?: boolean
  /** Options of PDF files. @default every page, by its text layer */
  readonly pdf?: PdfPlan
  /** Set to read the page as plain text, because parsing it failed: the reason, for the warning. */
  readonly asText?: string
}

/** Options of PDF files. @see docs/compatibility/requests.md#parsers */
export interface PdfPlan {
  /**
   * `fast` reads the text layer, `ocr` recognizes the text in images of the pages, `auto` decides for each page.
   *
   * @default 'auto'
   */
  readonly mode?: 'fast' | 'auto' | 'ocr'
  /** Maximum number of pages that are read, from the first. @default all */
  readonly maxPages?: number
  /** Marks the start of each page. @default false */
  readonly pageMarkers?: boolean
  /** Returns each page separately as well. @default false */
  readonly pages?: boolean
  /** Returns each block of text separately as well. @default false */
  readonly blocks?: boolean
}

/** Page counts of a file. A document's `metadata` has fields of the same names. */
export interface FileFacts {
  /** Pages that were read. */
  readonly numPages?: number
  /** Pages in the file. */
  readonly totalPages?: number
}

/** The tree of a page, or of a part of it. @internal */
export interface HtmlTree {
  readonly root: Document
  /** Cheerio over the tree, for selectors and for HTML. */
  readonly $: CheerioAPI
  /** Returns another tree with the same functions. */
  withRoot(root: Document): HtmlTree
}

/** A parsed page. It is parsed once: extraction and conversion read this tree. @internal */
export interface ParsedPage {
  readonly url: string
  /** Base URL of relative links: the first `<base href>`, else the page's URL. */
  readonly baseUrl: string
  /** The whole page. */
  readonly tree: HtmlTree
  /** The body as text, after charset decoding: `rawHtml`. */
  readonly text: string
  /**
   * Set if the body is Markdown already, or is shown verbatim (JSON, plain text): the `markdown` of the document,
   * unchanged.
   */
  readonly markdown?: string
  /** Set for a file that is not parsed: its bytes in base64, which are also the `html` of the document. */
  readonly base64?: string
  readonly warnings: readonly string[]
  /** See {@link ParserInput.unseen}. */
  readonly unseen?: UnseenMarks
  /** See {@link ParserInput.sheets}. */
  readonly sheets?: readonly LinkedSheet[]
  /** Size of the unpacked parts of a file, if it was packed. Bytes. */
  readonly sourceBytes?: number
  /** True for a file that is not a web page: all of it is content, and no boilerplate is removed. */
  readonly isFile?: true
  readonly facts?: FileFacts
  /** Text of a file that its parser left out of the content; absent if the parser cannot count it. */
  readonly dropped?: DroppedText
  /** Pages of the file, if they or their blocks are requested separately. */
  readonly parts?: readonly PdfPart[]
}

/** A page that was read without a tree. @internal */
export interface StreamedPage {
  /** The root element, without its contents. */
  readonly root: Element
  /** See {@link ParsedPage.baseUrl}. */
  readonly baseUrl: string
  /** See {@link ParsedPage.text}. */
  readonly text: string
  readonly warnings: readonly string[]
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
  /**
   * Yields to the event loop, and throws if the parser must stop. Absent in a worker thread, which can be ended at any
   * time.
   */
  readonly takeTurn?: () => Promise<void>
}

/**
 * Reads one kind of file that takes long or needs a library of its own. It runs in a worker thread where there is one,
 * with a longer timeout than a web page. Plug-ins of `parse/parsers/` implement this, or {@link Parser}.
 * @internal
 */
export interface FileParser extends KindOfFile {
  /** @throws TrawlError with a code that starts with `SCRAPE_FILE_` or `SCRAPE_PDF_` */
  parseFile(input: ParserInput, plan: ParsePlan, tools?: FileTools): Promise<ParsedPage>
}
