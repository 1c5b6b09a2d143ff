import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Digest, digest, type DigestPlan, digestFile } from '../../../src/content/digest/digest.js'
import type { ExtractPlan } from '../../../src/content/extract/extracted-page.js'
import { streamOutline } from '../../../src/content/digest/digest-outline.js'

const url = 'https://example.com/docs/page.html'
const parse = { maxHtmlBytes: 1_000_000, maxDepth: 256, maxNodes: 100_000 }

const inputOf = (html: string) => ({ url, body: Buffer.from(html), contentType: 'text/html; charset=utf-8' })

const planOf = (
  formats: readonly ('links' | 'rawHtml')[],
  fingerprint: boolean,
  selection: Partial<ExtractPlan> = {},
): DigestPlan => ({
  parse,
  extract: { onlyMainContent: false, includeTags: [], excludeTags: [], fidelity: false, ...selection },
  convert: { formats: formats.map((type) => ({ type })), removeBase64Images: true },
  fingerprint,
})

/**
 * The digest from a copy of the content, which fidelity needs, without what comes from fidelity, and without the search for text that no
 * reader sees, which digests without content leave out.
 */
function digestCopy(html: string, plan: DigestPlan): Digest {
  const {
    fidelity,
    partialList: _,
    ...others
  } = digest(inputOf(html), {
    ...plan,
    extract: { ...plan.extract, fidelity: true, visibleOnly: false },
  })
  expect(fidelity).toBeDefined()
  return {
    ...others,
    warnings: others.warnings.filter((warning) => !warning.startsWith('The page hides more text')),
  }
}

const plans = [
  planOf(['links', 'rawHtml'], true),
  planOf(['links'], false),
  planOf(['rawHtml'], false),
  planOf(['links'], true, { onlyMainContent: true }),
  planOf(['rawHtml'], true, { includeTags: ['p', 'li', '.x['], excludeTags: ['b', '*modal*'] }),
]

/** Names of tab lists. The labels of tabs move to their panels in the content only, and so in its fingerprint. */
const TABS = /role="?tablist|nav-tabs|tabbed-labels|rp-tabs__label|vp-code-group/

function withoutFingerprint(made: Digest): Digest {
  const { fingerprint: _, ...others } = made
  return others
}

function expectEqual(html: string): void {
  const hasTabs = TABS.test(html)
  if (hasTabs) expectEqual(html.replaceAll(/tablist|nav-tabs|tabbed-labels|rp-tabs__label|vp-code-group/g, 'list'))
  for (const plan of plans) {
    const [now, before] = [digest(inputOf(html), plan), digestCopy(html, plan)]
    expect(hasTabs ? withoutFingerprint(now) : now).toEqual(hasTabs ? withoutFingerprint(before) : before)
    expect(now.fingerprint === undefined).toBe(before.fingerprint === undefined)
    expect(Object.keys(now.metadata)).toEqual(Object.keys(before.metadata))
  }
}

const isWithoutTree = (html: string): boolean =>
  streamOutline(inputOf(html), parse, { formats: [{ type: 'links' }], text: true }) !== undefined

const fixtures = new URL('../../fixtures/', import.meta.url)
const fixturePages = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('page.html'),
)

const linkWords = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')

