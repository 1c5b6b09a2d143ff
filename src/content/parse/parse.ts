import { TrawlError } from '../../base/errors.js'
import { shortenText } from '../../base/text/cut-text.js'
import { identifyFile } from './media-type/identify-file.js'
import type { FileParser, FileTools, ParserInput, ParsedPage, ParsePlan, Parser, StreamedPage } from './parser.js'
import type { NodeReader } from './html/stream-nodes.js'
import { html, streamHtml } from './parsers/html.js'
import * as parsers from './parsers/index.js'
import { isTextType, mediaTypeOf } from './media-type/sniff-media-type.js'
import { loadTree, wrapInPage } from './html/load-tree.js'

/**
 * Parses bytes to a tree, with the parser for their type.
 *
 * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` with the type in its message if no parser reads it, or only one
 * that needs {@link parseFile}
 */
export function parse(input: ParserInput, plan: ParsePlan): ParsedPage {
  const mediaType = mediaTypeOf(input)
  const unread = makeUnread(input, mediaType, plan)
  if (unread) return unread
  const parser = findParser(input, mediaType)
  if ('parseFile' in parser) throw unsupported(input, mediaType)
  return parseWith(parser, { ...input, mediaType }, plan)
}

/** Makes the page of a file that the plan takes as it is; undefined for one that is parsed. */
function makeUnread(input: ParserInput, mediaType: string, plan: ParsePlan): ParsedPage | undefined {
  if (plan.unread !== undefined) return { ...makeMediaPage(input), warnings: [plan.unread] }
  if (plan.asBase64 !== undefined && isWantedAsBase64(mediaType, plan)) return makeBase64Page(input)
  return plan.mayBeMedia === true && isMedia(mediaType) ? makeMediaPage(input) : undefined
}

/** Parses, and adds what the parser has warned of while it decoded text. */
function parseWith(parser: Parser, input: ParserInput, plan: ParsePlan): ParsedPage {
  const warnings = new Set<string>()
  const page = parser.parse({ ...input, warn: (warning) => warnings.add(warning) }, plan)
  return warnings.size === 0 ? page : { ...page, warnings: [...page.warnings, ...warnings] }
}

/**
 * Reads a web page node by node, without a tree.
 *
 * @returns undefined for other files, and for a page that needs a tree: it must be parsed
 */
export function streamPage(input: ParserInput, plan: ParsePlan, reader: NodeReader): StreamedPage | undefined {
  const mediaType = mediaTypeOf(input)
  return html.accepts(mediaType, input.body) ? streamHtml({ ...input, mediaType }, plan, reader) : undefined
}

/**
 * Parses any file, including kinds whose parser is slow. The type is identified by {@link identifyFile}, which also
 * examines containers such as zip.
 *
 * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` with the type in its message if no parser reads it; the parser's
 * errors
 */
export async function parseFile(given: ParserInput, plan: ParsePlan, tools?: FileTools): Promise<ParsedPage> {
  const input = await identifyFile(given)
  const mediaType = mediaTypeOf(input)
  const unread = makeUnread(given, mediaType, plan)
  if (unread) return unread
  const parser = findParser(input, mediaType)
  return 'parseFile' in parser ? await parser.parseFile(input, plan, tools) : parseWith(parser, input, plan)
}

/** Tests for files that are binary or have a slow parser. */
export function isSlowFile(input: ParserInput): boolean {
  const mediaType = mediaTypeOf(input)
  if (!isTextType(mediaType)) return true
  const parser = lookUpParser(mediaType, input.body)
  return parser !== undefined && 'parseFile' in parser
}

/** That of nearly all pages first: the others would each be asked about it. */
const registered: readonly (Parser | FileParser)[] = [...new Set([html, ...Object.values(parsers)])]

const lookUpParser = (mediaType: string, body: Uint8Array): Parser | FileParser | undefined =>
  registered.find((candidate) => candidate.accepts(mediaType, body))

function findParser(input: ParserInput, mediaType: string): Parser | FileParser {
  const parser = lookUpParser(mediaType, input.body)
  if (parser === undefined) throw unsupported(input, mediaType)
  return parser
}

/** Maximum length of a media type in the message. Characters. A server chooses it, and a job keeps the message of each page. */
const MAX_SHOWN_TYPE = 100

function unsupported({ url, contentType }: ParserInput, mediaType: string): TrawlError {
  const served =
    contentType === undefined || contentType.startsWith(mediaType)
      ? ''
      : ` (served as \`${shortenText(contentType, MAX_SHOWN_TYPE)}\`)`
  const advice = mediaType.startsWith('image/') ? ': set the option `imageParser` of the engine to read images' : ''
  return new TrawlError(
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    `No parser reads files of type \`${shortenText(mediaType, MAX_SHOWN_TYPE)}\`${served}${advice}.`,
    { url },
  )
}

/** Tests if the plan requests files of this type in base64, without parsing. */
const isWantedAsBase64 = (mediaType: string, { asBase64 }: ParsePlan): boolean =>
  (asBase64 === 'all' && !isTextType(mediaType)) || (asBase64 === 'pdf' && mediaType === 'application/pdf')

/**
 * Creates the page of a file that is not parsed: `text` and `markdown` are its bytes in base64.
 *
 * @see docs/compatibility/requests.md#parsers
 */
function makeBase64Page({ url, body }: ParserInput): ParsedPage {
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return {
    url,
    baseUrl: url,
    tree: loadTree(wrapInPage([])),
    text: base64,
    markdown: base64,
    base64,
    isFile: true,
    warnings: [],
  }
}

/** Tests for an audio or video file, which a format such as a transcript reads itself. */
const isMedia = (mediaType: string): boolean =>
  /^(?:(?:audio|video)\/|application\/(?:ogg|vnd\.ms-asf)$)/.test(mediaType)

/** Creates an empty page for an audio or video file. */
const makeMediaPage = ({ url }: ParserInput): ParsedPage => ({
  url,
  baseUrl: url,
  tree: loadTree(wrapInPage([])),
  text: '',
  markdown: '',
  isFile: true,
  warnings: [],
})
