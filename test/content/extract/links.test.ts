import { expect, it } from 'vitest'
import type { FoundLink } from '../../../src/content/extract/extracted-page.js'
import { findLinks } from '../../../src/content/extract/links.js'
import { LinkResolver } from '../../../src/content/html/link-resolver.js'
import { extractHtml } from './contents.js'
import { parseHtml } from '../parse/pages.js'

const linksOf = (html: string): FoundLink[] => {
  const page = parseHtml(html)
  return findLinks(page, new LinkResolver(page.baseUrl))
}

it('finds every link to a web page, absolute, in document order, each once', () => {
  const html = `<nav><a href="/a">A</a></nav><a href="b?x=1#c">B</a><a href="/a">again</a><map><area href="//other.test/d" alt="D"></map>
    <a href="mailto:x@y.z">m</a><a href="javascript:x()">j</a><a href="http://[">broken</a><a name="n">none</a><a href="tel:1">t</a>`
  expect(linksOf(html)).toEqual([
    { url: 'https://site.test/a', text: 'A' },
    { url: 'https://site.test/dir/b?x=1', text: 'B' },
    { url: 'https://other.test/d', text: 'D' },
  ])
})

it('reads `xlink:href` of links in drawings, and of no others', () => {
  const html = `<svg><a xlink:href="/pier"><text>Pier</text></a><g><a xlink:href="/old" href="/gate">Gate</a></g><use xlink:href="#x"/>
    <foreignObject><a xlink:href="/none">None</a></foreignObject></svg><a xlink:href="/none">None</a>`
  expect(linksOf(html)).toEqual([
    { url: 'https://site.test/pier', text: 'Pier' },
    { url: 'https://site.test/gate', text: 'Gate' },
  ])
})

it('takes the places on its pages that docsify writes into routes as fragments', () => {
  const html =
    '<a class="section-link" href="#/?id=ebb">Ebb</a><h2><a data-id="flow" class="anchor" href="#/fees?id=flow">Flow</a></h2><a href="#/berth?id=7">Berth</a>'
  expect(linksOf(html).map(({ url }) => url)).toEqual([
    'https://site.test/dir/page.html',
    'https://site.test/dir/page.html#/fees',
    'https://site.test/dir/page.html#/berth?id=7',
  ])
})

it('lists a page once whatever its fragments, and a hash route as a page of its own', () => {
  const html =
    '<a href="#top">up</a><a href="b#1">1</a><a href="b#2">2</a><a href="b">B</a><a href="b#/one">one</a><a href="b#!/two">two</a>'
  expect(linksOf(html).map(({ url, text }) => [url, text])).toEqual([
    ['https://site.test/dir/page.html', 'up'],
    ['https://site.test/dir/b', '1'],
    ['https://site.test/dir/b#/one', 'one'],
    ['https://site.test/dir/b#!/two', 'two'],
  ])
})

it('resolves links against the base URL, and repairs a missing slash', () => {
  expect(linksOf('<base href="/base/"><a href="x">x</a><a href="https:/y.test/z">y</a>').map(({ url }) => url)).toEqual(
    ['https://site.test/base/x', 'https://y.test/z'],
  )
})

it('names a link by its text, its image or its label', () => {
  expect(
    linksOf(`<a href=/1> two\n words </a><a href=/2><img alt="Logo"></a><a href=/3 aria-label="Feed"><svg></svg></a>
      <a href=/4><script>no</script>${'x'.repeat(500)}</a>`).map(({ text }) => text),
  ).toEqual(['two words', 'Logo', 'Feed', 'x'.repeat(200)])
})

it('finds the links of the whole page, whatever its content is', () => {
  const page = extractHtml('<nav><a href=/a>A</a></nav><main>x</main>', { onlyMainContent: true, excludeTags: ['a'] })
  expect(page.links.map(({ url }) => url)).toEqual(['https://site.test/a'])
})

it('cuts a long name of a link before an emoji, and not within it', () => {
  const start = 'x'.repeat(199)
  const names = linksOf(`<a href=/1>${start}😀</a><a href=/2 title="${start}😀"></a><a href=/3>${start.slice(1)}😀</a>`)
  expect(names.map(({ text }) => text)).toEqual([start, start, `${start.slice(1)}😀`])
})
