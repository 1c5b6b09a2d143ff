import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'
import { inUnit } from '../issues/describe-issue.js'

/** Options of PDF files. */
export interface PdfParser {
  type: 'pdf'
  /** `fast` reads the text layer, `ocr` reads images of the pages, `auto` decides. @default 'auto' */
  mode?: 'fast' | 'auto' | 'ocr' | undefined
  /** Maximum number of pages, from the first; 1 to 10000. */
  maxPages?: number | undefined
  /** Return each page separately as well, in `pages` of the document. @default false */
  pages?: boolean | undefined
  /** Return each block of text with its position on the page as well, in `blocks` of the document. @default false */
  blocks?: boolean | undefined
  /** Mark the start of each page in the Markdown: `— Page 1 —`. @default false */
  pageMarkers?: boolean | undefined
}

/** Reads the text in images. */
export interface ImageParserOptions {
  type: 'image'
}

/** Kind of file to read; a string is short for `{ type }`. */
export type ParserItem = 'pdf' | 'image' | PdfParser | ImageParserOptions

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
