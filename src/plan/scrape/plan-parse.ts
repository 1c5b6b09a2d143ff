import type { ParsePlan, PdfPlan } from '../../parse/parser.js'
import type { ParserItem, PdfParser } from '../../options/fields/parsers.js'
import type { ScrapeOptions } from '../../options/scrape-options.js'

/**
 * How files are read, from checked options: without `parsers` each by whatever reads it.
 *
 * @see docs/compatibility.md#parsers
 */
export function planParse({ parsers, formats = [] }: ScrapeOptions, bounds: ParsePlan): ParsePlan {
  // Nothing is looked for in what is given as it came.
  const isRaw = formats.some((item) => (typeof item === 'string' ? item : item.type) === 'rawBase64')
  if (isRaw || parsers?.length === 0) return { ...bounds, unread: 'all' }
  if (!parsers) return { ...bounds }
  const types = new Set(parsers.map(typeOf))
  const pdf = planPdf(parsers)
  return {
    ...bounds,
    ...(!types.has('pdf') && { unread: 'pdf' }),
    ...(!types.has('image') && { skipsImages: true }),
    ...(pdf && { pdf }),
  }
}

const typeOf = (item: ParserItem): 'pdf' | 'image' => (typeof item === 'string' ? item : item.type)

/** Of several items for one kind the last one counts. */
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
