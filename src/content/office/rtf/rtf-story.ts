import { type ChildNode, type Element, Text, append, hasText, isElement, isText } from '../../html/tree.js'
import { BlockBuilder } from '../elements/block-builder.js'
import { LineBuilder, type ParagraphKind, type TextStyle } from '../elements/line-builder.js'
import { createElement, takeChildren } from '../elements/create-element.js'
import { buildRtfTable, type CellPlan, type RtfCell, type RtfRow } from './rtf-table.js'

/** Properties of a paragraph. */
export interface RtfParagraph {
  readonly style?: number
  /** Outline level, from 1. */
  readonly outline?: number
  /** Number of the list that the paragraph itself says it is in, from 1. */
  readonly list: number | undefined
  /** Nesting level of the list, from 0. */
  readonly level: number
  /** Distance of its lines from the left margin. Twentieths of a point. */
  readonly indent: number
  readonly inTable: boolean
  /** True for a paragraph with a background of its own. */
  readonly isShaded?: boolean
  /** True for a drop cap: the large first letter of the next paragraph. */
  readonly isDropCap?: boolean
  readonly headingLevel: number | undefined
  readonly kind: ParagraphKind | undefined
}

/** Builds one text of a file: the body, a footnote, or a text box. */
export class RtfStory {
  /** Marker of the open paragraph: a bullet or a number. */
  marker = ''
  readonly #blocks: BlockBuilder
  #line: LineBuilder | undefined
  #boxes: Element[] = []
  #rows: RtfRow[] = []
  #cells: RtfCell[] = []
  #cell: BlockBuilder | undefined
  /** Indents of the open items that do not state their level. */
  #indents: number[] = []

  constructor(readonly into: Element) {
    this.#blocks = new BlockBuilder(into)
  }

  text(data: string, style: TextStyle): void {
    this.#openLine().text(data, style)
  }

  node(node: ChildNode, style: TextStyle = {}): void {
    this.#openLine().node(node, style)
  }

  /** Inserts the target of links. */
  placeBookmark(name: string): void {
    const { into } = this.#openLine()
    if (into.attribs['id'] === undefined) into.attribs['id'] = name
    else this.node(createElement('a', { id: name }))
  }

  /** Appends an element after the open paragraph. */
  addBox(box: Element): void {
    if (hasText(box)) this.#boxes.push(box)
  }

