import { expect, it } from 'vitest'
import { sketchPage } from '../../src/extractor/sketch-page.js'
import { parseHtml } from '../parse/pages.js'

const sketch = (html: string, most = 5000): string => {
  const [root] = parseHtml(html).$.root()
  return root ? sketchPage(root, most) : ''
}

it('a sketch shows what elements are told by, and the start of each text', () => {
  const shown = sketch(
    `<main><h1 class="title" style="color:red" data-x="1">${'A boat '.repeat(60)}</h1><script>alert(1)</script>
     <style>p{}</style><svg><path d="M0"/></svg><a href="/b" onclick="x()">go</a></main>`,
  )
  expect(shown).toContain('<h1 class="title" data-x="1">')
  expect(shown).toContain('…')
  expect(shown).toContain('<a href="/b">')
  expect(shown).not.toMatch(/alert|color:red|onclick|svg|p\{\}/)
})

it('a sketch shows the data that a page has for programs', () => {
  expect(sketch('<script type="application/ld+json">{"@type":"Boat"}</script>')).toContain('{"@type":"Boat"}')
})

it('a sketch shows the first few of what is alike, and says how many there are', () => {
  const shown = sketch(`<ul>${'<li class="row">x</li>'.repeat(50)}</ul>`)
  expect(shown.match(/<li/g)?.length).toBe(4)
  expect(shown).toContain('46 more li.row')
})

it('a sketch keeps to its length, coarser first and then cut', () => {
  const html = Array.from({ length: 400 }, (_, at) => `<div class="c${at}"><p>${'words '.repeat(30)}</p></div>`).join(
    '',
  )
  expect(sketch(html, 4000).length).toBeLessThan(4100)
  expect(sketch(html, 4000)).toContain('the rest is left out')
})
