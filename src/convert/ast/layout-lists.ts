import type { ViewNode } from '../markdown-view.js'

/**
 * Replaces lists that only lay out parts of a page with these parts. Pages of Javadoc consist of such lists. A heading
 * inside an item would be no heading of the document's outline, and a table inside one is hard to read.
 */
export function openLayoutLists(blocks: readonly ViewNode[]): readonly ViewNode[] {
  if (!blocks.some(isLayoutList)) return blocks
  return blocks.flatMap((block) => (isLayoutList(block) ? block.childNodes.flatMap(contentOf) : [block]))
}

const contentOf = ({ childNodes }: ViewNode): readonly ViewNode[] => openLayoutLists(childNodes)

function isLayoutList({ kind, details, childNodes }: ViewNode): boolean {
  if (kind !== 'list' || details.isOrdered !== false || !childNodes.some(isPart)) return false
  return childNodes.every((item) => isPart(item) || item.childNodes[0]?.kind === 'table')
}

/**
 * True for an item that is a part of the page: a section, blocks with a rule between them, or a heading with more than
 * the text of a card below it.
 */
function isPart({ details, childNodes }: ViewNode): boolean {
  const [first, second] = childNodes
  if (childNodes.some(({ kind }) => kind === 'rule')) return true
  if (first?.kind === 'heading')
    return details.isSection === true || childNodes.some((block) => block !== first && NO_CARD.has(block.kind))
  return first?.details.isCaption === true && second?.kind === 'table'
}

const NO_CARD: ReadonlySet<ViewNode['kind']> = new Set(['heading', 'table', 'codeBlock'])
