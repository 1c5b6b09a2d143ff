import { compact } from '../../../base/collections/compact.js'
import type { ExtractedPage } from '../../extract/extracted-page.js'
import { CharacterBudget, limitWarning } from '../../html/document-limits.js'
import { type ChildNode, Document, append } from '../../html/tree.js'
import type { PageBox } from '../../pdf/block.js'
import type { ConvertSettings } from '../format.js'
import { MISSING_MARKUP, writeMarkdown } from './write-markdown.js'

/** A page of a PDF file. Text that continues on the next page is divided. */
export interface FilePage {
  /** From 1. */
  pageNumber: number
  /** Points, 72 to an inch. */
  width: number
  /** Points. */
  height: number
  /** Content of the page, with its footnotes at the end. */
  markdown: string
}

/** A block of text of a PDF file. */
export interface FileBlock {
  /** Name of the block in its document, such as `p2-b0` for the first block of the second page. */
  id: string
  type: 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'footnote'
  /** Always null: trawl knows no more than `type`. */
  label: null
  /** Level of a heading, 1 to 6. */
  level?: number
  /**
   * Left, top, right and bottom edge on the page, in points from its top left corner. For a block that continues in the next
   * column it encloses both. Null for text that runs up or down the page, and for text recognized in an image.
   */
  bbox: [number, number, number, number] | null
  /** Markdown. */
  content: string
  /**
   * Begin and end of `content` in `markdown` of the document, in UTF-16 units. Null if it is not there as it is here: a
   * note that is a reference, a table that continues, a document without `markdown`.
   */
  markdownSpan: [number, number] | null
  /** Place in the reading order of the page, from 0. */
  readingOrder: number
  /** Origin of the text: the text layer of the file, or an image of its page. */
  source: 'text' | 'ocr'
  /** Both are null: rules find the blocks, which give no probabilities. */
  confidence: { layout: null; ocr: null }
}

/** The blocks of a page of a PDF file. */
export interface FilePageBlocks {
  /** From 1. */
  pageNumber: number
  /** Points, 72 to an inch. */
  width: number
  /** Points. */
  height: number
  /** Always `ok`: a page that cannot be read is left out, with a `warning`. */
  status: 'ok'
  /** In reading order. */
  items: FileBlock[]
}

/** The parts of a file in a document. */
export interface PartFields {
  pages?: FilePage[]
  blocks?: FilePageBlocks[]
}

/**
 * Writes the parts of a file as Markdown: all of their contents, independent of `includeTags` and `excludeTags`.
 *
 * @internal
 */
export function writeParts(
  content: ExtractedPage,
  wanted: { readonly pages?: boolean; readonly blocks?: boolean },
  options: PartOptions,
): PartFields {
  const { parts } = content.page
  if (parts === undefined) return {}
  const writePages = (write: WriteNodes): FilePage[] =>
    parts.map(({ page, width, height, content: nodes }) => ({
      pageNumber: page,
      width,
      height,
      markdown: write(nodes),
    }))
  const writeBlocks = (write: WriteNodes): FilePageBlocks[] =>
    parts.map(({ page, width, height, isScan, blocks }) => ({
      pageNumber: page,
      width,
      height,
      status: 'ok',
      items: blocks.map(({ type, level, box, content: nodes }, readingOrder) =>
        compact({
          id: `p${page}-b${readingOrder}`,
          type,
          label: null,
          level,
          bbox: box ? edgesOf(box) : null,
          content: write(nodes),
          markdownSpan: null,
          readingOrder,
          source: isScan ? ('ocr' as const) : ('text' as const),
          confidence: { layout: null, ocr: null },
        }),
      ),
    }))
  return compact({
    pages: wanted.pages === true ? writeAll(content, options, writePages) : undefined,
    blocks: wanted.blocks === true ? writeAll(content, options, writeBlocks) : undefined,
  })
}

/** Distance behind the block before, in characters, at which a block is still looked for. It bounds the time. */
const MAX_GAP = 4000

/** Finds the blocks of a file in the Markdown of its document, in order. @internal */
export function placeBlocks({ blocks = [] }: PartFields, markdown: string | undefined): void {
  if (markdown === undefined) return
  let end = 0
  for (const { items } of blocks)
    for (const item of items) {
      const { length } = item.content
      const at = length === 0 ? -1 : markdown.slice(end, end + MAX_GAP + length).indexOf(item.content)
      if (at === -1) continue
      item.markdownSpan = [end + at, end + at + length]
      // Footnotes stand behind what follows them on the page.
      if (item.type !== 'footnote') end += at + length
    }
}

interface PartOptions {
  readonly settings: ConvertSettings
  readonly warn?: (warning: string) => void
}

type WriteNodes = (nodes: readonly ChildNode[]) => string

/** Writes parts that must not become too long together. */
function writeAll<Part>(
  content: ExtractedPage,
  { settings, warn }: PartOptions,
  writeWith: (write: WriteNodes) => Part[],
): Part[] {
  const { url, baseUrl } = content.page
  const { part, added } = content.limits
  const budget = new CharacterBudget(added)
  const texts = new CharacterBudget(part)
  const written = writeWith((nodes) => {
    const document = new Document([])
    for (const node of nodes) append(document, node)
    const tree = content.tree.withRoot(document)
    // Footnotes are searched in the part alone.
    const page = { url, baseUrl, tree, text: '', warnings: [] }
    const markdown = writeMarkdown({ ...content, page, tree }, settings, { budget })
    return texts.take(markdown.length) ? markdown : ''
  })
  if (budget.leftOut > 0) warn?.(limitWarning(budget.leftOut, MISSING_MARKUP, part))
  if (texts.leftOut > 0)
    warn?.(limitWarning(texts.leftOut, 'parts of the file are empty, as it repeats its text', part))
  return written
}

const edgesOf = ({ left, top, right, bottom }: PageBox): [number, number, number, number] => [
  round(left),
  round(top),
  round(right),
  round(bottom),
]

/** Rounds to a tenth of a point. */
const round = (length: number): number => Math.round(length * 10) / 10
