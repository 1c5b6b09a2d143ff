import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const url = 'https://site.test/slides'
const read = async (body: string): Promise<string> => (await engine.parse({ url, body })).markdown
const text = '\n# Pier lamps\n\nThe keeper lights *two* lamps.\n\n- red\n- white\n'
const indented = text.replaceAll(/^(?=.)/gm, '      ')
const other = '<section><h2>Questions</h2><p>Ask the harbour master in the room beside the stairs.</p></section>'
const slides = (first: string): string => `<div class="reveal"><div class="slides">${first}${other}</div></div>`
const written = '# Pier lamps\n\nThe keeper lights *two* lamps.\n\n- red\n- white'

describe('Markdown that the scripts of a page show', () => {
  it.each([
    ['a slide', slides(`<section data-markdown><script type="text/template">${text}</script></section>`)],
    ['an indented slide', slides(`<section data-markdown><script type="text/template">${indented}</script></section>`)],
    [
      'a slide in a text area',
      slides(`<section data-markdown><textarea data-template>${indented}</textarea></section>`),
    ],
    ['a slide without a template', slides(`<section data-markdown>${indented}</section>`)],
    ['a script of its type', `<zero-md><script type="text/markdown">${text}</script></zero-md>${other}`],
    [
      'the source of remark',
      `<textarea id="source">${text}</textarea>${other}<script src="/remark-latest.min.js"></script><script>remark.create()</script>`,
    ],
  ])('is read from %s', async (_, html) => {
    const markdown = await read(`<title>Pier lamps</title><body>${html}`)
    expect(markdown).toContain(written)
    expect(markdown).toContain('Ask the harbour master')
  })

  it.each([
    ['a template of another kind', `<script type="text/template">${text}</script>`],
    ['a field of a form', `<textarea id="source">${text}</textarea>`],
  ])('is not read from %s', async (_, html) => {
    expect(await read(`<body>${html}${other}`)).not.toContain('Pier lamps')
  })

  it('is not read again where a script has made HTML of it', async () => {
    const made = '<section data-markdown data-markdown-parsed="true"><h2>Pier</h2><p>Two *lamps* here.</p></section>'
    expect(await read(`<body>${slides(made)}`)).toContain('Two \\*lamps\\* here.')
  })

  it('is HTML that runs no scripts', async () => {
    const bad = '# Pier\n\n<img src=x onerror=alert(1)> [a](javascript:alert(1))'
    const body = slides(`<section data-markdown><script type="text/template">${bad}</script></section>`)
    const { html } = await engine.parse({ url, body }, { formats: ['html'] })
    expect(html).not.toMatch(/<img|href="javascript/)
  })
})