describe('a digest without a tree', () => {
  it.each([
    ['an empty page', ''],
    ['links with and without text', '<a href=a>one <b>two</b></a><a href=b><img alt=logo></a><area href=c alt=map>'],
    ['a base address after links', '<a href=a>a</a><base href="/other/"><base href="/third/"><a href=#top>top</a>'],
    [
      'relations, refresh and frames',
      `<link rel=next href=n><meta http-equiv=refresh content="1; url=r"><iframe src=f>
      </iframe><link rel=alternate hreflang=de href=de><link rel=canonical href=c><link rel="shortcut icon" href=i.png>`,
    ],
    [
      'links that repeat',
      '<a href=a rel=nofollow>x</a><a href=a#s>y</a><a href=A>z</a><a href="/docs/a" rel=nofollow>v</a>',
    ],
    [
      'links to places on the page',
      '<a href=#x>x</a><a href="page.html#y">y</a><a href="#">z</a><a href="#/route">r</a>',
    ],
    [
      'other schemes',
      '<a href=mailto:a@b.c>m</a><a href=javascript:x()>j</a><a href="http:/x.test">h</a><a href="ht tp:">n</a>',
    ],
    ['passwords and odd fragments', '<a href=https://a:b@c.test/#x>p</a><a href="x #y">s</a><a href="x#ä <b>">f</a>'],
    ['a link that is never closed', `<a href=a>${linkWords}<p>p<div>d`],
    [
      'links in blocks, and blocks in links',
      '<div><a href=a><h2>Title</h2><p>Text</p></a></div><p><a href=b>b</p>c</a>',
    ],
    ['links in links', '<a href=a>one<a href=b>two</a></a><a href=c><table><tr><td><a href=d>in</a></table>out</a>'],
    [
      'a list, a table, a choice',
      `<ul><li><a href=a>a<li>b</ul><table><tr><td><a href=c>c</a><td>d<tr><th>e</table>
      <select><option>f<option>g</select><dl><dt>h<dd>i</dl>`,
    ],
    ['formatting that ends in a block', '<b>one<div>two</b>three</div>four<i><p>five</i>six'],
    ['a form that ends in a block', '<form><div>one</form><a href=a>two</a></div>three<form hidden><p>four</form>five'],
    [
      'an outline with metadata',
      `<html lang=en><title> A  page </title><meta name=description content=d><html class=x
      lang=de><meta property=og:title content=o><script type=application/ld+json>{"author":{"name":"N"}}</script>
      <a rel=author href=me>Me <b>Self</b></a><body lang=fr>`,
    ],
    [
      'metadata of microdata and of the body',
      `<title>A</title><meta http-equiv=content-language content=de><article itemscope itemtype=http://schema.org/Article>
      <p itemprop=author itemscope>By <b itemprop=name>Ann</b></p><time itemprop=datePublished datetime=2021>x</time></article><body lang=fr>`,
    ],
    [
      'microdata of the root, and of a work in another one',
      `<html itemscope itemtype=http://schema.org/Article><meta itemprop=author content=Ann><article itemscope itemtype=http://schema.org/Article>
      <h1>A</h1></article><p itemprop=dateModified content=2021>x`,
    ],
    [
      'microdata of a work without an author before that of a teaser',
      `<article itemscope itemtype=http://schema.org/Article><h1>A</h1></article>
      <div itemscope itemtype=http://schema.org/BlogPosting><b itemprop=author>Bo</b></div>`,
    ],
    ['many meta tags', '<meta name=a content=b>'.repeat(2100)],
    [
      'svg',
      '<svg><title>not it</title><a href=s>in <text>svg</text></a></svg><svg/><title>it</title><math><mi>x</math>',
    ],
    [
      'templates and scripts',
      `<template><a href=t>t</a></template><script>"<a href=s>"</script><noscript><a href=n>n
      </a></noscript><template shadowrootmode=open><a href=r>r</a></template><style>a</style><datalist><option>o</datalist>`,
    ],
    ['a noscript with most of the text', `<noscript>${'word '.repeat(200)}<a href=n>n</a></noscript>`],
    ['hidden menus', '<nav hidden><a href=a>menu</a></nav><div class=modal style="display:none"><a href=b>b</a></div>'],
    [
      'a hidden panel with its control',
      '<button aria-controls=p>More</button><div id=p hidden>own text <a href=p>l</a></div>',
    ],
    [
      'a hidden panel in formatting that a block moves out of',
      `<button aria-controls=p>More</button><b><i class=menu><div><p hidden id=p>own text content that is content
      <a href=h>l</a></p>x</b>after</div>`,
    ],
    ['a hidden element with most of the text', `<div hidden>${'word '.repeat(200)}<a href=h>h</a></div>`],
    ['an empty hidden element between texts', 'one<div hidden></div>two<dialog>three</dialog>four'],
    ['a streamed part', '<template id="B:1"></template><div hidden id="S:1"><a href=s>s</a></div>'],
    [
      'tabs',
      '<ul role=tablist><li role=tab>npm<li role=tab>yarn</ul><p role=tabpanel>npm add a<p role=tabpanel>yarn add a',
    ],
    [
      'comments, declarations, CDATA',
      `a<!-- <a href=c> -->b<!x><a href=d>d</a><![CDATA[<a href=e>]]><svg><![CDATA[<a>]]></svg>
      <!-- never closed <a href=f>f</a>`,
    ],
    ['plaintext, textarea, xmp', '<textarea>\n<a href=a></textarea><xmp><a href=b></xmp><plaintext><a href=c>c</a>'],
    ['contents of a frame', 'a<iframe src=f><a href=a>in</a></iframe>b'],
    ['an end tag of raw text in capitals', '<SCRIPT>x</ScRiPt ><TITLE>T</TITLE><a HREF=a>A</a>'],
    ['line breaks', '<pre>\n<a href=a>\n<pre>\nx</a>\r\ny\r</pre>z<br></br><p>a</p>b'],
    ['texts in pieces', 'a</b>b<!-- -->c &amp; d</nothing> e<div style="visibility:hidden">  x  </div>'],
    ['deep nesting', `${'<div>'.repeat(300)}<a href=d>deep</a>${'</div>'.repeat(290)}<a href=e>less</a>`],
  ])('is that of the tree for %s', (_, html) => {
    expectEqual(html)
    expectEqual(`<!doctype html><title>t</title><main><p>${html}</main><p>end <a href=end>end</a>`)
  })

  it.each([
    ['a text between the cells of a table', '<table>text<tr><td><a href=a>a</a></table>'],
    ['a link that ends in a block', '<a href=a>one<div>two</a>three</div>'],
    ['a hidden panel', '<button aria-controls=p>More</button><div id=p hidden>own text</div>'],
    ['a streamed part', '<template id="B:1"></template><div hidden id="S:1">x</div>'],
  ])('is not made for %s', (_, html) => {
    expect(isWithoutTree(html)).toBe(false)
    expect(isWithoutTree(html.replaceAll(/<[^>]*>/g, ' <p>'))).toBe(true)
    expectEqual(html)
  })

  it('is that of the tree for generated pages', () => {
    let withoutTree = 0
    const runs = 600
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
        const html = parts.join('')
        if (isWithoutTree(html)) withoutTree += 1
        expectEqual(html)
      }),
      { seed: 18, numRuns: runs },
    )
    expect(withoutTree).toBeGreaterThan(runs / 4)
  })

  it('is made for tabs', () => {
    expect(isWithoutTree('<ul role=tablist><li role=tab>npm</ul><p role=tabpanel>npm add a')).toBe(true)
  })

  it.each(fixturePages)('is that of the tree for the real page %s', (file) => {
    expectEqual(readFileSync(new URL(file, fixtures), 'utf8'))
  })

  it('is that of the tree where the tree has too many nodes or the page too many bytes', async () => {
    for (const bounds of [{ maxNodes: 20 }, { maxHtmlBytes: 100 }, { asText: 'It is slow' }]) {
      const plan = { ...plans[0], parse: { ...parse, ...bounds } } as DigestPlan
      const made = await digestFile(inputOf('<p>a <a href=b>b</a>'.repeat(20)), plan)
      expect(made.warnings).toEqual([expect.stringContaining('it was read as plain text')])
    }
  })

  it('is made of web pages only', () => {
    const json = { url, body: Buffer.from('{"a": 1}'), contentType: 'application/json' }
    expect(streamOutline(json, parse, { formats: [], text: false })).toBeUndefined()
  })
})

const names =
  'a b i p div span ul li table tr td form button select option h2 pre svg template noscript nav section'.split(' ')

const hrefs = ['a', 'b', 'a#c', '#d', '../e']

const others =
  'one| two |\n|&amp;|a text of some length that is not short|<br>|<img alt=i>|<area href=m>|<iframe src=f>|</iframe>|' +
  '<link rel=next href=n>|<base href=/x/>|<title>t</title>|<script>s</script>|<meta name=m content=c>|<!-- c -->|' +
  '<body class=c>|<dialog open>|<button aria-controls=p>|<div id=p hidden>|<template shadowrootmode=open>|' +
  '<a rel=author>|<object>'

const pieces: readonly string[] = [
  ...names.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} hidden>`]),
  ...hrefs.flatMap((href) => [`<a href="${href}">`, `<a rel=nofollow href=${href}>`]),
  ...others.split('|'),
]
