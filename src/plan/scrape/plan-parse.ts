import type { ParsePlan, PdfPlan } from '../../parse/parser.js'
import type { ParserItem, PdfParser } from '../../options/fields/parsers.js'
import type { ScrapeOptions } from '../../options/scrape-options.js'

/**
 * Plans the parsing of files, from checked options. Without `parsers`, each file is read by the parser for its type.
 *
 * @see docs/compatibility.md#parsers
 */
export function planParse({ parsers, formats = [] }: ScrapeOptions, bounds: ParsePlan): ParsePlan {
  // Raw output needs no parsing.
  const isRaw = formats.some((item) => (typeof item === 'string' ? item : item.type) === 'rawBase64')
  if (isRaw || parsers?.length === 0) return { ...bounds, asBase64: 'all' }
  if (!parsers) return { ...bounds }
  const types = new Set(parsers.map(typeOf))
  const pdf = planPdf(parsers)
  return {
    ...bounds,
    ...(!types.has('pdf') && { asBase64: 'pdf' }),
    ...(!types.has('image') && { skipsImages: true }),
    ...(pdf && { pdf }),
  }
}

const typeOf = (item: ParserItem): 'pdf' | 'image' => (typeof item === 'string' ? item : item.type)

/** Plans the parsing of PDF files. The last of several items counts. */
function planPdf(parsers: readonly ParserItem[]): PdfPlan | undefined {
  const item = parsers.findLast((one): one is PdfParser => typeof one === 'object' && one.type === 'pdf')
  if (!item) return undefined
  const { mode, maxPages, pageMarkers, pages, blocks } = item
  return {
    ...(mode !== undefined && { mode }),
    ...(maxPages !== undefined && { maxPages }),
    ...(pageMarkers !== undefined && { pageMarkers }),
    ...(pages !== undefined && { pages }),
    ...(blocks !== undefined && { blocks }),
  }
}
