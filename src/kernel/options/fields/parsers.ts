import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'
import { optionalBoolean, wholeNumber } from './basic-schemas.js'

/** Options of reading PDF files. */
export interface PdfParser {
  type: 'pdf'
  /** `fast` reads the text layer, `ocr` reads images of the pages, `auto` decides. @default 'auto' */
  mode?: 'fast' | 'auto' | 'ocr'
  /** Maximum number of pages that are read, from the first; 1 to 10000. */
  maxPages?: number
  /** Return each page separately as well, in `pages` of the document. @default false */
  pages?: boolean
  /** The former name of `pages`, which wins. @deprecated */
  pageMarkdown?: boolean
  /** Return each block of text with its position on the page as well, in `blocks` of the document. @default false */
  blocks?: boolean
  /** Mark the start of each page in the Markdown: `— Page 1 —`. @default false */
  pageMarkers?: boolean
}

/** Reading of images, by the engine's `imageParser`. */
interface ImageParserOptions {
  type: 'image'
}

/** Kind of file to read; a string is short for `{ type }`. */
export type ParserItem = 'pdf' | 'image' | PdfParser | ImageParserOptions

/** Creates the schema of `parsers`. @see docs/compatibility/requests.md#parsers @internal */
export const parsersSchema = (z: SchemaBuilder) => {
  const type = { pdf: z.literal('pdf'), image: z.literal('image') }
  const pdf = {
    mode: z.enum(['fast', 'auto', 'ocr']).optional(),
    maxPages: wholeNumber(z, 'pages', 1).max(10_000).optional(),
    pages: optionalBoolean(z),
    pageMarkdown: optionalBoolean(z),
    blocks: optionalBoolean(z),
    pageMarkers: optionalBoolean(z),
  } satisfies OptionSchemas<PdfParser>
  const objects = z.discriminatedUnion('type', [
    z.strictObject({ type: type.pdf, ...pdf }),
    z.strictObject({ type: type.image }),
  ])
  return z.array(z.union([z.enum(['pdf', 'image']), objects]))
}
