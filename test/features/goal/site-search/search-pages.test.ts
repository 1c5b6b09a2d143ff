import { describe, expect, it } from 'vitest'
import { findGoalWords } from '../../../../src/features/goal/goal-reader.js'
import { LinkResolver } from '../../../../src/content/html/link-resolver.js'
import { readGoalTerms } from '../../../../src/features/goal/relevance/goal-words.js'
import { addressOf, fillTemplate } from '../../../../src/features/goal/site-search/reading/search-template.js'
import type { SearchPage } from '../../../../src/features/goal/site-search/search-page.js'
import { parseHtml } from '../../../content/parse/pages.js'

const terms = { ...readGoalTerms('refund policy'), findsIndex: true }

/** Finds the search pages that a page of `https://example.com/help/` declares. */
function find(html: string): readonly SearchPage[] {
  const page = parseHtml(html)
  return (
    findGoalWords(page, { argument: terms, links: [], resolver: new LinkResolver('https://example.com/help/') }).page
      .searchPages ?? []
  )
}

const urlsOf = (html: string): string[] => find(html).map(({ url }) => url)
const jsonLd = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const action = (target: unknown, more: object = {}) => ({ '@type': 'SearchAction', target, ...more })
const site = (potentialAction: unknown): string => jsonLd({ '@type': 'WebSite', potentialAction })

describe('JSON-LD', () => {
  it.each([
    ['a text', 'https://example.com/?s={search_term_string}', {}, 'https://example.com/?s={searchTerms}'],
    [
      'an entry point',
      { '@type': 'EntryPoint', urlTemplate: 'https://example.com/search?q={search_term_string}' },
      { 'query-input': 'required name=search_term_string' },
      'https://example.com/search?q={searchTerms}',
    ],
    [
      'a parameter with a name of its own',
      'https://example.com/search?q={q}&l={lang}',
      { 'query-input': { '@type': 'PropertyValueSpecification', valueRequired: true, valueName: 'q' } },
      undefined,
    ],
    [
      'optional parameters',
      'https://example.com/search?q={q}&page={page?}',
      { 'query-input': 'required name=q' },
      'https://example.com/search?q={searchTerms}&page=',
    ],
    ['a relative one', '/find/{term}/', {}, 'https://example.com/find/{searchTerms}/'],
    ['a list', ['android-app://x/?q={q}', 'https://example.com/s?q={q}'], {}, 'https://example.com/s?q={searchTerms}'],
    ['two places for the words', 'https://example.com/?a={q}&b={q}', {}, undefined],
    ['two parameters', 'https://example.com/?a={a}&b={b}', {}, undefined],
    ['none', 'https://example.com/search', {}, undefined],
    ['a script', 'javascript:alert({search_term_string})', {}, undefined],
    ['a host that the words make', 'https://{search_term_string}.example.com/', {}, undefined],
    ['words that are not sent', 'https://example.com/#/search?q={search_term_string}', {}, undefined],
    ['a password', 'https://user:secret@example.com/?q={search_term_string}', {}, undefined],
    ['a page that ends the session', 'https://example.com/logout?next={search_term_string}', {}, undefined],
    ['an action that changes something', 'https://example.com/?action=delete&q={search_term_string}', {}, undefined],
    ['no URL', 'https://[{search_term_string}', {}, undefined],
    ['an endless one', `https://example.com/?q={search_term_string}&x=${'x'.repeat(5000)}`, {}, undefined],
  ])('gives a template from a target that is %s', (_what, target, more, expected) => {
    expect(urlsOf(site(action(target, more)))).toEqual(expected === undefined ? [] : [expected])
  })

  it('is read in a graph, with types that have prefixes, and not for other things than a site', () => {
    const one = action('https://example.com/?s={search_term_string}')
    const graph = { '@graph': [{ '@type': 'WebPage' }, { '@type': ['schema:WebSite'], potentialAction: [one] }] }
    expect(urlsOf(jsonLd(graph))).toEqual(['https://example.com/?s={searchTerms}'])
    expect(urlsOf(jsonLd({ '@type': 'Person', potentialAction: one }))).toEqual([])
    expect(urlsOf('<script type="application/ld+json">{"SearchAction</script>')).toEqual([])
  })
})

describe('an OpenSearch description', () => {
  it('is found by its link', () => {
    const link = '<link rel="search" type="application/opensearchdescription+xml" href="/osd.xml">'
    expect(find(link)).toEqual([{ url: 'https://example.com/osd.xml', isDescription: true }])
    expect(find('<link rel="search" href="/search">')).toEqual([])
  })
})

