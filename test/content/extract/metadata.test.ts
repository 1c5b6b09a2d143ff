import { describe, expect, it } from 'vitest'
import type { HtmlMetadata } from '../../../src/content/extract/extracted-page.js'
import { readMetadata } from '../../../src/content/extract/structured-data/metadata.js'
import { parseHtml } from '../parse/pages.js'

const metadataOf = (html: string): HtmlMetadata => readMetadata(parseHtml(html))

describe('title', () => {
  it('takes the first title of the page, white space collapsed', () => {
    expect(metadataOf('<title> A\n  page </title><title>other</title>').title).toBe('A page')
  })

  it('ignores the title of an SVG, and is not overwritten by a meta tag', () => {
    expect(metadataOf('<svg><title>Icon</title></svg><meta property="og:title" content="OG">').title).toBe('OG')
    expect(metadataOf('<title>A</title><meta name="title" content="B">').title).toBe('A')
  })

  it('falls back to og:title, then to twitter:title', () => {
    const twitter = '<meta name="twitter:title" content="T">'
    expect(metadataOf(`${twitter}<meta property="og:title" content="O">`).title).toBe('O')
    expect(metadataOf(twitter).title).toBe('T')
    expect(metadataOf('<p>x').title).toBeUndefined()
  })
})

describe('meta tags', () => {
  it('reads up to 2,000 meta tags, and warns about more', () => {
    const warnings: string[] = []
    const page = parseHtml(Array.from({ length: 2_100 }, (_, at) => `<meta name="n${at}" content="x">`).join(''))
    const metadata = readMetadata(page, (warning) => void warnings.push(warning))
    expect([metadata['n1999'], metadata['n2000']]).toEqual(['x', undefined])
    expect(warnings).toEqual(['The page has 2100 meta tags: `metadata` has the first 2000 of them.'])
  })

  it('stores meta tags under their raw names, and known ones in fields as well', () => {
    const metadata = metadataOf(`
      <meta property="og:title" content="OT"><meta property="og:locale:alternate" content="de"><meta property="og:locale:alternate" content="fr">
      <meta property="article:section" content="S"><meta name="dcterms.created" content="2020"><meta name="keywords" content="a, b">
      <meta name="robots" content="noindex"><meta itemprop="ratingValue" content="5">`)
    expect(metadata).toMatchObject({
      ogTitle: 'OT',
      'og:title': 'OT',
      ogLocaleAlternate: ['de', 'fr'],
      articleSection: 'S',
      dcTermsCreated: '2020',
      keywords: 'a, b',
      robots: 'noindex',
      ratingValue: '5',
    })
  })

  it('stores standard names in small letters, as they are the same in capital ones', () => {
    const metadata = metadataOf(`<META NAME="Description" CONTENT="one"><meta name="description" content="two">
      <meta name="KEYWORDS" content="a, b"><meta name=" Author " content="Ann"><meta name="DC.Date" content="2020"><meta name="X-Own" content="x">`)
    expect(metadata).toMatchObject({
      description: 'one, two',
      keywords: 'a, b',
      author: 'Ann',
      dcDate: '2020',
      'X-Own': 'x',
    })
    expect(metadata).not.toHaveProperty('Description')
  })

  it('stores repeated meta tags as a list, and joins descriptions', () => {
    const metadata = metadataOf(`
      <meta property="article:tag" content="a"><meta property="article:tag" content="b">
      <meta name="description" content="one"><meta name="description" content="two">`)
    expect(metadata['article:tag']).toEqual(['a', 'b'])
    expect(metadata['articleTag']).toBe('a')
    expect(metadata.description).toBe('one, two')
  })

  it('omits empty meta tags', () => {
    expect(
      metadataOf('<meta name="x" content=""><meta name="" content="y"><meta charset="utf-8"><meta content="z">'),
    ).toEqual({})
  })

  it('keeps meta tags from changing the object’s prototype', () => {
    const metadata = metadataOf('<meta name="__proto__" content="x"><meta name="constructor" content="y">')
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype)
    expect(metadata['constructor']).toBe('y')
  })
})

