import type { ExtractedPage } from '../../extract/extracted-page.js'
import { type ChildNode, Document, append } from '../../html/tree.js'
import type { ConvertSettings } from '../format.js'
import { writeMarkdown } from './write-markdown.js'

/** A page of a PDF file by itself: what goes on from one page to the next is parted. */
export interface FilePage {
  /** From 1. */
  page: number
  /** Points: 72 are an inch. */
  width: number
  /** Points. */
  height: number
  /** What stands on it; its footnotes at the end. */
  markdown: string
}

/** A block of text of a PDF file. */
export interface FileBlock {
  type: 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'footnote'
  /** Of a heading: 1 to 6. */
  level?: number
  /** The page that it stands on, from 1. */
  page: number
  /**
   * Where it stands on its page: points from the top left corner. Of what goes on in the next column it holds both.
   * Absent for text that runs up or down the page, and for what was read from a picture.
   */
  box?: { left: number; top: number; right: number; bottom: number }
  markdown: string
}

/** What is given of a file's parts. */
export interface PartFields {
  pages?: FilePage[]
  blocks?: FileBlock[]
}

/** The parts of a file as Markdown: all that stands in them, whatever tags were asked for. @internal */
export function writeParts(
  content: ExtractedPage,
  wanted: { readonly pages?: boolean; readonly blocks?: boolean },
  settings: ConvertSettings,
): PartFields {
  const { parts, url, baseUrl } = content.page
  if (parts === undefined) return {}
  const write = (nodes: readonly ChildNode[]): string => {
    const document = new Document([])
    for (const node of nodes) append(document, node)
    const $ = content.page.$.load(document)
    // Notes are looked for in the part alone.
    const page = { url, baseUrl, $, text: '', warnings: [] }
    return writeMarkdown({ ...content, page, $ }, settings)
  }
  const blocks = (): FileBlock[] =>
    parts.flatMap((part) =>
      part.blocks.map(({ type, level, box, content: nodes }) => ({
        type,
        ...(level !== undefined && { level }),
        page: part.page,
        ...(box && { box: rounded(box) }),
        markdown: write(nodes),
      })),
    )
  return {
    ...(wanted.pages === true && {
      pages: parts.map(({ page, width, height, content: nodes }) => ({ page, width, height, markdown: write(nodes) })),
    }),
    ...(wanted.blocks === true && { blocks: blocks() }),
  }
}

type Box = NonNullable<FileBlock['box']>

const rounded = ({ left, top, right, bottom }: Box): Box => ({
  left: round(left),
  top: round(top),
  right: round(right),
  bottom: round(bottom),
})

/** To a tenth of a point. */
const round = (length: number): number => Math.round(length * 10) / 10
