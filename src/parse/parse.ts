import { TrawlError } from '../errors.js'
import type { ParseInput, ParsedPage, ParsePlan } from './parser.js'
import * as parsers from './parsers/index.js'
import { sniffMediaType } from './sniff-media-type.js'

/**
 * Bytes to a tree, with the parser that reads what they are.
 *
 * @throws TrawlError `SCRAPE_UNSUPPORTED_FILE_ERROR` naming the type, when no parser reads it
 */
export function parse(input: ParseInput, plan: ParsePlan): ParsedPage {
  const mediaType = sniffMediaType(input.body, input.contentType)
  const parser = Object.values(parsers).find((candidate) => candidate.accepts(mediaType, input.body))
  if (parser === undefined) throw unsupported(input, mediaType)
  return parser.parse(input, plan)
}

function unsupported({ url, contentType }: ParseInput, mediaType: string): TrawlError {
  const served = contentType === undefined || contentType.startsWith(mediaType) ? '' : ` (served as \`${contentType}\`)`
  return new TrawlError('SCRAPE_UNSUPPORTED_FILE_ERROR', `No parser reads files of type \`${mediaType}\`${served}.`, {
    url,
  })
}
