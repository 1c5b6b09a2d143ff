import { expect, it } from 'vitest'
import { outlineDom } from '../../../src/features/json/extractor/outline-dom.js'
import { parseHtml } from '../../content/parse/pages.js'

const outline = (html: string, most = 5000): string => {
  const [root] = parseHtml(html).tree.$.root()
  return root ? outlineDom(root, most) : ''
}

it('an outline shows identifying attributes and the start of each text', () => {
  const shown = outline(
    `<main><h1 class="title" style="color:red" data-x="1">${'A boat '.repeat(60)}</h1><script>alert(1)</script>
     <style>p{}</style><svg><path d="M0"/></svg><a href="/b" onclick="x()">go</a></main>`,
  )
  expect(shown).toContain('<h1 class="title" data-x="1">')
  expect(shown).toContain('…')
  expect(shown).toContain('<a href="/b">')
  expect(shown).not.toMatch(/alert|color:red|onclick|svg|p\{\}/)
})

it('an outline shows the structured data of a page', () => {
  expect(outline('<script type="application/ld+json">{"@type":"Boat"}</script>')).toContain('{"@type":"Boat"}')
})

it('an outline shows the first few of similar siblings and their number', () => {
  const shown = outline(`<ul>${'<li class="row">x</li>'.repeat(50)}</ul>`)
  expect(shown.match(/<li/g)?.length).toBe(4)
  expect(shown).toContain('46 more li.row')
})

it('an outline reduces its detail to fit, and is then truncated', () => {
  const html = Array.from({ length: 400 }, (_, at) => `<div class="c${at}"><p>${'words '.repeat(30)}</p></div>`).join(
    '',
  )
  expect(outline(html, 4000).length).toBeLessThan(4100)
  expect(outline(html, 4000)).toContain('the rest is left out')
})
