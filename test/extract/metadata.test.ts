import { describe, expect, it } from 'vitest'
import type { HtmlMetadata } from '../../src/extract/extracted-page.js'
import { readMetadata } from '../../src/extract/structured-data/metadata.js'
import { parseHtml } from '../parse/pages.js'

const metadataOf = (html: string): HtmlMetadata => readMetadata(parseHtml(html))

describe('title', () => {
  it('is the first title of the page, white space collapsed', () => {
    expect(metadataOf('<title> A\n  page </title><title>other</title>').title).toBe('A page')
  })

  it('is not that of a drawing, and not overwritten by a meta tag', () => {
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
  it('are read up to the two thousandth, and the rest is told', () => {
    const warnings: string[] = []
    const page = parseHtml(Array.from({ length: 2_100 }, (_, at) => `<meta name="n${at}" content="x">`).join(''))
    const metadata = readMetadata(page, (warning) => void warnings.push(warning))
    expect([metadata['n1999'], metadata['n2000']]).toEqual(['x', undefined])
    expect(warnings).toEqual(['The page has 2100 meta tags: `metadata` has the first 2000 of them.'])
  })

  it('stand under their raw names, and the known ones under names of their own as well', () => {
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

  it('become a list when repeated, but for descriptions, which are joined', () => {
    const metadata = metadataOf(`
      <meta property="article:tag" content="a"><meta property="article:tag" content="b">
      <meta name="description" content="one"><meta name="description" content="two">`)
    expect(metadata['article:tag']).toEqual(['a', 'b'])
    expect(metadata['articleTag']).toBe('a')
    expect(metadata.description).toBe('one, two')
  })

  it('are left out when they say nothing', () => {
    expect(
      metadataOf('<meta name="x" content=""><meta name="" content="y"><meta charset="utf-8"><meta content="z">'),
    ).toEqual({})
  })

  it('cannot touch what every object has', () => {
    const metadata = metadataOf('<meta name="__proto__" content="x"><meta name="constructor" content="y">')
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype)
    expect(metadata['constructor']).toBe('y')
  })
})

describe('links in the head', () => {
  it('give the language, the icon and the canonical address, made absolute', () => {
    expect(
      metadataOf('<html lang="de-AT"><link rel="Shortcut Icon" href="/f.ico"><link rel="canonical" href="../x">'),
    ).toMatchObject({ language: 'de-AT', favicon: 'https://site.test/f.ico', canonicalUrl: 'https://site.test/x' })
  })

  it('prefer a plain icon to any other', () => {
    const touch = '<link rel="apple-touch-icon" href="/touch.png">'
    expect(metadataOf(`${touch}<link rel="icon" href="i.png">`).favicon).toBe('https://site.test/dir/i.png')
    expect(metadataOf(touch).favicon).toBe('https://site.test/touch.png')
  })

  it('resolve against the base address', () => {
    expect(metadataOf('<base href="https://cdn.test/"><link rel=icon href=a.ico>').favicon).toBe(
      'https://cdn.test/a.ico',
    )
  })
})

describe('author and dates', () => {
  it('come from meta tags before structured data', () => {
    const json = '{"@type":"NewsArticle","datePublished":"2021","dateModified":"2022","author":{"name":"J"}}'
    const script = `<script type="application/ld+json">${json}</script>`
    expect(metadataOf(script)).toMatchObject({ publishedTime: '2021', modifiedTime: '2022', author: 'J' })
    expect(
      metadataOf(`${script}<meta name=author content=M><meta property="article:published_time" content="2020">`),
    ).toMatchObject({ publishedTime: '2020', modifiedTime: '2022', author: 'M' })
  })

  it('are found in graphs and lists, and several authors are joined', () => {
    const json =
      '[{"@type":"WebSite","name":"S"},{"@graph":[{"@type":"Article","datePublished":"2021","author":[{"name":"A"},"B"]}]}]'
    expect(metadataOf(`<script type="application/ld+json">${json}</script>`)).toMatchObject({
      publishedTime: '2021',
      author: 'A, B',
    })
  })

  it('survive structured data that is broken, wrapped or has line breaks inside of strings', () => {
    const wrapped = '//<![CDATA[\n{"datePublished":"2021","headline":"a\nb"}\n//]]>'
    const html = `<script type="application/ld+json">{nonsense</script><script type="application/ld+json">${wrapped}</script>`
    expect(metadataOf(html).publishedTime).toBe('2021')
  })

  it('fall back to a link to the author, and do not take an address for a name', () => {
    expect(metadataOf('<a rel="author" href="/x">Ann <b>Lee</b></a>').author).toBe('Ann Lee')
    expect(metadataOf('<meta property="article:author" content="https://facebook.test/ann">').author).toBeUndefined()
  })
})