describe('links in the head', () => {
  it('reads the language of XHTML', () => {
    expect(metadataOf('<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><p>x').language).toBe('de')
    expect(metadataOf('<html xml:lang="de" lang="fr"><p>x').language).toBe('fr')
  })

  it('reads the language of the body, or of a meta tag in place of the header, if the root states none', () => {
    const meta = '<meta http-equiv="Content-Language" content=" de-AT ">'
    expect(metadataOf(`<html lang=" ">${meta}<body lang="fr"><p>x`).language).toBe('fr')
    expect(metadataOf(`<html lang="en">${meta}<body lang="fr"><p>x`).language).toBe('en')
    expect(metadataOf(`${meta}<p>x`).language).toBe('de-AT')
    for (const content of ['de, en', 'utf-8', 'text/html; charset=utf-8', 'English (US)'])
      expect(metadataOf(`<meta http-equiv="content-language" content="${content}"><p>x`).language).toBeUndefined()
  })

  it('reads the language, the icon and the canonical URL, made absolute', () => {
    expect(
      metadataOf('<html lang="de-AT"><link rel="Shortcut Icon" href="/f.ico"><link rel="canonical" href="../x">'),
    ).toMatchObject({ language: 'de-AT', favicon: 'https://site.test/f.ico', canonicalUrl: 'https://site.test/x' })
  })

  it('prefers a plain icon to any other', () => {
    const touch = '<link rel="apple-touch-icon" href="/touch.png">'
    expect(metadataOf(`${touch}<link rel="icon" href="i.png">`).favicon).toBe('https://site.test/dir/i.png')
    expect(metadataOf(touch).favicon).toBe('https://site.test/touch.png')
  })

  it('resolves links in the head against the base URL', () => {
    expect(metadataOf('<base href="https://cdn.test/"><link rel=icon href=a.ico>').favicon).toBe(
      'https://cdn.test/a.ico',
    )
  })
})

