import { describe, expect, it } from 'vitest'
import { findNextPage, type NextPage } from '../../../src/content/extract/pagination/find-next-page.js'
import { LinkResolver } from '../../../src/content/html/link-resolver.js'
import { parseHtml } from '../parse/pages.js'

const PAGE = 'https://site.test/lamps?page=2'

function find(html: string, url = PAGE): NextPage | undefined {
  const [root] = parseHtml(html).tree.$('html')
  if (root === undefined) throw new Error('the page has no root')
  return findNextPage({
    root,
    isInvisible: ({ attribs }) => attribs['hidden'] !== undefined,
    resolver: new LinkResolver(url),
    url,
  })
}

describe('the next page of a list is found', () => {
  it.each([
    ['by a `link` element', '<head><link rel="next" href="?page=3"></head>'],
    ['by the relation of a link', '<a rel="nofollow next" href="?page=3">›</a>'],
    ['by an English label', '<a href="?page=2">2</a> <a href="?page=3">Next page »</a>'],
    ['by a German label', '<a href="?page=3">Weiter ›</a>'],
    ['by a Japanese label', '<a href="?page=3"><span>次へ</span></a>'],
    ['by an Arabic label', '<a href="?page=3">التالي</a>'],
    ['by a sign', '<a href="?page=1">‹</a><a href="?page=3">›</a>'],
    ['by its class', '<a class="page-link next" href="?page=3"><svg></svg></a>'],
    ['by the name for readers of screens', '<a href="?page=3" aria-label="Next page"><svg></svg></a>'],
    ['after the current number', '<ul><li><a href="?page=1">1</a><li><span>2</span><li><a href="?page=3">3</a></ul>'],
    [
      'after a number that is marked',
      '<ul><li><a href="?page=1">1</a><li class="active"><a href="?page=2">2</a><li><a href="?page=3">3</a></ul>',
    ],
    [
      'after a number that only the URL marks',
      '<p><a href="?page=1">1</a> <a href="?page=2">2</a> <a href="?page=3">3</a></p>',
    ],
    ['as a link that loads more', '<a href="?page=3">Load more</a>'],
  ])('%s', (_how, html) => {
    expect(find(html)?.url).toBe('https://site.test/lamps?page=3')
  })

  it.each([
    ['with another query', 'https://site.test/lamps', '?page=1', '?page=2', 'https://site.test/lamps?page=2'],
    ['below', 'https://site.test/lamps/', 'page/1/', 'page/2/', 'https://site.test/lamps/page/2/'],
    ['below, without a slash', 'https://site.test/lamps', '/lamps/1', '/lamps/2', 'https://site.test/lamps/2'],
  ])('from the first page, which has another URL than the number 1: %s', (_how, url, first, second, expected) => {
    const numbers = `<p><a href="${first}">1</a> <a href="${second}">2</a> <a href="?page=3">3</a></p>`
    expect(find(numbers, url)?.url).toBe(expected)
  })

  it('as the next letter', () => {
    const letters = '<p><a href="/a">A</a> <b>B</b> <a href="/c">C</a> <a href="/d">D</a></p>'
    expect(find(letters, 'https://site.test/b')).toEqual({
      url: 'https://site.test/c',
      evidence: 'the link "C" after "B"',
    })
  })
})

describe('no next page is found', () => {
  it.each([
    ['on a page without links', '<p>Lamps</p>'],
    ['behind numbers that lead elsewhere', '<p><a href="/hall/1">1</a> <a href="/hall/2">2</a></p>'],
    ['on the last page', '<p><a href="?page=1">1</a> <b>2</b></p>'],
    ['on the last of several pages', '<p><a href="?page=0">1</a> <a href="?page=1">2</a> … <b>3</b></p>'],
    ['on the last page, whose number is a bare text', '<p><a href="?page=0">1</a> <a href="?page=1">2</a> 3</p>'],
    ['behind a link that is disabled', '<a class="next disabled" href="?page=3">Next</a>'],
    ['behind a link to the page itself', '<a href="?page=2">Next</a><a href="#">Next</a>'],
    ['behind the arrow of pictures', '<a class="carousel-control-next" href="/pictures">›</a>'],
    [
      'behind a number of something else',
      '<p>Lamps of <b>2</b> and</p><div><div><div><div><a href="/x">3</a></div></div></div></div>',
    ],
    ['behind a number that does not follow', '<p><b>2</b> <a href="?page=1">1</a></p>'],
    ['behind a hidden link', '<div hidden><a href="?page=3">Next</a></div>'],
    ['behind a link that loads more of another page', '<a href="/news?page=3">Load more</a>'],
    ['behind a link that is no web page', '<a rel="next" href="javascript:next()">Next</a>'],
  ])('%s', (_where, html) => {
    expect(find(html)).toBeUndefined()
  })

  it('in linear time', () => {
    const links = '<a href="?page=1">1</a>'.repeat(30_000)
    expect(find(`${'<div>'.repeat(200)}${links}<b>7</b>`)).toBeUndefined()
  })
})
