import type { EnrichFormats } from '../../enrich/enrich-formats.js'
import { itemType } from '../../options/fields/item-type.js'
import type { ParserItem, PdfParser } from '../../options/fields/parsers.js'
import type { ScrapeOptions } from '../../options/scrape-options.js'
import type { ParsePlan, PdfPlan } from '../../../content/parse/parser.js'

/**
 * Plans the parsing of files, from checked options. Without `parsers`, each file is read by the parser for its type.
 *
 * @see docs/compatibility/requests.md#parsers
 */
export function planParse(
  { parsers, formats = [], visibleOnly }: ScrapeOptions,
  given: ParsePlan,
  known: EnrichFormats,
): ParsePlan {
  const keepsUnread = formats.some((item) => known.hasTrait(itemType(item), 'original')) || undefined
  const bounds: ParsePlan = { ...given, keepsUnread, keepsHidden: visibleOnly === false || undefined }
  // Raw output needs no parsing.
  const isRaw = formats.some((item) => known.hasTrait(itemType(item), 'raw'))
  if (isRaw || parsers?.length === 0) return { ...bounds, asBase64: 'all' }
  if (!parsers) return { ...bounds }
  const types = new Set(parsers.map(itemType))
  const pdf = planPdf(parsers)
  return {
    ...bounds,
    asBase64: types.has('pdf') ? undefined : 'pdf',
    skipsImages: types.has('image') ? undefined : true,
    pdf,
  }
}

/** Plans the parsing of PDF files. Of several items, the last one applies. */
function planPdf(parsers: readonly ParserItem[]): PdfPlan | undefined {
  const item = parsers.findLast(
    (candidate): candidate is PdfParser => typeof candidate === 'object' && candidate.type === 'pdf',
  )
  if (!item) return undefined
  const { mode, maxPages, pageMarkers, pageMarkdown, pages = pageMarkdown, blocks } = item
  return {
    mode,
    maxPages,
    pageMarkers,
    pages,
    blocks,
  }
}
