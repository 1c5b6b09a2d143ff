import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown-of.js'

const TABLE = '<table><tr><th>Name</th><th>Depth</th></tr><tr><td>Lee</td><td>4</td></tr></table>'
const WRITTEN_TABLE = '| Name | Depth |\n| --- | --- |\n| Lee | 4 |'

describe('a list that lays out parts of a page', () => {
  it.each([
    [
      'with a section in each item, as Javadoc from its 16th version',
      '<ul><li><section><h2>Fields</h2><p>None.</p></section></li><li><section><h2>Methods</h2><ul><li><section><h3>sail</h3><p>Sails.</p></section></li></ul></section></li></ul>',
      '## Fields\n\nNone.\n\n## Methods\n\n### sail\n\nSails.',
    ],
    [
      'with lists of one item around headings and listings, as Javadoc before',
      '<ul class="blockList"><li class="blockList"><ul class="blockList"><li class="blockList"><h3>Methods</h3><ul class="blockList"><li class="blockList"><h4>sail</h4><pre>void sail()</pre><p>Sails.</p></li></ul><ul class="blockListLast"><li class="blockList"><h4>moor</h4><pre>void moor()</pre></li></ul></li></ul></li></ul>',
      '### Methods\n\n#### sail\n\n```\nvoid sail()\n```\n\nSails.\n\n#### moor\n\n```\nvoid moor()\n```',
    ],
    [
      'with a rule between its blocks',
      '<ul><li><p>A</p><hr><pre>class A</pre></li></ul>',
      'A\n\n* * *\n\n```\nclass A\n```',
    ],
    [
      'with captions and tables',
      `<ul><li><div class="caption">Ports</div>${TABLE}</li><li>${TABLE}</li></ul>`,
      `Ports\n\n${WRITTEN_TABLE}\n\n${WRITTEN_TABLE}`,
    ],
    ['without an item', '<ul><p>Indented</p><blockquote>Said</blockquote></ul>', 'Indented\n\n> Said'],
  ])('is replaced with these parts: %s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })

  it.each([
    ['cards', '<ul><li><h3>Ebb</h3><p>Falls.</p></li><li><h3>Flow</h3><p>Rises.</p></li></ul>'],
    ['numbered steps', `<ol><li><h3>Moor</h3>${TABLE}</li></ol>`],
    ['points with a table below their text', `<ul><li><p>Depths:</p>${TABLE}</li></ul>`],
    ['other elements of one kind', '<ul><a href="/ebb">Ebb</a><a href="/flow">Flow</a></ul>'],
    ['points of which one is a section', '<ul><li><section><h3>Ebb</h3></section></li><li>Flow</li></ul>'],
  ])('is none, but an enumeration: %s', (_, html) => {
    expect(markdownOf(html)).toMatch(/^(?:-|1\.) /)
  })
})

describe('a table of elements that a style sheet arranges in columns', () => {
  const cell = (column: string, text: string): string => `<div class="col-${column} even">${text}</div>`
  const head = ['first', 'last'].map((at) => `<div class="table-header col-${at}">${at}</div>`).join('')

  it('is a table, as the summaries of Javadoc', () => {
    const body = cell('first', '<code>int</code>') + cell('last', 'The <a href="/depth">depth</a>')
    const rows = body + cell('first', 'void') + cell('last', '')
    expect(markdownOf(`<div class="summary-table">${head}${rows}</div>`)).toBe(
      '| first | last |\n| --- | --- |\n| `int` | The [depth](https://site.test/depth) |\n| void |  |',
    )
  })

  it('is a line for each row in the cell of another table', () => {
    const grid = `<div>${head}${cell('first', 'a')}${cell('last', 'b')}</div>`
    expect(markdownOf(`<table><tr><th>Outer</th><th>Inner</th></tr><tr><td>x</td><td>${grid}</td></tr></table>`)).toBe(
      '| Outer | Inner |\n| --- | --- |\n| x | first last<br>a b |',
    )
  })
})
