import { TrawlError } from '../errors.js'
import type { FileParser, FileTools, ParseInput, ParsedPage, ParsePlan, Parser } from './parser.js'
import * as parsers from './parsers/index.js'
import { sniffMediaType } from './sniff-media-type.js'

/**
 * Bytes to a tree, with the parser that reads what they are.
 *
 * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` naming the type, when no parser reads it, or none that does so at once
 */
export function parse(input: ParseInput, plan: ParsePlan): ParsedPage {
  const parser = findParser(input)
  if ('parseFile' in parser) throw unsupported(input, sniffMediaType(input.body, input.contentType))
  return parser.parse(input, plan)
}

/**
 * The same for whatever takes its time as well.
 *
 * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` naming the type, when no parser reads it
 */
export async function parseFile(input: ParseInput, plan: ParsePlan, tools?: FileTools): Promise<ParsedPage> {
  const parser = findParser(input)
  return 'parseFile' in parser ? await parser.parseFile(input, plan, tools) : parser.parse(input, plan)
}

/** Whether it is a file that takes its time. */
export function isSlowFile(input: ParseInput): boolean {
  const parser = seekParser(sniffMediaType(input.body, input.contentType), input.body)
  return parser !== undefined && 'parseFile' in parser
}

const registered: readonly (Parser | FileParser)[] = Object.values(parsers)

const seekParser = (mediaType: string, body: Uint8Array): Parser | FileParser | undefined =>
  registered.find((candidate) => candidate.accepts(mediaType, body))

function findParser(input: ParseInput): Parser | FileParser {
  const mediaType = sniffMediaType(input.body, input.contentType)
  const parser = seekParser(mediaType, input.body)
  if (parser === undefined) throw unsupported(input, mediaType)
  return parser
}

function unsupported({ url, contentType }: ParseInput, mediaType: string): TrawlError {
  const served = contentType === undefined || contentType.startsWith(mediaType) ? '' : ` (served as \`${contentType}\`)`
  return new TrawlError('SCRAPE_UNSUPPORTED_FILE_ERROR', `No parser reads files of type \`${mediaType}\`${served}.`, {
    url,
  })
}
