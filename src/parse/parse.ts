import { TrawlError } from '../errors.js'
import { identifyFile } from './media-type/identify-file.js'
import type { FileParser, FileTools, ParserInput, ParsedPage, ParsePlan, Parser } from './parser.js'
import * as parsers from './parsers/index.js'
import { isTextType, mediaTypeOf } from './media-type/sniff-media-type.js'
import { isSilent, makeSilentPage } from './pages/silent-page.js'
import { isUnread, makeUnreadPage } from './pages/unread-page.js'

/**
 * Parses bytes to a tree, with the parser for their type.
 *
 * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` naming the type, when no parser reads it, or only one that needs
 * {@link parseFile}
 */
export function parse(input: ParserInput, plan: ParsePlan): ParsedPage {
  const mediaType = mediaTypeOf(input)
  if (isUnread(mediaType, plan)) return makeUnreadPage(input)
  if (isSilent(mediaType, plan)) return makeSilentPage(input)
  const parser = findParser(input, mediaType)
  if ('parseFile' in parser) throw unsupported(input, mediaType)
  return parser.parse({ ...input, mediaType }, plan)
}

/**
 * Parses any file, also with slow parsers; its type is identified thoroughly.
 *
 * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` naming the type, when no parser reads it; what the parser throws
 */
export async function parseFile(given: ParserInput, plan: ParsePlan, tools?: FileTools): Promise<ParsedPage> {
  const input = await identifyFile(given)
  const mediaType = mediaTypeOf(input)
  if (isUnread(mediaType, plan)) return makeUnreadPage(given)
  if (isSilent(mediaType, plan)) return makeSilentPage(given)
  const parser = findParser(input, mediaType)
  return 'parseFile' in parser ? await parser.parseFile(input, plan, tools) : parser.parse(input, plan)
}

/** Tests for files that are binary or have a slow parser. */
export function isSlowFile(input: ParserInput): boolean {
  const mediaType = mediaTypeOf(input)
  if (!isTextType(mediaType)) return true
  const parser = seekParser(mediaType, input.body)
  return parser !== undefined && 'parseFile' in parser
}

const registered: readonly (Parser | FileParser)[] = Object.values(parsers)

const seekParser = (mediaType: string, body: Uint8Array): Parser | FileParser | undefined =>
  registered.find((candidate) => candidate.accepts(mediaType, body))

function findParser(input: ParserInput, mediaType: string): Parser | FileParser {
  const parser = seekParser(mediaType, input.body)
  if (parser === undefined) throw unsupported(input, mediaType)
  return parser
}

function unsupported({ url, contentType }: ParserInput, mediaType: string): TrawlError {
  const served = contentType === undefined || contentType.startsWith(mediaType) ? '' : ` (served as \`${contentType}\`)`
  const advice = mediaType.startsWith('image/') ? ': an `imageParser` of the engine would' : ''
  return new TrawlError(
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    `No parser reads files of type \`${mediaType}\`${served}${advice}.`,
    { url },
  )
}
