import { type DroppedBlock, describeDropped } from './dropped-block.js'
import { type ChildNode, type Element, isElement, isText, parentElement } from '../../html/tree.js'
import { visitVisible } from './fidelity.js'
import { isNeverShown } from '../visibility/visibility.js'

/** Maximum blocks in a trace. Nobody reads a longer one. */
const MAX_BLOCKS = 1000

/** Lists the parts with text that a choice of content drops: the outermost ones, in document order. */
export function traceDropped(
  body: Element,
  choice: { readonly roots: readonly Element[]; readonly isDropped: (node: ChildNode) => boolean },
  whyDropped: (node: ChildNode) => string,
): DroppedBlock[] {
  const blocks: DroppedBlock[] = []
  const around = new Set<ChildNode>()
  // Ancestors of the content are not dropped, though they lie outside of it.
  for (const root of choice.roots)
    for (
      let at: ChildNode | undefined = root;
      at !== undefined && isElement(at) && !around.has(at);
      at = parentElement(at)
    )
      around.add(at)
  const record = (node: ChildNode): void => {
    const element = isElement(node) ? node : parentElement(node)
    const text = isText(node) ? node.data : isElement(node) ? visibleText(node) : ''
    if (element === undefined || text.trim() === '' || blocks.length >= MAX_BLOCKS) return
    blocks.push(describeDropped(element, text, whyDropped(node)))
  }
  visitVisible(body, isNeverShown, choice, (node, isKept) => {
    if (isKept || around.has(node)) return true
    record(node)
    return false
  })
  return blocks
}

function visibleText(element: Element): string {
  let text = ''
  visitVisible(element, isNeverShown, { roots: [], isDropped: () => false }, (node) => {
    if (isText(node)) text += node.data
  })
  return text
}
