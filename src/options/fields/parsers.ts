import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'
import { inUnit } from '../issues/describe-issue.js'

/** How PDF files are read. */
export interface PdfParser {
  type: 'pdf'
  /** `fast` reads the text layer, `ocr` looks at the pages, `auto` decides. @default 'auto' */
  mode?: 'fast' | 'auto' | 'ocr' | undefined
  /** Pages read, from the first; 1 to 10000. */
  maxPages?: number | undefined
  /** Give each page by itself as well: the document's `pages`. @default false */
  pages?: boolean | undefined
  /** Give each block of text by itself as well, with its place on the page: the document's `blocks`. @default false */
  blocks?: boolean | undefined
  /** Mark in the Markdown where each page begins: `— Page 1 —`. @default false */
  pageMarkers?: boolean | undefined
}

/** Reads the text in images. */
export interface ImageParser {
  type: 'image'
}

/** A kind of file that is read; a string is short for `{ type }`. */
export type ParserItem = 'pdf' | 'image' | PdfParser | ImageParser

/** @see docs/compatibility.md#parsers @internal */
export const parsersSchema = (z: SchemaBuilder) => {
  const type = { pdf: z.literal('pdf'), image: z.literal('image') }
  const pdf = {
    mode: z.enum(['fast', 'auto', 'ocr']).optional(),
    maxPages: z.number(inUnit('pages')).multipleOf(1).min(1).max(10_000).optional(),
    pages: z.boolean().optional(),
    blocks: z.boolean().optional(),
    pageMarkers: z.boolean().optional(),
  } satisfies OptionSchemas<PdfParser>
  const objects = z.discriminatedUnion('type', [
    z.strictObject({ type: type.pdf, ...pdf }),
    z.strictObject({ type: type.image }),
  ])
  return z.array(z.union([z.enum(['pdf', 'image']), objects]))
}
