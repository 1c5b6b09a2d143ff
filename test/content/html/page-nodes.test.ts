import { expect, test } from 'vitest'
import { createMeasureOf } from '../../../src/content/extract/rules/measure.js'
import { PageNodes } from '../../../src/content/html/page-nodes.js'
import { append, Document, Element, Text } from '../../../src/content/html/tree.js'

/** Makes a paragraph of a text. */
function paragraph(text: string): Element {
  const made = new Element('p', {})
  append(made, new Text(text))
  return made
}

const [root, body, first] = [new Document([]), new Element('body', {}), paragraph('one two')]
append(root, body)
append(body, first)
append(body, paragraph('three'))
const nodes = new PageNodes(root)

test('PageNodes tells nodes that it has not listed from those of the page', () => {
  const [added, fromOther] = [paragraph('new'), paragraph('other')]
  const other = new Document([])
  append(other, fromOther)
  // Its index is that of the body.
  expect(new PageNodes(other).indexOf(fromOther)).toBe(0)
  expect([body, first].map((node) => nodes.indexOf(node))).toEqual([0, 1])
  expect([added, fromOther].map((node) => [nodes.indexOf(node), nodes.endOf(node)])).toEqual([
    [-1, 0],
    [-1, 0],
  ])
  expect([...nodes.mark([first, added, fromOther])]).toEqual([0, 1, 0, 0, 0])
})

test('PageNodes of an element alone lists all that is in it', () => {
  const alone = new Element('div', {})
  append(alone, paragraph('one'))
  append(alone, paragraph('two'))
  const inside = new PageNodes(alone)
  expect([inside.indexOf(alone), inside.endOf(alone)]).toEqual([-1, 4])
  const measureOf = createMeasureOf(alone, new Set(), inside)
  expect(alone.children.map((child) => measureOf(child as Element).text)).toEqual([3, 3])
})

test('createMeasureOf gives zeros for an element that was added later', () => {
  const measureOf = createMeasureOf(body, new Set(), nodes)
  expect(measureOf(first).text).toBe(7)
  expect(measureOf(paragraph('new'))).toEqual({ text: 0, link: 0, prose: 0 })
})
