import { expect, test } from 'vitest'
import { append, type ChildNode, Document, Element, takeApart, Text } from '../../../src/content/html/tree.js'

test('takeApart removes all links between the nodes of a tree', () => {
  const nodes: ChildNode[] = [new Document([])]
  const inside = (at: number, node: ChildNode): void => {
    append(nodes[at] as Element, node)
    nodes.push(node)
  }
  inside(0, new Element('body', {}))
  inside(1, new Element('p', {}))
  inside(1, new Element('p', {}))
  inside(2, new Text('one'))
  inside(2, new Text('two'))
  takeApart(nodes[0] as Document)
  const ties = nodes.flatMap((node) => [
    node.parent,
    node.prev,
    node.next,
    ...('children' in node ? node.children : []),
  ])
  expect(ties.filter((tie) => tie !== null)).toEqual([])
})

test('takeApart works on a tree of any depth', () => {
  const root = new Document([])
  let deepest: Document | Element = root
  for (let depth = 0; depth < 100_000; depth++) {
    const next = new Element('div', {})
    append(deepest, next)
    deepest = next
  }
  takeApart(root)
  expect(deepest.parent).toBeNull()
})