describe('a form', () => {
  it.each([
    // WordPress.
    [
      '<form role="search" method="get" action="https://example.com/"><input type="search" name="s"><input type="submit"></form>',
      'https://example.com/?s={searchTerms}',
    ],
    // WooCommerce.
    [
      '<form role="search" action="/"><input type="search" name="s"><input type="hidden" name="post_type" value="product"></form>',
      'https://example.com/?post_type=product&s={searchTerms}',
    ],
    // Zendesk.
    [
      '<form role="search" action="/hc/en-us/search" accept-charset="UTF-8" method="get"><input type="hidden" name="utf8" value="&#x2713;"><input type="search" name="query"></form>',
      'https://example.com/hc/en-us/search?utf8=%E2%9C%93&query={searchTerms}',
    ],
    // Shopify.
    [
      '<form action="/search" method="get" role="search"><input type="search" name="q"><input name="options[prefix]" type="hidden" value="last"></form>',
      'https://example.com/search?options%5Bprefix%5D=last&q={searchTerms}',
    ],
    // MediaWiki.
    [
      '<div role="search"><form action="/index.php"><div><input name="search"><input type="hidden" name="title" value="Special:Search"></div></form></div>',
      'https://example.com/index.php?title=Special%3ASearch&search={searchTerms}',
    ],
    // DokuWiki: a browser replaces the query of the action.
    [
      '<form action="/doku.php?id=start" method="get"><input type="hidden" name="do" value="search"><input name="q" type="text"></form>',
      'https://example.com/doku.php?do=search&q={searchTerms}',
    ],
    // The page itself, with boxes that are checked, and fields that are not sent.
    [
      '<form><input name="keywords"><input type="checkbox" name="a" checked><input type="checkbox" name="b"><input type="hidden" name="c" value="1" disabled><select name="d"></select></form>',
      'https://example.com/help/?a=on&keywords={searchTerms}',
    ],
    // Lists of choices: the one that is selected, or else the first that can be.
    [
      '<form role="search" action="/s"><select name="in"><option disabled>Where?<option value="all">All<option value="docs">Docs</select><select name="by"><option>Date<option selected> Best  match </select><input name="q">' +
        '<select name="tags" multiple><option>x<option selected value="y">Y<option selected value="z">Z</select><select name="off" disabled><option>o</select><select name="lines" size="4"><option>l</select></form>',
      'https://example.com/s?in=all&by=Best%20match&tags=y&tags=z&q={searchTerms}',
    ],
    // A disabled group, which sends only what is in its legend.
    [
      '<form action="/s"><input name="q"><fieldset disabled><legend><input type="hidden" name="a" value="1"></legend><input type="hidden" name="b" value="2"><select name="c"><option>3</select></fieldset></form>',
      'https://example.com/s?a=1&q={searchTerms}',
    ],
  ])('is written as a URL: %s', (html, expected) => {
    expect(urlsOf(html)).toEqual([expected])
  })

  it.each([
    ['is posted', '<form role="search" method="post" action="/s"><input name="q"></form>'],
    ['asks for a password', '<form role="search"><input name="q"><input type="password" name="p"></form>'],
    ['takes a file', '<form role="search"><input name="q"><input type="file" name="f"></form>'],
    ['has a long text', '<form role="search"><input name="q"><textarea name="t"></textarea></form>'],
    ['has two texts', '<form role="search"><input name="q"><input name="where"></form>'],
    ['has an e-mail address', '<form action="/newsletter"><input type="email" name="email"></form>'],
    ['has a text that is no search', '<form action="/go"><input name="coupon"></form>'],
    ['has no name', '<form role="search"><input></form>'],
    ['runs a script', '<form role="search" action="javascript:void(0)"><input name="q"></form>'],
    ['leads to a page that ends the session', '<form role="search" action="/sign-out"><input name="q"></form>'],
    [
      'has a thousand hidden fields',
      `<form role="search"><input name="q">${'<input type="hidden" name="a" value="b">'.repeat(1000)}</form>`,
    ],
    ['is endless', `<form role="search"><input name="q">${'<b>'.repeat(5000)}</form>`],
  ])('is left out if it %s', (_what, html) => {
    expect(urlsOf(html)).toEqual([])
  })

  it('is a search with any number of choices, of which those are sent that a URL may have', () => {
    const urlsWith = (choices: string): string[] =>
      urlsOf(`<form action="/s"><input name="q"><input type="hidden" name="a" value="1">${choices}</form>`)
    const choice = (option: string): string => `<select name="b"><option>${option}</select>`
    expect(urlsWith(choice('2').repeat(40))).toEqual([`https://example.com/s?a=1&${'b=2&'.repeat(29)}q={searchTerms}`])
    for (const option of ['2'.repeat(3000), 'delete'])
      expect(urlsWith(choice(option))).toEqual(['https://example.com/s?a=1&q={searchTerms}'])
  })

  it('that says that it is a search comes first', () => {
    const html =
      '<form action="/a"><input name="term"></form><form action="/b"><input type="search" name="x"></form>'.repeat(30)
    expect(urlsOf(html)).toEqual(['https://example.com/b?x={searchTerms}', 'https://example.com/a?term={searchTerms}'])
  })
})

describe('a page', () => {
  const all =
    '<form role="search" action="/c"><input name="q"></form>' +
    '<link rel="search" type="application/opensearchdescription+xml" href="/b.xml">' +
    site(action('https://example.com/a?q={search_term_string}'))

  it('is asked first for its structured data, then for its description, then for its form', () => {
    expect(urlsOf(all)).toEqual([
      'https://example.com/a?q={searchTerms}',
      'https://example.com/b.xml',
      'https://example.com/c?q={searchTerms}',
    ])
  })

  it('that names an index is asked for that alone', () => {
    expect(urlsOf(`<script src="/_static/doctools.js"></script>${all}`)).toEqual([])
  })
})

describe('a template', () => {
  it('takes any words, which change nothing else of the URL', () => {
    const words = `"a&b=c#d?e/../{searchTerms} 退款 🎉 \ud800 $& $1`
    for (const template of ['https://example.com/s?q={searchTerms}&l=en', 'https://example.com/s/{searchTerms}/x']) {
      const url = fillTemplate(template, words)
      expect(url?.origin).toBe('https://example.com')
      expect(url?.hash).toBe('')
      expect(url?.href.startsWith(addressOf(template))).toBe(true)
      const [, , part = ''] = url?.pathname.split('/') ?? []
      const read = url?.searchParams.get('q') ?? decodeURIComponent(part)
      expect(read).toBe(words.replace('\ud800', ''))
    }
  })
})
