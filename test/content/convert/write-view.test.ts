import { CharacterBudget } from '../../../src/content/html/document-limits.js'
import { array, assert, constantFrom, oneof, property } from 'fast-check'
import TurndownService from 'turndown'
import { describe, expect, it } from 'vitest'
import type { ViewNode } from '../../../src/content/convert/markdown-view.js'
import { readContent } from '../../../src/content/convert/read/read-content.js'
import { ALL_PARTS } from '../../../src/content/convert/written-parts.js'
import { writeChildren } from '../../../src/content/convert/write/write-view.js'
import { breaksAround, writers } from '../../../src/content/convert/write/writers.js'
import type { Document } from '../../../src/content/html/tree.js'
import { extractHtml } from '../extract/contents.js'
import { blockHtml, madePages } from './made-pages.js'

/** A view node with the part of the DOM that Turndown reads. */
class DomNode {
  readonly nodeType: 1 | 3
  readonly nodeName: string
  readonly nodeValue: string
  readonly childNodes: DomNode[]
  parentNode: DomNode | undefined
  previousSibling: DomNode | undefined
  nextSibling: DomNode | undefined

  constructor(readonly view: ViewNode) {
    this.nodeType = view.kind === 'text' ? 3 : 1
    this.nodeName = view.isBlock ? 'DIV' : 'SPAN'
    this.nodeValue = view.nodeValue
    this.childNodes = view.childNodes.map((child) => new DomNode(child))
    for (const [at, child] of this.childNodes.entries()) {
      child.parentNode = this
      child.previousSibling = this.childNodes[at - 1]
      child.nextSibling = this.childNodes[at + 1]
    }
  }

  /** The text as far as Turndown uses it: its white space at both ends, where one text stands there. */
  get textContent(): string {
    if (this.nodeType === 3) return this.nodeValue
    if (this.childNodes.length === 0 || this.nodeName === 'DIV') return 'x'
    const [first, last] = [this.leaf(0), this.leaf(-1)]
    const [before, after] = [first, last].map(({ nodeType, nodeValue }) => (nodeType === 3 ? nodeValue : 'x'))
    if (first === last && before?.trim() === '') return before
    return `${/^\s*/.exec(before ?? '')?.[0]}x${/\s*$/.exec(after ?? '')?.[0]}`
  }

  leaf(end: 0 | -1): DomNode {
    return this.childNodes.at(end)?.leaf(end) ?? this
  }

  cloneNode(): this {
    return this
  }
}

const settings = { removeBase64Images: true, ...ALL_PARTS, budget: new CharacterBudget(Infinity) }

function writeWithTurndown(view: ViewNode): string {
  const service = new TurndownService()
  service.escape = (text) => text
  let text = ''
  service.addRule('view', {
    filter: () => true,
    replacement(content, node) {
      const { view: viewed } = node as unknown as DomNode
      if (viewed === view) text = content
      if (viewed === view) return ''
      const written = writers[viewed.kind](content, viewed, settings)
      const breaks = viewed.isBlock && written !== '' ? '\n'.repeat(breaksAround(viewed)) : ''
      return `${breaks}${written}${breaks}`
    },
  })
  const outer = new DomNode({ kind: 'root', isBlock: true, nodeValue: '', childNodes: [view] } as unknown as ViewNode)
  service.turndown(outer)
  return text
}

function readView(html: string): ViewNode {
  const {
    tree: { $ },
  } = extractHtml(html)
  return readContent($.root()[0] as Document, { isOnPage: () => false, page: undefined })
}

/** Inline elements with white space in odd places. */
const spaces = array(
  oneof(
    constantFrom(
      ' ',
      '\n',
      '\u00A0',
      '\u2003',
      'word',
      '. ',
      '<br>',
      '<code> a </code>',
      '<img src="/a.png" alt=" b ">',
    ),
    constantFrom('<b>', '</b>', '<i> ', ' </i>', '<a href="/x">', '</a>', '<del>\u00A0', '</del>', '<sup>', '</sup>'),
    constantFrom(
      '<p>',
      '<li>',
      '<ul>',
      '</ul>',
      '<pre>\n\nx\n\n\n</pre>',
      '<blockquote>',
      '<h2>',
      '<hr>',
      '<td>',
      '<table>',
    ),
  ),
  { maxLength: 14 },
).map((pieces) => pieces.join(''))

describe('writing a view', () => {
  it.each([
    ['generated pages', madePages.map((page) => page.map(blockHtml).join('')), 300],
    ['inline elements with white space in odd places', spaces, 2000],
  ])('separates nodes as Turndown does: %s', (_, pages, numRuns) => {
    assert(
      property(pages, (html) => {
        const written = writeChildren(readView(html), {
          write: (content, node) => writers[node.kind](content, node, settings),
          breaksAround,
        })
        expect(written).toBe(writeWithTurndown(readView(html)))
      }),
      { numRuns },
    )
  })
})
