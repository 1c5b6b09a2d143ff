import { type Element, Text, append, hasText } from '../../html/tree.js'
import { BlockBuilder, makeBlock } from '../elements/block-builder.js'
import { indentIn, type NumberedItem, type Numbering } from './docx-numbering.js'
import { readRuns, type RunContext } from './docx-runs.js'
import { groundOf, hidingOf, isShaded, outlineLevel, type WordStyle } from './docx-styles.js'
import { readWordTable } from './docx-table.js'
import { createElement, takeChildren } from '../elements/create-element.js'
import { at, child, elements, type XmlElement, type XmlNode } from '../package/xml.js'

/** Context that the blocks of one text are read in: the body, a note or a text box. */
export interface BlockContext extends RunContext {
  readonly numbering: Numbering
  /** Number of tables and text boxes that enclose these blocks. */
  readonly depth: number
}

/** Maximum nesting of tables and text boxes; of deeper ones only the text is kept. */
const MAX_DEPTH = 12

/** Indentations up to this are not seen as such, and differ by as much by chance. Twentieths of a point. */
const MIN_INDENT = 100
const TOLERANCE = 40

/** Appends the paragraphs, lists and tables of a text to `into`. */
export function readWordBlocks(nodes: readonly XmlNode[], into: Element, context: BlockContext): void {
  const blocks = new BlockBuilder(into)
  const deeper = { ...context, depth: context.depth + 1, isOnPaper: false }
  const onColour = { ...context, isOnPaper: false }
  // Runs to put before those of the next paragraph: a drop cap, or a paragraph whose end mark was deleted or moved away.
  let carried: XmlNode[] = []
  /** Indentations of the text of the last items, by level. Twentieths of a point. */
  const indents: number[] = []
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if (node.name === 'w:tbl' || node.name === 'm:oMathPara') readCarried()
    if (node.name === 'w:p') {
      const all = carried.length === 0 ? node.children : [...carried.splice(0), ...node.children]
      if (isDropCap(node) && all.length < 100) carried = all.map(withoutStyle)
      else if (isEndDeleted(node) && all.length < 10_000) carried = [...all]
      else readParagraph(node, all)
    } else if (node.name === 'w:tbl') readTable(node)
    else if (node.name === 'm:oMathPara') readParagraph(node, [node])
    else if (node.name === 'w:altChunk') context.leftOut.documents += 1
  }
  readCarried()

  /** Returns the level of the open items whose text begins as far to the right as a paragraph. */
  function levelAt(indent: number): number | undefined {
    if (indent <= MIN_INDENT) return undefined
    const level = indents.findLastIndex((known) => known > MIN_INDENT && known <= indent + TOLERANCE)
    return level === -1 || !blocks.isInList(level) ? undefined : level
  }

  function readCarried(): void {
    if (carried.length > 0) readParagraph({ name: 'w:p', attributes: {}, children: [] }, carried.splice(0))
  }

  function readParagraph(paragraph: XmlElement, children: readonly XmlNode[]): void {
    const properties = child(paragraph, 'w:pPr')
    const style = context.styleOf(child(properties, 'w:pStyle')?.attributes['w:val'])
    const level = outlineLevel(properties) ?? style.headingLevel
    const item = nextItem(context.numbering, properties, style.list)
    const block = makeBlock(level)
    const isOnColour = isShaded(properties) || style.isShaded === true
    const ground = isShaded(properties) ? groundOf(properties) : (groundOf(properties) ?? style.ground)
    const own = { ...(isOnColour ? onColour : context), ground, letters: hidingOf(style) }
    const { boxes } = readRuns(children, block, own, level !== undefined)
    const indented = levelAt(indentIn(properties) ?? 0)
    const continued = item === undefined ? (style.continues ?? indented) : item.isBlank ? item.level : undefined
    if (item !== undefined && level === undefined) {
      indents.length = Math.min(indents.length, item.level)
      indents[item.level] = indentIn(properties) ?? item.indent
    }
    if (level !== undefined) addHeading(blocks, block, item?.label)
    else if (continued !== undefined) blocks.continueItem(continued, block, style.kind)
    else if (item === undefined) blocks.addParagraph(block, style.kind)
    else if (hasText(block) || block.children.length > 0) addItem(blocks, item, block)
    for (const box of boxes) readBox(box)
  }

  function readTable(table: XmlElement): void {
    if (context.depth >= MAX_DEPTH) return readParagraphsOnly(table)
    blocks.add(readWordTable(table, (cell, cellInto) => readWordBlocks(cell, cellInto, deeper)))
  }

  function readBox(box: XmlElement): void {
    if (context.depth >= MAX_DEPTH) return readParagraphsOnly(box)
    const inside = createElement('div')
    readWordBlocks(box.children, inside, deeper)
    if (inside.children.length > 0) blocks.add(inside)
  }

  /** Reads only the paragraphs of a part that is nested too deeply. */
  function readParagraphsOnly(element: XmlElement): void {
    for (const inner of elements(element)) {
      if (inner.name === 'w:p') readParagraph(inner, inner.children)
      else readParagraphsOnly(inner)
    }
  }
}

