import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createItemList } from '../../../src/content/sitemap/sitemap-item.js'
import { readTextSitemap } from '../../../src/content/sitemap/read-sitemap.js'
import { readXmlSitemap } from '../../../src/content/sitemap/sitemap-xml.js'
import { a, b, escape, locs, namespace, pagesOf, problemsOf, readItems, urlset, urlsOf } from './sitemap-files.js'

describe('a sitemap', () => {
  it('lists pages with their last modification and their alternates', async () => {
    const items = await readItems(`<?xml version="1.0" encoding="UTF-8"?>
      <urlset xmlns="${namespace}" xmlns:xhtml="http://www.w3.org/1999/xhtml">
        <url>
          <loc>https://example.com/a?x=1&amp;y=2</loc>
          <lastmod>2024-05-06</lastmod><changefreq>daily</changefreq><priority>0.8</priority>
          <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/a?x=1&amp;y=2"/>
          <xhtml:link rel='alternate' hreflang='x-default' href='/a'></xhtml:link>
          <xhtml:link rel="alternate" media="only screen" href="https://m.example.com/a"/>
          <xhtml:link rel="alternate" hreflang="fr" href="javascript:void"/>
          <xhtml:link rel="canonical" hreflang="en" href="https://example.com/c"/>
        </url>
        <url><loc>https://example.com/b</loc><lastmod>last week</lastmod></url>
      </urlset>`)
    expect(items).toEqual([
      { kind: 'format', format: 'urlset' },
      {
        kind: 'page',
        url: 'https://example.com/a?x=1&y=2',
        lastmod: '2024-05-06T00:00:00.000Z',
        alternates: [
          { hreflang: 'de', url: 'https://example.com/de/a?x=1&y=2' },
          { hreflang: 'x-default', url: a },
        ],
      },
      { kind: 'page', url: b },
    ])
  })

  it('lists other sitemaps when it is an index', async () => {
    const items = await readItems(
      `<sitemapindex xmlns="${namespace}"><sitemap><loc>one.xml</loc><lastmod>2024</lastmod></sitemap><sitemap><loc>https://cdn.example.com/two.xml.gz</loc></sitemap></sitemapindex>`,
    )
    expect(items).toEqual([
      { kind: 'format', format: 'sitemapindex' },
      { kind: 'sitemap', url: 'https://example.com/maps/one.xml' },
      { kind: 'sitemap', url: 'https://cdn.example.com/two.xml.gz' },
    ])
  })

  it.each([
    ['a prefix', `<s:urlset xmlns:s="${namespace}"><s:url><s:loc>${a}</s:loc></s:url></s:urlset>`],
    ['no namespace', `<urlset><url><loc>${a}</loc></url></urlset>`],
    ['names in capitals', `<UrlSet><URL><Loc>${a}</Loc></URL></UrlSet>`],
    ['CDATA', urlset(`<url><loc><![CDATA[${a}]]></loc></url>`)],
    ['CDATA with blanks around it', urlset(`<url><loc>\n <![CDATA[ ${a} ]]>\n</loc></url>`)],
    ['a byte order mark', `\uFEFF${locs(a)}`],
    ['blanks before the XML', `\n\n  ${locs(a)}`],
    ['a warning before the XML', `Deprecated: foo() in map.php on line 3\n${locs(a)}`],
    ['a stylesheet', locs(a).replace('?>', '?><?xml-stylesheet href="a.xsl"?>')],
    ['a DOCTYPE', `<!DOCTYPE urlset SYSTEM "sitemap.dtd">${urlset(`<url><loc>${a}</loc></url>`).slice(39)}`],
    ['comments', urlset(`<!-- <url><loc>${b}</loc></url> --><url><!-- x --><loc>${a}<!-- y --></loc></url>`)],
    ['references by number', urlset(`<url><loc>https://example.com&#47;&#x61;</loc></url>`)],
    [
      'single quotes',
      `<?xml version='1.0' encoding='UTF-8'?><urlset xmlns='${namespace}'><url><loc>${a}</loc></url></urlset>`,
    ],
    [
      'images and videos',
      urlset(
        `<url><image:image><image:loc>${b}</image:loc></image:image><loc>${a}</loc><video:video><video:player_loc>${b}</video:player_loc><video:content_loc>${b}</video:content_loc></video:video></url>`,
      ),
    ],
    ['an image outside its element', urlset(`<url><image:loc>${b}</image:loc><loc>${a}</loc></url>`)],
    [
      'news',
      urlset(
        `<url><loc>${a}</loc><n:news><n:publication_date>2024</n:publication_date><n:loc>${b}</n:loc></n:news></url>`,
      ),
    ],
    ['a second loc', urlset(`<url><loc>${a}</loc><loc>${b}</loc></url>`)],
    ['one slash after the scheme', urlset('<url><loc>https:/example.com/a</loc></url>')],
    ['a URL that is relative', urlset('<url><loc>/a</loc></url>')],
    ['a URL without its scheme', urlset('<url><loc>//example.com/a</loc></url>')],
  ])('is read with %s', async (_name, xml) => {
    const items = await readItems(xml)
    expect(urlsOf(items)).toEqual([a])
    expect(problemsOf(items)).toEqual([])
  })

  it.each([
    ['a bare ampersand', '?x=1&y=2', '?x=1&y=2'],
    ['what looks like an entity of HTML', '?x=1&copy=2', '?x=1&copy=2'],
    ['letters', '/äöü', '/%C3%A4%C3%B6%C3%BC'],
    ['a blank inside', '/x y', '/x%20y'],
    ['a line break inside', '/x\ny', '/xy'],
  ])('may have a URL with %s', async (_name, written, meant) => {
    expect(urlsOf(await readItems(urlset(`<url><loc>${a}${written}</loc></url>`)))).toEqual([a + meant])
  })

  it.each([
    ['UTF-16 LE, with a mark', Buffer.from(`\uFEFF${locs(`${a}é`)}`, 'utf16le'), undefined],
    ['UTF-16 BE, with a mark', Buffer.from(`\uFEFF${locs(`${a}é`)}`, 'utf16le').swap16(), undefined],
    ['UTF-16 LE, without one', Buffer.from(locs(`${a}é`), 'utf16le'), undefined],
    ['UTF-16 BE, without one', Buffer.from(locs(`${a}é`), 'utf16le').swap16(), undefined],
    ['UTF-8 that says it is UTF-16', locs(`${a}é`).replace('UTF-8', 'utf-16'), undefined],
    ['UTF-8 with an unknown name', locs(`${a}é`).replace('UTF-8', 'utf-9'), undefined],
    ['what the declaration says', Buffer.from(locs(`${a}é`).replace('UTF-8', 'ISO-8859-1'), 'latin1'), undefined],
    ['what the header says', Buffer.from(locs(`${a}é`), 'latin1'), 'text/xml; charset="iso-8859-1"'],
  ])('is decoded as %s', async (_name, body, contentType) => {
    const items = await readItems(body, contentType === undefined ? {} : { contentType })
    expect(urlsOf(items)).toEqual([`${a}%C3%A9`])
  })
})

