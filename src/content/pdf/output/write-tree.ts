import { type ChildNode, Element, Text, append } from '../../html/tree.js'
import type { PdfBlock, Listing, Note, Span, Table } from '../block.js'
import { textOf } from '../blocks/join-spans.js'
import { NoteMarks, writeSpans } from './write-spans.js'

/** Converts the blocks of a file to elements. */
export function writeTree(blocks: readonly PdfBlock[], notes: readonly Note[]): ChildNode[] {
  const marks = new NoteMarks(notes)
  const nodes = blocks.flatMap((block) => writeBlock(block, marks))
  return notes.length === 0 ? nodes : [...nodes, writeNotes(notes, marks)]
}

function writeBlock(block: PdfBlock, marks: NoteMarks): ChildNode[] {
  switch (block.kind) {
    case 'heading':
      return [element(`h${Math.max(1, block.level)}`, {}, writeSpans(plain(block.spans), block.page, marks))]
    case 'paragraph':
      return [element('p', {}, writeSpans(block.spans, block.page, marks))]
    case 'code':
      return [element('pre', {}, [element('code', {}, [new Text(block.text)])])]
    case 'list':
      return writeList(block, marks)
    case 'table':
      return [writeTable(block, marks)]
    case 'page':
      return [element('p', { id: `page-${block.page + 1}` }, [new Text(`— Page ${block.page + 1} —`)])]
    case 'note':
  }
  return []
}

/** Removes bold type from headings and table headers, which are bold anyway. */
const plain = (spans: readonly Span[]): Span[] => spans.map((span) => ({ ...span, isBold: false }))

/** Writes items as nested lists: an item with a more indented marker belongs to the item above. */
function writeList({ items, page }: Listing, marks: NoteMarks): ChildNode[] {
  const made: Element[] = []
  const open: {
    readonly left: number
    readonly list: Element
    item: Element
    readonly isOrdered: boolean
    next: number
  }[] = []
  for (const { spans, left, number } of items) {
    while (open.length > 1 && left < (open.at(-1)?.left ?? 0) - 4) open.pop()
    const item = element('li', {}, writeSpans(spans, page, marks))
    const above = open.at(-1)
    const isOrdered = number !== undefined
    if (
      above !== undefined &&
      left <= above.left + 4 &&
      above.isOrdered === isOrdered &&
      (!isOrdered || number === above.next)
    ) {
      append(above.list, item)
      above.item = item
      above.next += 1
      continue
    }
    const list = element(isOrdered ? 'ol' : 'ul', isOrdered && number !== 1 ? { start: String(number) } : {}, [item])
    const opened = { left, list, item, isOrdered, next: (number ?? 0) + 1 }
    if (above !== undefined && left > above.left + 4) append(above.item, list)
    else {
      open.pop()
      const outer = open.at(-1)
      if (outer === undefined) made.push(list)
      else append(outer.item, list)
    }
    open.push(opened)
  }
  return made
}

function writeTable({ rows, hasHead, page }: Table, marks: NoteMarks): Element {
  const made = rows.map((row, index) =>
    element(
      'tr',
      {},
      row.map((cell) =>
        hasHead && index === 0
          ? element('th', {}, writeSpans(plain(cell), page, marks))
          : element('td', {}, writeSpans(cell, page, marks)),
      ),
    ),
  )
  const [head, ...rest] = made
  const parts =
    hasHead && head ? [element('thead', {}, [head]), element('tbody', {}, rest)] : [element('tbody', {}, made)]
  return element('table', {}, parts)
}

function writeNotes(notes: readonly Note[], marks: NoteMarks): Element {
  const items = notes.map((note) => {
    const id = marks.idOf(note)
    const isMarked = marks.isMarked(note)
    const content = writeSpans(note.spans, note.page, marks)
    const label = isMarked || textOf(note.spans) === '' ? [] : [new Text(`${note.label} `)]
    return element('p', { id }, [...label, ...content])
  })
  return element('section', { class: 'footnotes', role: 'doc-endnotes' }, items)
}

function element(name: string, attributes: Record<string, string>, content: readonly ChildNode[]): Element {
  const made = new Element(name, attributes)
  for (const node of content) append(made, node)
  return made
}
