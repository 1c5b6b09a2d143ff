import type { ViewNode } from '../markdown-view.js'

/**
 * Replaces lists that only lay out parts of a page with these parts. Pages of Javadoc consist of such lists. A heading
 * inside an item would be no heading of the document's outline, and a table inside one is hard to read.
 */
export function openLayoutLists(blocks: readonly ViewNode[]): readonly ViewNode[] {
  if (!blocks.some((block) => block.kind === 'list' && isLayoutList(block))) return blocks
  const opened: ViewNode[] = []
  for (const block of blocks) {
    if (!isLayoutList(block)) opened.push(block)
    else
      for (const { childNodes } of block.childNodes) for (const part of openLayoutLists(childNodes)) opened.push(part)
  }
  return opened
}

function isLayoutList({ kind, details, childNodes }: ViewNode): boolean {
  if (kind !== 'list' || details.isOrdered !== false) return false
  let hasPart = false
  for (const item of childNodes) {
    if (isPart(item)) hasPart = true
    else if (item.childNodes[0]?.kind !== 'table') return false
  }
  return hasPart
}

/**
 * True for an item that is a part of the page: a section, blocks with a rule between them, or a heading with more than
 * the text of a card below it.
 */
function isPart({ details, childNodes }: ViewNode): boolean {
  let isNoCard = false
  for (let at = 0; at < childNodes.length; at += 1) {
    const kind = childNodes[at]?.kind
    if (kind === 'rule') return true
    isNoCard ||= at > 0 && kind !== undefined && NO_CARD.has(kind)
  }
  const first = childNodes[0]
  if (first?.kind === 'heading') return details.isSection === true || isNoCard
  return first?.details.isCaption === true && childNodes[1]?.kind === 'table'
}

const NO_CARD: ReadonlySet<ViewNode['kind']> = new Set(['heading', 'table', 'codeBlock'])
