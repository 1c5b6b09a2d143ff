import { type DroppedBlock, describeDropped } from './dropped-block.js'
import { type ChildNode, type Element, isElement, isText } from '../../html/tree.js'
import { visitVisible } from './fidelity.js'
import { isNeverShown } from '../visibility/visibility.js'

/** A page of more parts is not read by anybody. */
const MAX_BLOCKS = 1000

/** Lists what a choice of content has left out, outermost parts first to last; parts without text are not told of. */
export function traceDropped(
  body: Element,
  choice: { readonly roots: readonly Element[]; readonly isDropped: (node: ChildNode) => boolean },
  whyDropped: (node: ChildNode) => string,
): DroppedBlock[] {
  const blocks: DroppedBlock[] = []
  const around = new Set<ChildNode>()
  // What leads to the content is not dropped, though it stands outside.
  for (const root of choice.roots)
    for (let at: ChildNode | null = root; at !== null && isElement(at) && !around.has(at); at = parentOf(at))
      around.add(at)
  const tell = (node: ChildNode): void => {
    const element = isElement(node) ? node : parentOf(node)
    const text = isText(node) ? node.data : isElement(node) ? visibleText(node) : ''
    if (element === null || text.trim() === '' || blocks.length >= MAX_BLOCKS) return
    blocks.push(describeDropped(element, text, whyDropped(node)))
  }
  visitVisible(body, isNeverShown, choice, (node, isKept) => {
    if (isKept || around.has(node)) return true
    tell(node)
    return false
  })
  return blocks
}

const parentOf = ({ parent }: ChildNode): Element | null => (parent !== null && isElement(parent) ? parent : null)

function visibleText(element: Element): string {
  let text = ''
  visitVisible(element, isNeverShown, { roots: [], isDropped: () => false }, (node) => {
    if (isText(node)) text += node.data
  })
  return text
}
