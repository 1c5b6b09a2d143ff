import { describe, expect, it } from 'vitest'
import { readGoalTerms } from '../../../../src/features/goal/relevance/goal-words.js'
import { readSiteIndex } from '../../../../src/features/goal/site-search/read-site-index.js'
import { ask, BASE, find } from './ask-index.js'

describe('an index of Sphinx', () => {
  it('is found by the scripts of its theme, also below the folder of the page and with a hash', () => {
    const index = { format: 'sphinx', root: BASE, files: [`${BASE}searchindex.js`], suffix: '.html' }
    expect(find('<script src="_static/doctools.js?v=9a2dae69"></script>')).toEqual(index)
    expect(find('<script src="../_static/documentation_options.js"></script>', `${BASE}library/os.html`)).toEqual(index)
    expect(find('<script src="doctools.js"></script>')).toBeUndefined()
  })

  it('names pages as the builder `dirhtml` does where the search page is a folder', () => {
    const html = '<script src="../_static/doctools.js"></script><link rel="search" href="../search/">'
    const index = find(html, `${BASE}library/`)
    expect(index).toMatchObject({ root: BASE, suffix: '/' })
    const text = 'Search.setIndex({"docnames":["index","a/index","a/refund"],"titles":["Refund","Refund","Refund"]})'
    expect(ask('sphinx', text, 'refund', index)).toEqual(['', 'a/', 'a/refund/'])
  })

  it('ranks by titles, sections, names and stems, in the notation of version 1', () => {
    const text =
      'Search.setIndex({envversion:50,docnames:["a","b","c","d"],filenames:["a.rst","b.rst","c.rst","d.rst"],titles:["Start","Polic' +
      'ies","Refunds","Other"],terms:{polici:[0,1],refund:[1,2],annual:1,plan:[1,3]},titleterms:{refund:2},objects:{"":{f:[3,0,1,""]}}})'
    expect(ask('sphinx', text, 'refund policy for annual plans')).toEqual(['b.html', 'c.html', 'a.html', 'd.html'])
  })

  it('does not read markup in titles', () => {
    const titles = ['<code class="xref">argparse</code> — Parser', 'Class of codes']
    const index = { format: 'sphinx', root: BASE, files: [`${BASE}searchindex.js`] }
    const body = new TextEncoder().encode(`Search.setIndex(${JSON.stringify({ docnames: ['a', 'b'], titles })})`)
    const files = [{ url: `${BASE}searchindex.js`, body }]
    const found = [{ url: `${BASE}a.html`, title: 'argparse — Parser' }]
    expect(readSiteIndex({ index, terms: readGoalTerms('parser'), files })).toMatchObject({ found })
    expect(ask('sphinx', `x(${JSON.stringify({ docnames: ['a', 'b'], titles })})`, 'class')).toEqual(['b.html'])
  })

  it('reads titles of sections, keywords and names of the newer notation', () => {
    const index = {
      docnames: ['a', 'b', 'c', 'd', 'e'],
      titles: ['A', 'B', 'C', 'D', 'E'],
      alltitles: { 'Refund policy': [[1, 'refund-policy']] },
      indexentries: { refund: [[2, 'refund']] },
      objects: { billing: [[3, 0, 1, '', 'getPolicy']] },
      terms: { log: [4] },
    }
    expect(ask('sphinx', `Search.setIndex(${JSON.stringify(index)})`, 'refund policy')).toEqual([
      'b.html',
      'c.html',
      'd.html',
    ])
    expect(ask('sphinx', `Search.setIndex(${JSON.stringify(index)})`, 'logging')).toEqual(['e.html'])
  })
})

describe('an index of mdBook', () => {
  const html = (root: string, script: string): string =>
    `<script>var path_to_root = "${root}";</script><script src="${script}"></script>`

  it('is found by its scripts and the root that each page names', () => {
    const index = { format: 'mdbook', root: BASE, files: [`${BASE}searchindex.js`] }
    expect(find(html('', 'book.js'))).toEqual(index)
    expect(find(html('../', '../searcher.js'), `${BASE}ch/one.html`)).toEqual(index)
    expect(find(html('', 'other.js'))).toBeUndefined()
    const hashed = `<script>const path_to_root = ""; window.path_to_searchindex_js = "searchindex-0a1b2c3d.js";</script>`
    expect(find(`${hashed}<script src="book-0a1b2c3d.js"></script>`)?.files).toEqual([`${BASE}searchindex-0a1b2c3d.js`])
  })

  it('ranks pages by the titles and texts of their sections', () => {
    const section = (id: number, title: string, body: string) => [String(id), { id, title, body, breadcrumbs: '' }]
    const docs = Object.fromEntries([
      section(0, 'Introduction', 'Plans differ.'),
      section(1, 'Money', 'All about money.'),
      section(2, 'Refunds', 'The policy for annual plans.'),
      section(3, 'Appendix', 'A refund.'),
    ])
    const index = {
      doc_urls: ['intro.html#a', 'money.html#b', 'money.html#c', 'x.html'],
      index: { documentStore: { docs } },
    }
    const script = `Object.assign(window.search, ${JSON.stringify(index)});`
    expect(ask('mdbook', script, 'refund policy for annual plans')).toEqual(['money.html', 'intro.html', 'x.html'])
    const quoted = `window.search = Object.assign(window.search, JSON.parse('${JSON.stringify(index)}'));`
    expect(ask('mdbook', quoted, 'money')).toEqual(['money.html'])
  })
})