type ListItem = NumberedItem & { readonly level: number }

/**
 * Adds an item. A list of Markdown writes numbers only: another label, such as `1.2` or `(b)`, may be referred to and stays text, and
 * so does the number of an inner list that goes on after its outer one has ended.
 */
function addItem(blocks: BlockBuilder, item: ListItem, block: Element): void {
  const isStray = item.level > 0 && item.number > 1 && !blocks.isInList(item.level)
  if (!item.isOrdered || item.label === '' || (item.isSimple && !isStray))
    return moveChildren(block, blocks.addItem(item, []))
  moveChildren(block, blocks.addItem({ ...item, isOrdered: false }, [new Text(`${item.label} `)]))
}

function addHeading(blocks: BlockBuilder, block: Element, label: string | undefined): void {
  if (!hasText(block) && block.children.every((node) => !('children' in node))) return
  if (label !== undefined && label !== '' && hasText(block)) {
    const labelled = createElement(block.name, block.attribs, [`${label} `])
    moveChildren(block, labelled)
    return blocks.add(labelled)
  }
  blocks.add(block)
}

/** Returns the number or bullet of a paragraph: its own, or the one of its style. */
function nextItem(
  numbering: BlockContext['numbering'],
  properties: XmlElement | undefined,
  styled: WordStyle['list'],
): ListItem | undefined {
  const own = child(properties, 'w:numPr')
  const id = child(own, 'w:numId')?.attributes['w:val'] ?? styled?.id
  if (id === undefined || id === '0') return undefined
  const level = Number.parseInt(child(own, 'w:ilvl')?.attributes['w:val'] ?? '', 10)
  const place = Number.isNaN(level) ? (styled?.level ?? 0) : level
  const item = numbering.next(id, place)
  return item && { ...item, level: Math.max(place, styled?.depth ?? 0) }
}

/** Tests if the paragraph is a drop cap: the large first letter of the next paragraph. */
const isDropCap = (paragraph: XmlElement): boolean =>
  /^(?:drop|margin)$/.test(at(paragraph, 'w:pPr', 'w:framePr')?.attributes['w:dropCap'] ?? '')

/** Tests if the end mark of a paragraph was deleted or moved away: what is left of it continues in the next paragraph. */
function isEndDeleted(paragraph: XmlElement): boolean {
  const mark = at(paragraph, 'w:pPr', 'w:rPr')
  return child(mark, 'w:del') !== undefined || child(mark, 'w:moveFrom') !== undefined
}

/** Removes the style of a drop cap's run: its size and position do not apply to the rest of the word. */
const withoutStyle = (node: XmlNode): XmlNode =>
  typeof node === 'string' || node.name !== 'w:r'
    ? node
    : { ...node, children: node.children.filter((part) => typeof part === 'string' || part.name !== 'w:rPr') }

function moveChildren(from: Element, to: Element): void {
  if (from.attribs['id'] !== undefined) to.attribs['id'] = from.attribs['id']
  for (const node of takeChildren(from)) append(to, node)
}