describe('author and dates', () => {
  it('prefers meta tags to structured data', () => {
    const json = '{"@type":"NewsArticle","datePublished":"2021","dateModified":"2022","author":{"name":"J"}}'
    const script = `<script type="application/ld+json">${json}</script>`
    expect(metadataOf(script)).toMatchObject({ publishedTime: '2021', modifiedTime: '2022', author: 'J' })
    expect(
      metadataOf(`${script}<meta name=author content=M><meta property="article:published_time" content="2020">`),
    ).toMatchObject({ publishedTime: '2020', modifiedTime: '2022', author: 'M' })
  })

  it('finds authors and dates in graphs and lists, and joins several authors', () => {
    const json =
      '[{"@type":"WebSite","name":"S"},{"@graph":[{"@type":"Article","datePublished":"2021","author":[{"name":"A"},"B"]}]}]'
    expect(metadataOf(`<script type="application/ld+json">${json}</script>`)).toMatchObject({
      publishedTime: '2021',
      author: 'A, B',
    })
  })

  it('reads structured data that is broken, wrapped or has line breaks inside strings', () => {
    const wrapped = '//<![CDATA[\n{"datePublished":"2021","headline":"a\nb"}\n//]]>'
    const html = `<script type="application/ld+json">{nonsense</script><script type="application/ld+json">${wrapped}</script>`
    expect(metadataOf(html).publishedTime).toBe('2021')
  })

  it('finds an author that a graph refers to by its id, and names it once', () => {
    const graph = (author: unknown, name: unknown): string =>
      `<script type="application/ld+json">${JSON.stringify({
        '@graph': [
          { '@type': 'Article', datePublished: '2021', author },
          { '@type': 'Person', '@id': '#ann', name },
        ],
      })}</script>`
    expect(metadataOf(graph({ '@id': '#ann' }, 'Ann')).author).toBe('Ann')
    expect(metadataOf(graph([{ '@type': 'Person', '@id': '#ann' }, 'Bo', { '@id': '#ann' }], 'Ann')).author).toBe(
      'Ann, Bo',
    )
    expect(metadataOf(graph([{ '@id': '#ann' }, { '@id': '#ann', name: 'Ann' }], 'Ann')).author).toBe('Ann')
    expect(metadataOf(graph({ '@id': '#bo' }, 'Ann')).author).toBeUndefined()
    expect(metadataOf(graph({ '@id': '#ann' }, { '@id': '#ann' })).author).toBeUndefined()
  })

  it('reads author and dates of the one work in microdata, but not those of comments and lists', () => {
    const item = (type: string, name: string): string =>
      `<div itemscope itemtype="https://schema.org/${type}"><span itemprop="author" itemscope itemtype="https://schema.org/Person">
      By <b itemprop="name">${name}</b></span><time itemprop="datePublished" datetime="2021">May</time>
      <time itemprop="dateModified" datetime="2022">June</time></div>`
    const article = item('NewsArticle', 'Ann  Lee')
    expect(metadataOf(article + item('Comment', 'Bo'))).toMatchObject({
      author: 'Ann Lee',
      publishedTime: '2021',
      modifiedTime: '2022',
    })
    expect(metadataOf(item('Comment', 'Bo'))).toEqual({})
    expect(metadataOf(article + item('BlogPosting', 'Bo'))).toEqual({})
    expect(metadataOf('<span itemprop="author">Ann</span>')).toEqual({})
  })

  it('reads author and dates of the work that the page is about, not those of a teaser', () => {
    const type = (name: string): string => `itemscope itemtype="https://schema.org/${name}"`
    const facts = '<b itemprop="author">Ann</b><time itemprop="datePublished" datetime="2021">May</time>'
    const teaser = `<div ${type('BlogPosting')}>${facts.replaceAll('Ann', 'Bo')}</div>`
    const article = (text: string): string => `<article ${type('Article')}><h1>Title</h1>${text}</article>`
    for (const around of ['aside', 'footer', 'nav']) {
      expect(metadataOf(`<${around}>${teaser}</${around}>`)).toEqual({})
      expect(metadataOf(`${article('')}<${around}>${teaser}</${around}>`)).toEqual({})
      expect(metadataOf(`<${around}>${teaser}</${around}>${article(facts)}`).author).toBe('Ann')
    }
    expect(metadataOf(article('') + teaser)).toEqual({})
    expect(metadataOf(article(`<footer>${facts}</footer>`) + article('')).author).toBe('Ann')
    expect(metadataOf(`<html ${type('Article')}><body>${article(facts)}`).author).toBe('Ann')
    expect(metadataOf(`<html ${type('Article')}><body>${facts}`).author).toBe('Ann')
  })

  it('reads the name of an author in microdata, but not that of an employer or the URL of a profile', () => {
    const article = (author: string): string =>
      `<article itemscope itemtype="https://schema.org/Article">${author}</article>`
    const employer = '<i itemprop="worksFor" itemscope><b itemprop="name">ACME</b></i>'
    const author = `<span itemprop="author" itemscope>${employer}<b itemprop="name">Ann</b></span>`
    expect(metadataOf(article(author)).author).toBe('Ann')
    expect(metadataOf(article('<b itemprop="author">https://social.test/ann</b>')).author).toBeUndefined()
  })

  it('reads author and dates from the meta tags of libraries', () => {
    const papers = '<meta name="citation_author" content="Lee, Ann"><meta name="citation_author" content="Ray, Bo">'
    const dates =
      '<meta name="citation_publication_date" content="2021/05"><meta name="DC.Date.Modified" content="2022">'
    expect(metadataOf(papers + dates)).toMatchObject({
      author: 'Lee, Ann; Ray, Bo',
      publishedTime: '2021/05',
      modifiedTime: '2022',
    })
    expect(metadataOf('<meta name="DC.creator" content="Ann Lee"><meta name="DC.creator" content="Bo">').author).toBe(
      'Ann Lee, Bo',
    )
  })

  it('falls back to a link to the author, and takes no URL for a name', () => {
    const link = '<a rel="author" href="/x">Ann <b>Lee</b></a>'
    expect(metadataOf(link).author).toBe('Ann Lee')
    expect(metadataOf(`<meta name="citation_author" content="Lee, Ann B.">${link}`).author).toBe('Ann Lee')
    const profile = '<meta name="dc.creator" content="https://orcid.test/1">'
    expect(metadataOf(profile).author).toBeUndefined()
    expect(metadataOf(`${profile}<meta name="parsely-author" content="Ann">`).author).toBe('Ann')
    expect(metadataOf('<meta property="article:author" content="https://facebook.test/ann">').author).toBeUndefined()
  })
})