describe('a sitemap in another format', () => {
  it('may be RSS 2.0', async () => {
    const items =
      await readItems(`<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
      <title>News</title><link>https://example.com/</link><atom:link rel="self" href="https://example.com/feed"/>
      <image><url>https://example.com/logo.png</url><link>https://example.com/</link></image>
      <item><title>A &amp; a</title><link>${a}</link><guid>urn:1</guid><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate>
        <enclosure url="https://example.com/a.mp3" type="audio/mpeg"/><description><![CDATA[<a href="https://example.com/no">]]></description></item>
      <item><link/><guid>${b}</guid><dc:date>2024-05-06</dc:date></item>
      <item><title>nowhere</title><guid isPermaLink="false">https://example.com/id</guid></item>
    </channel></rss>`)
    expect(pagesOf(items)).toEqual([
      { url: a, lastmod: '2024-05-06T07:08:09.000Z' },
      { url: b, lastmod: '2024-05-06T00:00:00.000Z' },
    ])
    expect(problemsOf(items)).toEqual(['has 1 entry that names no http or https URL, the first: ""'])
  })

  it('may be RSS 1.0', async () => {
    const items =
      await readItems(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
      <channel rdf:about="https://example.com/"><link>https://example.com/</link><items><rdf:Seq><rdf:li resource="${a}"/></rdf:Seq></items></channel>
      <item rdf:about="${a}"><title>A</title><link>${a}</link></item></rdf:RDF>`)
    expect(pagesOf(items)).toEqual([{ url: a }])
  })

  it('may be Atom', async () => {
    const items =
      await readItems(`<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><link href="https://example.com/"/><updated>2025-01-01T00:00:00Z</updated>
      <entry><title>A</title><link rel="enclosure" href="https://example.com/a.mp3"/><link rel="alternate" href="/a"/><id>urn:a</id>
        <published>2024-05-05T00:00:00Z</published><updated>2024-05-06T07:08:09+02:00</updated><source><link href="https://example.com/no"/></source></entry>
      <entry><link href='${b}'/><published>2024-05-05T00:00:00Z</published></entry></feed>`)
    expect(pagesOf(items)).toEqual([
      { url: a, lastmod: '2024-05-06T05:08:09.000Z' },
      { url: b, lastmod: '2024-05-05T00:00:00.000Z' },
    ])
    expect(problemsOf(items)).toEqual([])
  })

  it.each([
    ['\n', ''],
    ['\r\n', '\r\n'],
    ['\r', '\uFEFF'],
    ['\n\n  ', '\n'],
  ])('may be text with one URL per line: %j', async (separator, start) => {
    const items = await readItems(`${start}${[a, b, 'HTTPS://EXAMPLE.COM/c'].join(separator)}${separator}`)
    expect(items).toEqual([
      { kind: 'format', format: 'text' },
      { kind: 'page', url: a },
      { kind: 'page', url: b },
      { kind: 'page', url: 'https://example.com/c' },
    ])
  })

  it('may be text with lines that are not URLs', async () => {
    const items = await readItems(`${a}\nsome words\n/relative\n${'x'.repeat(20_000)}\nhttps://[b\n${b}`)
    expect(urlsOf(items)).toEqual([a, b])
    expect(problemsOf(items)).toEqual([
      'has 4 entries that name no http or https URL (1 of them more than 8000 characters), the first: "some words"',
    ])
  })
})

describe('a list of URLs', () => {
  const list = fc.array(
    fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => new URL(url).href),
    { minLength: 1, maxLength: 20 },
  )
  const writers: [string, (urls: readonly string[]) => string][] = [
    ['XML', (urls) => locs(...urls)],
    ['XML in CDATA', (urls) => urlset(...urls.map((url) => `<url>\n<loc><![CDATA[${url}]]></loc></url>\n`))],
    [
      'an index',
      (urls) =>
        `<sitemapindex>${urls.map((url) => `<sitemap><loc>${escape(url)}</loc></sitemap>`).join('')}</sitemapindex>`,
    ],
    ['text', (urls) => urls.join('\n')],
    [
      'RSS',
      (urls) =>
        `<rss><channel>${urls.map((url) => `<item><link>${escape(url)}</link></item>`).join('')}</channel></rss>`,
    ],
    ['Atom', (urls) => `<feed>${urls.map((url) => `<entry><link href="${escape(url)}"/></entry>`).join('')}</feed>`],
  ]

  it.each(writers)('survives a round trip through %s, gzipped or in UTF-16', async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(list, async (urls) => {
        const text = write(urls)
        for (const body of [text, gzipSync(text), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
          const items = await readItems(body)
          expect(urlsOf(items)).toEqual(urls)
          expect(problemsOf(items)).toEqual([])
        }
      }),
      { numRuns: 40 },
    )
  })

  it.each(writers)('survives a round trip through %s split into arbitrary chunks', (_name, write) => {
    fc.assert(
      fc.property(list, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }), (urls, sizes) => {
        const text = write(urls)
        const items = createItemList('https://example.com/')
        const reader = text.startsWith('<') ? readXmlSitemap(items) : readTextSitemap(items)
        for (let at = 0, n = 0; at < text.length; n++) {
          const size = sizes[n % sizes.length] ?? 1
          reader.write(text.slice(at, at + size))
          at += size
        }
        reader.end()
        expect(urlsOf(items.drain())).toEqual(urls)
      }),
      { numRuns: 60 },
    )
  })

  it('is read up to a truncation, without a truncated URL', async () => {
    await fc.assert(
      fc.asyncProperty(list, fc.double({ min: 0.2, max: 1, noNaN: true }), async (urls, part) => {
        const text = urlset(...urls.map((url) => `<url><loc>${escape(url)}</loc><lastmod>2024</lastmod></url>`))
        const whole = text.slice(0, Math.floor(text.length * part))
        const found = urlsOf(await readItems(gzipSync(whole)))
        expect(found).toEqual(urls.slice(0, found.length))
        expect(found.length).toBe(whole.split('</loc>').length - 1)
      }),
    )
  })
})
