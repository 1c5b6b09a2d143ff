import type { ViewNode } from '../markdown-view.js'

/**
 * Empties the alternative texts that the text right after or before an image repeats: the picture of a card mostly has the
 * title below it.
 */
export function dropRepeatedAlts(root: ViewNode): void {
  let last: ViewNode | undefined
  let before = ''
  const visit = (node: ViewNode): void => {
    if (node.kind === 'image') {
      if (node.nodeValue !== '' && before === wordsOf(node)) node.nodeValue = ''
      last = node
    } else if (node.kind === 'text' && node.nodeValue.trim() !== '') {
      before = wordsOf(node)
      if (last !== undefined && before.startsWith(wordsOf(last))) last.nodeValue = ''
      last = undefined
    }
    for (const child of node.childNodes) visit(child)
  }
  visit(root)
}

/** Returns the text of a node, without what escapes its signs. */
const wordsOf = ({ nodeValue }: ViewNode): string => nodeValue.trim().replaceAll('\\', '').toLowerCase()
