import { describe, expect, it } from 'vitest'
import { readAnswer, type ReadAnswer } from '../../../src/features/goal/read-answer.js'
import { readDescription } from '../../../src/features/goal/read-description.js'
import { readGoalTerms } from '../../../src/features/goal/relevance/goal-words.js'
import { bytes, parsePlan } from '../../content/parse/pages.js'

const SITE = 'https://example.com'

const ASKED = `${SITE}/?s=refund%20policy`

/** Reads a search page for "refund policy". */
function read(
  html: string,
  { asked = ASKED, url = asked, header = '' }: Record<string, string | undefined> = {},
): ReadAnswer {
  const terms = readGoalTerms('What is the refund policy?')
  const input = { url, asked, query: 'refund policy', body: bytes(html), robotsHeader: header, agent: 'trawl' }
  return readAnswer({ ...input, terms, parse: parsePlan })
}

const pathsOf = ({ results }: ReadAnswer): string[] => results.map(({ url }) => url.slice(SITE.length))

const SNIPPET =
  'You may return what you bought within thirty days, and get your money back, as this page explains in more detail.'
const menu =
  '<header><nav><ul><li><a href="/">Home</a></li><li><a href="/shop/">Shop</a></li><li><a href="/refund-box/">Refund</a></li></ul></nav></header>'
const footer =
  '<footer><ul><li><a href="/imprint/">Imprint</a></li><li><a href="/privacy/">Privacy policy</a></li></ul></footer>'

describe('the results of a search page', () => {
  it('are the entries of WordPress, without menu, footer and further pages', () => {
    const entry = (path: string, title: string): string =>
      `<article><header><h2 class="entry-title"><a href="${path}" rel="bookmark">${title}</a></h2></header><div class="entry-summary"><p>${SNIPPET} <a href="${path}comments/">(3)</a></p></div></article>`
    const html = `<!doctype html><html><head><title>Results for refund policy</title></head><body class="search">${menu}<main><header><h1>Search Results for: refund policy</h1></header>
      ${entry('/returns/', 'Returns')}${entry('/refund-policy/', 'Our refund policy')}${entry('/money/', 'Money')}
      <nav class="pagination"><a href="/page/2/?s=refund+policy">2</a> <a href="/page/2/?s=refund+policy">Next page</a></nav></main>${footer}</body></html>`
    const answer = read(html)
    expect(pathsOf(answer)).toEqual(['/returns/', '/refund-policy/', '/money/'])
    expect(answer.results[1]).toMatchObject({ title: 'Our refund policy', titleSet: 0b111, textSet: 0b111 })
    expect(answer.results[0]).toMatchObject({ titleSet: 0 })
  })

  it('are the articles of Zendesk, without the facets', () => {
    const entry = (id: number, title: string): string =>
      `<li class="search-result-list-item result-article"><h2 class="search-result-title"><a href="/hc/en-us/articles/${id}" class="results-list-item-link">${title}</a></h2>
      <div class="search-results-description">${SNIPPET} <em>Refund</em> <em>policy</em>.</div></li>`
    const html = `<!doctype html><body>${menu}<main role="main"><div class="search-results"><section class="search-results-sidebar"><ul>
      <li><a href="/hc/en-us/search?category=1&amp;query=refund+policy">Billing (2)</a></li><li><a href="/hc/en-us/search?category=2">Other (1)</a></li></ul></section>
      <section class="search-results-column"><h1>3 results for "refund policy"</h1><ul class="search-results-list">${entry(1, 'Refunds')}${entry(2, 'How to get money back')}${entry(3, 'Policies')}</ul></section></div></main>${footer}</body>`
    const answer = read(html, { asked: `${SITE}/hc/en-us/search?query=refund%20policy` })
    expect(pathsOf(answer)).toEqual([1, 2, 3].map((id) => `/hc/en-us/articles/${id}`))
    expect(answer.results[1]).toMatchObject({ titleSet: 0, textSet: 0b111 })
  })

  it('are the pages of MediaWiki and DokuWiki, without tabs, and links to create a page', () => {
    const entry = (href: string, title: string): string =>
      `<li class="mw-search-result"><div class="mw-search-result-heading"><a href="${href}">${title}</a></div><div class="searchresult">${SNIPPET}</div></li>`
    const html = `<!doctype html><body>${menu}<div id="content" role="main"><h1>Search results</h1><div id="mw-content-text">
      <ul><li><a href="/index.php?title=Special:Search&amp;search=refund+policy&amp;profile=images">Multimedia</a></li></ul>
      <p>Create the page "<a href="/index.php?title=Refund_policy&amp;action=edit&amp;redlink=1">Refund policy</a>" on this wiki!</p>
      <ul class="mw-search-results">${entry('/index.php?title=Refund_policy_of_2024', 'Refund policy of 2024')}${entry('/doku.php?id=a:b&amp;s[]=refund&amp;s[]=policy', 'a:b')}${entry('/c?highlight=other', 'Money')}</ul></div></div>${footer}</body>`
    const answer = read(html, { asked: `${SITE}/index.php?title=Special:Search&search=refund%20policy` })
    expect(pathsOf(answer)).toEqual([
      '/index.php?title=Refund_policy_of_2024',
      '/doku.php?id=a:b',
      '/c?highlight=other',
    ])
  })

  it('are found where the words are in the path, and where they are the id of a page', () => {
    const list = (...links: string[]): string =>
      `<!doctype html><body>${menu}<main><h1>Results</h1><ul>${links.map((href) => `<li><a href="${href}">About ${href}</a><p>${SNIPPET}</p></li>`).join('')}</ul></main>${footer}</body>`
    const inPath = list('/a', '/search/refund%20policy/2', '/search/refund%20policy?sort=date', '/b', '/c')
    expect(pathsOf(read(inPath, { asked: `${SITE}/search/refund%20policy` }))).toEqual(['/a', '/b', '/c'])
    const asId = list(
      '/doku.php?id=a',
      '/doku.php?id=b:c',
      '/doku.php?do=search&id=start&q=refund%20policy+@b',
      '/doku.php?id=d',
    )
    expect(pathsOf(read(asId, { asked: `${SITE}/doku.php?do=search&id=refund%20policy` }))).toEqual([
      '/doku.php?id=a',
      '/doku.php?id=b:c',
      '/doku.php?id=d',
    ])
  })

  it('have no parameters of the search', () => {
    const card = (n: number): string =>
      `<li><h3><a href="/products/p${n}?_pos=${n}&amp;_sid=0a1b&amp;_ss=r&amp;variant=${n}">Product ${n}</a></h3><p>${SNIPPET}</p></li>`
    const html = `<!doctype html><body>${menu}<main><h1>Search results</h1><ul>${[1, 2, 3].map(card).join('')}</ul></main>${footer}</body>`
    expect(pathsOf(read(html, { asked: `${SITE}/search?q=refund%20policy` }))).toEqual(
      [1, 2, 3].map((n) => `/products/p${n}?variant=${n}`),
    )
  })

  it('are the page that the search leads to at once, if its title has words of the goal', () => {
    const article = (title: string): string =>
      `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${SNIPPET}</p><a href="/other">Other</a></main>`
    const url = `${SITE}/refunds/`
    expect(read(article('Refunds'), { url }).results).toEqual([{ url, title: 'Refunds', titleSet: 1, textSet: 1 }])
    expect(read(article('Log in'), { url: `${SITE}/login?next=%2F` }).results).toEqual([])
    const moved = { asked: `${SITE}/search?q=refund%20policy`, url: `${SITE}/en/search/?q=refund+policy` }
    expect(pathsOf(read(article('Refund policy'), moved))).toEqual(['/other'])
  })

  it('are none on a page without a list, and on one that scripts fill', () => {
    expect(
      read('<!doctype html><title>Search</title><div id="root"></div><script src="/app.js"></script>').results,
    ).toEqual([])
    expect(read('').results).toEqual([])
    expect(read('\u0000\u0001\uFFFD').results).toEqual([])
  })

  it('say that their page is not to be followed', () => {
    const html =
      '<meta name="robots" content="noindex, nofollow"><main><p><a href="/a" rel="nofollow">A page</a></main>'
    expect(read(html)).toMatchObject({ isNofollow: true, results: [{ nofollow: true }] })
    expect(read('<main></main>', { header: 'none' }).isNofollow).toBe(true)
    expect(read('<main></main>', { header: 'other: none' }).isNofollow).toBe(false)
  })

  it('are at most a hundred, of the first links of the page', () => {
    const links = Array.from(
      { length: 20_000 },
      (_link, at) => `<p><a href="/p${at}">Refund ${at} of the policy</a> ${SNIPPET}</p>`,
    )
    expect(pathsOf(read(`<!doctype html><body><main>${links.join('')}</main></body>`))).toEqual(
      Array.from({ length: 100 }, (_link, at) => `/p${at}`),
    )
    const deep = `<!doctype html><body>${'<div>'.repeat(5000)}<a href="/deep">Refund</a> ${SNIPPET}`
    expect(read(deep).results.length).toBeLessThanOrEqual(1)
  })
})

