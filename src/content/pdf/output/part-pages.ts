import type { ChildNode } from '../../html/tree.js'
import type { PdfBlock, PageBox, Heading, Note } from '../block.js'
import { rankHeadings, type Titles } from '../blocks/find-headings.js'
import { BlockJoiner } from '../blocks/join-blocks.js'
import type { PdfPageText } from '../page-text.js'
import { writeTree } from './write-tree.js'

/** Content of one page as elements. */
export interface PdfPart {
  /** Page number, from 1. */
  readonly page: number
  /** In points. */
  readonly width: number
  /** In points. */
  readonly height: number
  /** True if the text was recognized in an image of the page. */
  readonly isScan: boolean
  readonly content: readonly ChildNode[]
  readonly blocks: readonly BlockPart[]
}

/** Block as elements. */
interface BlockPart {
  readonly type: 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'footnote'
  readonly level?: number
  readonly box?: PageBox
  readonly content: readonly ChildNode[]
}

interface Part {
  readonly text: { readonly index: number; readonly width: number; readonly height: number; readonly isScan: boolean }
  readonly blocks: readonly PdfBlock[]
  readonly notes: readonly Note[]
}

/** Collects pages separately: no block continues on the next page. */
export class PdfParts {
  readonly #parts: Part[] = []

  constructor(readonly words: ReadonlyMap<string, number>) {}

  /** @param found blocks of the page; they are copied, not changed */
  add({ index, width, height, isScan = false }: PdfPageText, found: readonly PdfBlock[]): void {
    const joiner = new BlockJoiner(this.words)
    joiner.add(structuredClone(found), undefined)
    this.#parts.push({ text: { index, width, height, isScan }, blocks: joiner.blocks, notes: joiner.notes })
  }

  /** Writes all pages at the end, because heading levels depend on the whole file. */
  write(titles: Titles): PdfPart[] {
    rankHeadings(
      this.#parts.flatMap(({ blocks }) => blocks).filter((block): block is Heading => block.kind === 'heading'),
      titles,
    )
    return this.#parts.map(({ text: { index, ...size }, blocks, notes }) => ({
      page: index + 1,
      ...size,
      content: writeTree(blocks, notes),
      blocks: [...blocks, ...notes].map(writePart),
    }))
  }
}

function writePart(block: PdfBlock): BlockPart {
  const { box } = block.kind === 'page' ? {} : block
  return {
    type: block.kind === 'note' ? 'footnote' : block.kind === 'page' ? 'paragraph' : block.kind,
    level: block.kind === 'heading' ? Math.max(1, block.level) : undefined,
    box,
    content: writeTree([block.kind === 'note' ? paragraphOf(block) : block], []),
  }
}

const paragraphOf = ({ label, spans, page }: Note): PdfBlock => ({
  kind: 'paragraph',
  spans: [{ text: `${label} `, isBold: false, isItalic: false, isMono: false, isRaised: false }, ...spans],
  size: 0,
  page,
  isFull: false,
  isIndented: false,
})
