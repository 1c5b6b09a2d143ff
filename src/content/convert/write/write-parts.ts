import { compact } from '../../../base/collections/compact.js'
import type { ExtractedPage } from '../../extract/extracted-page.js'
import { CharacterBudget, limitWarning } from '../../html/document-limits.js'
import { type ChildNode, Document, append } from '../../html/tree.js'
import type { ConvertSettings } from '../format.js'
import { MISSING_MARKUP, writeMarkdown } from './write-markdown.js'

/** A page of a PDF file. Text that continues on the next page is divided. */
export interface FilePage {
  /** Page number, from 1. */
  page: number
  /** Points, 72 to an inch. */
  width: number
  /** Points. */
  height: number
  /** Content of the page, with its footnotes at the end. */
  markdown: string
}

/** A block of text of a PDF file. */
export interface FileBlock {
  type: 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'footnote'
  /** Level of a heading, 1 to 6. */
  level?: number
  /** The page of the block, from 1. */
  page: number
  /**
   * Position on the page, in points from the top left corner. For a block that continues in the next column it encloses
   * both. Absent for text that runs up or down the page, and for text recognized in an image.
   */
  box?: { left: number; top: number; right: number; bottom: number }
  markdown: string
}

/** The parts of a file in a document. */
export interface PartFields {
  pages?: FilePage[]
  blocks?: FileBlock[]
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
    parts.map(({ page, width, height, content: nodes }) => ({ page, width, height, markdown: write(nodes) }))
  const writeBlocks = (write: WriteNodes): FileBlock[] =>
    parts.flatMap(({ page, blocks }) =>
      blocks.map(({ type, level, box, content: nodes }) =>
        compact({ type, level, page, box: box && rounded(box), markdown: write(nodes) }),
      ),
    )
  return compact({
    pages: wanted.pages === true ? writeAll(content, options, writePages) : undefined,
    blocks: wanted.blocks === true ? writeAll(content, options, writeBlocks) : undefined,
  })
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

type Box = NonNullable<FileBlock['box']>

const rounded = ({ left, top, right, bottom }: Box): Box => ({
  left: round(left),
  top: round(top),
  right: round(right),
  bottom: round(bottom),
})

/** Rounds to a tenth of a point. */
const round = (length: number): number => Math.round(length * 10) / 10