describe('an OpenSearch description', () => {
  const describeWith = (...urls: string[]): string | undefined =>
    readDescription({
      url: `${SITE}/osd.xml`,
      parse: parsePlan,
      body: bytes(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>
        <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Site</ShortName>${urls.join('\n')}</OpenSearchDescription>`),
    })

  it('has the page for readers, with the parameters that it requires', () => {
    const suggestions =
      '<Url type="application/x-suggestions+json" template="https://example.com/api?q={searchTerms}"/>'
    const self = '<Url type="text/html" rel="self" template="https://example.com/self?q={searchTerms}"/>'
    const page =
      '<Url type="text/html" method="get" template="https://example.com/s?q={searchTerms}&amp;p={startPage}&amp;n={count?}&amp;x={moz:locale?}"/>'
    expect(describeWith(suggestions, self, page)).toBe('https://example.com/s?q={searchTerms}&p=1&n=20&x=')
    expect(describeWith('<Url type="text/html" template="/s?q={searchTerms}"></Url>')).toBe(
      'https://example.com/s?q={searchTerms}',
    )
  })

  it.each([
    ['posted', '<Url type="text/html" method="post" template="/s?q={searchTerms}"/>'],
    ['of another kind', '<Url type="application/rss+xml" template="/s?q={searchTerms}"/>'],
    ['without words', '<Url type="text/html" template="/s"/>'],
    ['with a parameter that nobody knows', '<Url type="text/html" template="/s?q={searchTerms}&amp;k={x:key}"/>'],
    ['a script', '<Url type="text/html" template="javascript:x({searchTerms})"/>'],
    ['of a prototype', '<Url type="text/html" template="/s?q={searchTerms}&amp;k={constructor}"/>'],
    ['nested a thousand times', '<Url>'.repeat(1000)],
  ])('gives no page that is %s', (_what, url) => {
    expect(describeWith(url)).toBeUndefined()
  })
})