  endParagraph(paragraph: RtfParagraph): void {
    if (paragraph.isDropCap === true && this.#line !== undefined) return
    if (!paragraph.inTable) this.#endTable()
    const target = paragraph.inTable ? this.#openCell() : this.#blocks
    const block = this.#line?.into ?? createElement('p')
    const marker = this.marker === '' && paragraph.indent > 0 ? takeTypedBullet(block) : this.marker
    const boxes = this.#boxes
    this.#line = undefined
    this.marker = ''
    this.#boxes = []
    const { headingLevel, list, kind } = paragraph
    const isListed = marker !== '' && list === undefined && headingLevel === undefined
    if (!isListed && hasText(block)) this.#indents = []
    const level = isListed ? this.#levelOf(paragraph) : paragraph.level
    const number = readMarker(marker)
    if (headingLevel !== undefined && hasText(block)) {
      block.name = `h${Math.min(6, headingLevel)}`
      if (number !== undefined) labelHeading(block, marker)
      target.add(block)
    } else if (headingLevel === undefined && /^\s+$/.test(marker)) {
      // The mark is a space: the paragraph continues the item before.
      target.continueItem(level, block, kind)
    } else if ((list !== undefined || marker !== '') && headingLevel === undefined && hasText(block)) {
      const place = { level, isOrdered: number !== undefined, number: number?.value, list: String(list ?? '') }
      const item = target.addItem(place, [])
      if (block.attribs['id'] !== undefined) item.attribs['id'] = block.attribs['id']
      for (const node of takeChildren(block)) append(item, node)
    } else target.addParagraph(block, kind)
    for (const box of boxes) target.add(box)
  }

  /** Returns the level of an item of a list, by its indent if it does not state one. */
  #levelOf({ level, indent }: RtfParagraph): number {
    if (level > 0) return level
    while ((this.#indents.at(-1) ?? 0) > indent + SAME_INDENT) this.#indents.pop()
    const around = this.#indents.at(-1)
    if (around === undefined || indent > around + SAME_INDENT) this.#indents.push(indent)
    return this.#indents.length - 1
  }

  endCell(paragraph: RtfParagraph): void {
    this.endParagraph({ ...paragraph, inTable: true })
    const { into } = this.#openCell()
    this.#cells.push({ element: into })
    this.#cell = undefined
  }

  endRow(plans: readonly CellPlan[], isHead: boolean): void {
    // Text after the last cell of a row belongs to that cell.
    if (this.#line !== undefined && this.#cells.length > 0) this.#moveLineToCell()
    if (this.#cells.length > 0) this.#rows.push({ cells: this.#cells, plans, isHead })
    this.#cells = []
    this.#cell = undefined
  }

  /** Closes the open paragraph and table. */
  finish(paragraph: RtfParagraph): void {
    if (this.#line !== undefined) this.endParagraph(paragraph)
    for (const box of this.#boxes) this.#blocks.add(box)
    this.#boxes = []
    this.#endTable()
  }

  #moveLineToCell(): void {
    const line = this.#line?.into
    const cell = this.#cells.at(-1)?.element
    this.#line = undefined
    if (line !== undefined && cell !== undefined && hasText(line)) append(cell, line)
  }

  #openLine(): LineBuilder {
    this.#line ??= new LineBuilder(createElement('p'))
    return this.#line
  }

  #openCell(): BlockBuilder {
    this.#cell ??= new BlockBuilder(createElement('td'))
    return this.#cell
  }

  #endTable(): void {
    // Cells of an unfinished row, as in truncated files.
    if (this.#cell !== undefined && this.#cell.into.children.length > 0) this.#cells.push({ element: this.#cell.into })
    if (this.#cells.length > 0) this.endRow([], false)
    if (this.#rows.length > 0) this.#blocks.add(buildRtfTable(this.#rows))
    this.#rows = []
    this.#cell = undefined
  }
}

/** Maximum difference of the indents of items of one level: a twelfth of an inch. Twentieths of a point. */
const SAME_INDENT = 120

/** Takes the bullet that was typed before a tab out of a paragraph, and returns it; `''` if there is none. */
function takeTypedBullet(paragraph: Element): string {
  let at: ChildNode | undefined = paragraph
  while (at !== undefined && isElement(at)) at = at.children[0]
  if (at === undefined || !isText(at)) return ''
  const [typed = '', bullet = ''] = /^\s*([•◦▪‣·■□➢–-])\t\s*/.exec(at.data) ?? []
  at.data = at.data.slice(typed.length)
  return bullet
}

/** Returns the number that a marker displays, which letters may leave open; undefined for a bullet. */
function readMarker(marker: string): { readonly value: number | undefined } | undefined {
  const [, sign] = /^\s*\(?((?:\d{1,6}\.)*\d{1,6}|[a-z]{1,3}|[ivxlc]{1,6})[.)]*\s*$/i.exec(marker) ?? []
  if (sign === undefined) return undefined
  // Word writes an open bullet as this letter.
  if (marker.trim() === 'o') return undefined
  const last = sign.split('.').at(-1) ?? ''
  // Letters that are also small Roman numerals are left open.
  const letter = /^[a-hj-ln-uwyz]$/i.test(last) ? last.toLowerCase().charCodeAt(0) - 96 : undefined
  return { value: /^\d+$/.test(last) ? Number(last) : letter }
}

function labelHeading(heading: Element, marker: string): void {
  const nodes = takeChildren(heading)
  append(heading, new Text(`${marker.trim()} `))
  for (const node of nodes) append(heading, node)
}
