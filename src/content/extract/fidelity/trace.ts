import { type DroppedBlock, describeDropped } from './dropped-block.js'
import { type ChildNode, type Element, isElement, isText, type NodeSet, parentElement } from '../../html/tree.js'
import { type VisibleChoice, visitVisible } from './fidelity.js'
import { isNeverShown } from '../../html/never-shown.js'

const NEVER_SHOWN: NodeSet = { has: (node) => isElement(node) && isNeverShown(node) }

/** Maximum blocks in a trace. Nobody reads a longer one. */
const MAX_BLOCKS = 1000

/** Lists the parts with text that a choice of content drops: the outermost ones, in document order. */
export function traceDropped(
  body: Element,
  choice: VisibleChoice,
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
  const visit = (node: ChildNode, isKept: boolean): boolean => {
    if (isKept || around.has(node)) return true
    record(node)
    return false
  }
  visitVisible(body, NEVER_SHOWN, choice, { visit, state: undefined })
  return blocks
}

function visibleText(element: Element): string {
  let text = ''
  const visit = (node: ChildNode): void => {
    if (isText(node)) text += node.data
  }
  visitVisible(element, NEVER_SHOWN, { roots: [], dropped: new Set() }, { visit, state: undefined })
  return text
}
