import type { PdfBlock, Note, Paragraph, Table } from '../block.js'
import { endOf, joinSpans, textOf } from './join-spans.js'
import { isClose } from '../layout/measure-text.js'
import { unitePlaces } from './place-block.js'

/** Joins blocks that the end of a column or page divides. */
export class BlockJoiner {
  readonly blocks: PdfBlock[] = []
  readonly notes: Note[] = []

  constructor(readonly words: ReadonlyMap<string, number>) {}

  /** Adds the blocks of a page. @param startsPage marker of the page's start */
  add(page: readonly PdfBlock[], startsPage: PdfBlock | undefined): void {
    if (startsPage) this.blocks.push(startsPage)
    for (const block of page) {
      if (block.kind === 'note') this.notes.push(block)
      else if (this.#goesOn(block)) unitePlaces(this.blocks.at(-1), block)
      else this.blocks.push(block)
    }
  }

  /** Appends a block to the block before it if it is its continuation. @returns true if it was */
  #goesOn(block: PdfBlock): boolean {
    const last = this.blocks.at(-1)
    if (last?.kind === 'code' && block.kind === 'code') {
      last.text += `\n${block.page === last.page ? '\n' : ''}${block.text}`
      return true
    }
    if (last?.kind === 'list' && block.kind === 'list') {
      for (const item of block.items) last.items.push(item)
      last.isFull = block.isFull
      return true
    }
    if (last?.kind === 'table' && block.kind === 'table') return this.#joinTables(last, block)
    if (block.kind !== 'paragraph') return false
    if (last?.kind === 'paragraph' && this.#isParted(last, block)) {
      joinSpans(last.spans, block.spans, this.words)
      last.isFull = block.isFull
      return true
    }
    const item = last?.kind === 'list' && last.isFull ? last.items.at(-1) : undefined
    if (item !== undefined && /^\p{Ll}/u.test(textOf(block.spans)) && !/[.:!?]$/.test(endOf(item.spans))) {
      joinSpans(item.spans, block.spans, this.words)
      if (last?.kind === 'list') last.isFull = block.isFull
      return true
    }
    return false
  }

  /** Joins a table with its continuation at the top of the next page, where its header may be repeated. */
  #joinTables(last: Table, next: Table): boolean {
    const [first, head] = [next.rows[0], last.rows[0]]
    if (next.page <= last.page || first === undefined || first.length !== head?.length) return false
    const isAgain = head.every((cell, column) => textOf(cell) === textOf(first[column] ?? []))
    if (next.hasHead && !isAgain) return false
    for (const row of isAgain ? next.rows.slice(1) : next.rows) last.rows.push(row)
    last.page = next.page
    return true
  }

  #isParted(last: Paragraph, next: Paragraph): boolean {
    if (!isClose(last.size, next.size)) return false
    const [before, after] = [endOf(last.spans), textOf(next.spans.slice(0, 3))]
    if (/\p{L}[-\u2010]$/u.test(before) && /^\p{Ll}/u.test(after) && last.isFull) return true
    if (!last.isFull || /[.:!?\u3002]["'\u201d\u2019)\]]?$/.test(before)) return false
    return /^\p{Ll}/u.test(after) || (!next.isIndented && last.page !== next.page && /[\p{L},;\p{N}]$/u.test(before))
  }
}
