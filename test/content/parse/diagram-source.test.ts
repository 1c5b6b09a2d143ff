import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })

const read = async (html: string): Promise<string> =>
  (await engine.parse({ url: 'https://site.test/', body: `<main><p>The tide in a drawing.</p>${html}</main>` }))
    .markdown

it.each([
  ['in a `div`', '<div class="mermaid">\n  graph TD;\n    A-->B;\n  </div>', 'graph TD;\n  A-->B;'],
  [
    'with line breaks in its labels',
    '<div class="mermaid">sequenceDiagram\n  A->>B: Low<br>tide\n</div>',
    'sequenceDiagram\n  A->>B: Low<br/>tide',
  ],
  ['in a `pre`', '<pre class="mermaid">pie\n  "a": 1</pre>', 'pie\n  "a": 1'],
])('the source of a diagram %s keeps its lines', async (_, html, source) => {
  expect(await read(html)).toBe(`The tide in a drawing.\n\n\`\`\`mermaid\n${source}\n\`\`\``)
})

it('a text of the same class stays a text', async () => {
  expect(await read('<div class="mermaid">She sang\nat the pier.</div>')).toBe(
    'The tide in a drawing.\n\nShe sang at the pier.',
  )
})