describe('an index of javadoc', () => {
  it('is found by the call that loads it', () => {
    const html = '<script>var pathtoroot = "../../";loadScripts(document, \'script\');</script>'
    expect(find(html, `${BASE}java/util/List.html`)).toEqual({
      format: 'javadoc',
      root: BASE,
      files: ['package', 'type', 'member', 'tag'].map((kind) => `${BASE}${kind}-search-index.js`),
    })
  })

  it('ranks classes by their names and those of their members, in the folders of their modules', () => {
    const texts: Readonly<Record<string, string>> = {
      package: 'packageSearchIndex = [{"m":"java.base","l":"java.util"},{"l":"org.plain"}];updateSearchResults();',
      type: 'typeSearchIndex = [{"p":"java.util","l":"List"},{"p":"org.plain","l":"Sorter"}];updateSearchResults();',
      member:
        'memberSearchIndex = [{"p":"java.util","c":"List","l":"sort(Comparator)","u":"sort(java.util.Comparator)"}]',
    }
    const index = {
      format: 'javadoc',
      root: BASE,
      files: Object.keys(texts).map((kind) => `${BASE}${kind}-search-index.js`),
    }
    const files = Object.entries(texts).map(([kind, text]) => ({
      url: `${BASE}${kind}-search-index.js`,
      body: new TextEncoder().encode(text),
    }))
    const answer = readSiteIndex({ index, terms: readGoalTerms('sort a list'), files })
    expect(answer).toMatchObject({
      found: [{ url: `${BASE}java.base/java/util/List.html` }, { url: `${BASE}org/plain/Sorter.html` }],
    })
  })
})

describe('an index in JSON', () => {
  it.each([
    ['MkDocs', '<script src="search/main.js"></script>', 'search/search_index.json'],
    [
      'Material',
      '<script id="__config" type="application/json">{"base": ".", "search": "x.js"}</script>',
      'search/search_index.json',
    ],
    ['Just the Docs', '<script src="assets/js/just-the-docs.js"></script>', 'assets/js/search-data.json'],
    ['a script that names it', '<script>fetch("/docs/search.json").then(f)</script>', 'search.json'],
  ])('is found by the markup of %s', (_name, html, file) => {
    expect(find(html)).toMatchObject({ format: 'json', files: [`${BASE}${file}`] })
  })

  it('is read whatever its members are called', () => {
    const mkdocs = {
      config: {},
      docs: [
        { location: 'plans/', title: 'Plans', text: '' },
        { location: 'plans/#refund', title: 'Refund policy', text: 'Within 30 days' },
        { location: 'x/', title: 'X', text: 'a policy' },
      ],
    }
    expect(ask('json', JSON.stringify(mkdocs), 'refund policy')).toEqual(['plans/', 'x/'])
    const list = [{ permalink: `${BASE}a/`, title: 'Refunds', contents: 'policy', tags: ['money'] }]
    expect(ask('json', JSON.stringify(list), 'refund policy')).toEqual(['a/'])
    expect(ask('json', JSON.stringify(list), 'money')).toEqual(['a/'])
    expect(ask('json', JSON.stringify({ '0': { title: 'Refunds', url: '/docs/b/' } }), 'refund')).toEqual(['b/'])
    expect(ask('json', JSON.stringify({ '/docs/c/': { title: 'Refunds' } }), 'refund')).toEqual(['c/'])
  })
})

describe('a hostile index', () => {
  it('gives nothing for entries that are no pages, and for pages of other hosts', () => {
    const entries = [
      null,
      7,
      [],
      'x',
      {},
      { url: 7, title: 'refund' },
      { url: 'https://other.example/', title: 'refund' },
    ]
    const odd = [
      { url: 'javascript:refund', title: 'refund' },
      { url: 'x'.repeat(9999), title: 'refund' },
      { url: 'http://[', title: 'refund' },
    ]
    expect(ask('json', JSON.stringify([...entries, ...odd]), 'refund')).toEqual([])
    for (const text of ['[]', '{}', '{"docnames":7}', '{"docnames":[7,null],"terms":{"refund":[0,1,99,"x",{}]}}'])
      for (const format of ['sphinx', 'mdbook', 'json']) expect(ask(format, text, 'refund')).toEqual([])
    expect(ask('unknown', '[]', 'refund')).toContain('unknown')
    expect(ask('sphinx', 'alert(1)', 'refund')).toContain('neither')
  })

  it('does not read names that reach a prototype', () => {
    const text =
      '{"__proto__":{"docnames":["a"]},"docnames":["constructor","__proto__"],"titles":["refund","refund"],"terms":{"constructor":[0]}}'
    expect(ask('sphinx', text, 'refund')).toEqual(['constructor.html', '__proto__.html'])
  })

  it('is cut where a title stands for many pages, and a page has many sections', () => {
    const docnames = Array.from({ length: 20_000 }, (_page, nth) => `p${nth}`)
    const title = `${'word '.repeat(20_000)}refund`
    const places = docnames.map((_name, nth) => [nth, ''])
    expect(ask('sphinx', JSON.stringify({ docnames, alltitles: { [title]: places } }), 'refund')).toEqual([])
    const sections = Array.from({ length: 100_000 }, (_section, nth) => ({
      url: `a#${nth}`,
      title: 'refund',
      text: 'policy',
    }))
    expect(ask('json', JSON.stringify(sections), 'refund policy')).toEqual(['a'])
    const many = Array.from({ length: 6000 }, (_page, nth) => ({ url: `p${nth}`, title: 'refund' }))
    expect(ask('json', JSON.stringify(many), 'refund')).toHaveLength(5000)
  })
})
