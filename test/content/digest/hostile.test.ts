import { afterAll, describe, expect, it } from 'vitest'
import { digest } from '../../../src/content/digest/digest.js'
import { createDigestPool } from '../../../src/content/digest/workers/pool.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

const pool = createDigestPool({ threads: 1, timeoutMs: 20_000 })
afterAll(() => pool.close())

const never = new AbortController().signal
const input = (html: string): { url: string; body: Uint8Array; contentType: string } => ({
  url: pageUrl,
  body: bytes(html),
  contentType: 'text/html; charset=utf-8',
})

const plan = digestPlan({ formats: [{ type: 'markdown' }, { type: 'html' }, { type: 'links' }, { type: 'images' }] })

const pages: Record<string, string> = {
  'a hundred thousand nested div': `${'<div>'.repeat(100_000)}needle${'</div>'.repeat(100_000)}`,
  'a hundred thousand nested b': `${'<b>'.repeat(100_000)}needle`,
  'a hundred thousand nested p': `${'<p>'.repeat(100_000)}needle`,
  'a hundred thousand nested tables': `${'<table><tr><td>'.repeat(100_000)}needle`,
  'a hundred thousand nested lists': `${'<ul><li>'.repeat(100_000)}needle`,
  'a hundred thousand nested quotes': `${'<blockquote>a'.repeat(100_000)}needle`,
  'a hundred thousand nested links': `${'<a href=x><div>a'.repeat(100_000)}needle`,
  'a hundred thousand nested formulas': `${'<math><mi>'.repeat(100_000)}needle`,
  'two hundred thousand siblings': `${'<p>a</p>'.repeat(200_000)}<p>needle`,
  'thirty megabytes of paragraphs': `<p>needle</p>${'<p>Some words in a paragraph of thirty megabytes.</p>'.repeat(580_000)}`,
  'five megabytes of one text': `<p>${'some words '.repeat(450_000)}needle`,
  'a million attributes on one tag': `<p ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}`).join(' ')}>needle`,
  'one attribute of five megabytes': `<p class="${'related-posts '.repeat(350_000)}">needle`,
  'comments that never end': `needle${'<!-- a '.repeat(200_000)}`,
  'CDATA that never ends': `${'<![CDATA[a>'.repeat(100_000)}needle`,
  'tags that never end': `needle<p ${'a<p '.repeat(200_000)}`,
  'end tags of nothing': `${'</div></b></p></td>'.repeat(200_000)}needle`,
  'marks that end inside of blocks': `${'<b><i><div></b></i>'.repeat(30_000)}needle`,
  'spans of a million columns and rows': `<table><tr><th>needle${'<td colspan=1000000 rowspan=1000000>a'.repeat(3000)}</table>`,
  'rows that are wider and wider': `<table>${Array.from({ length: 3000 }, (_, at) => `<tr><td colspan=${at}>a<td>needle`).join('')}</table>`,
  'entities by the million': `<p>${'&amp;'.repeat(1_000_000)}needle`,
  'brackets, stars and backticks': `<p>${'[*_`~<'.repeat(200_000)} needle`,
  'line breaks by the hundred thousand': `<p>${'a<br>'.repeat(200_000)}needle`,
  'base addresses and streamed parts': `${'<base href="/x"><template id="B:1"></template><div hidden id="S:1">a</div>'.repeat(20_000)}needle`,
}

it('rejects binary data that is served as HTML', async () => {
  const page = input(`needle${'\0\u2028\uffff\ud800'.repeat(100_000)}`)
  await expect(pool.digest(page, plan, never)).rejects.toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
})

describe('a hostile page is digested to a document, in bounded time and size:', () => {
  it.each(Object.entries(pages))(
    '%s',
    async (_, html) => {
      const { fields, warnings } = await pool.digest(input(html), plan, never)
      // Not `toContain`: a failure would print megabytes.
      expect(fields.markdown?.includes('needle')).toBe(true)
      expect(warnings.filter((warning) => !/read as plain text|`maxDocumentLength`/.test(warning))).toEqual([])
      // Indented again and again, a small page could become an endless document.
      expect(fields.markdown?.length).toBeLessThan(20 * html.length + 1000)
      // The pool has the limit, of 20 s for each reading.
    },
    180_000,
  )
})

describe('600,000 characters of one construct are digested without a timeout:', () => {
  const many = (text: string): string => text.repeat(Math.ceil(600_000 / text.length))
  const data = (text: string): string => `<script type="application/ld+json">${text}</script>`
  const things: Record<string, string> = {
    'spaces in a data block': data(`{"a":"b${many(' ')}"}`),
    'spaces after a data block': data(`//<![CDATA[\n{}\n//]]>${many(' ')}x`),
    'lists of lists of authors': data(`{"datePublished":"x","author":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    'spaces in code': `<pre>a${many(' ')}b</pre>`,
    'lines of code': `<pre>a${many('\n')}b</pre>`,
    'spaces that do not collapse in a heading': `<h2>a${many('\v')}b</h2>`,
    'spaces that do not collapse in a mark': `<p>a <b>b${many('\v')}c</b> d`,
    'spaces that do not collapse in a link': `<a href=x>a${many('\v')}b</a>`,
    'spaces that do not collapse in a table': `<table><tr><th>a<th>b<tr><td>c${many('\v')}d<td>e</table>`,
    'spaces in code in a table': `<table><tr><th>a<th>b<tr><td><xmp>c${many(' ')}d</xmp><td>e</table>`,
    'commas in a srcset': `<img srcset="${many(',')}a">`,
    'spaces in a srcset': `<img srcset="a${many(' ')}b">`,
    'opened addresses in a style': `<p style="background:${many('url(')}">`,
    'spaces in an address in a style': `<p style="background:url(${many(' ')}">`,
    'placeholders in an address': `<img src="${many('.lazy')}">`,
    'fragments in a broken address': `<a href="http://[${many('#')}\nx">a</a>`,
    'blocks of code in one wrapper': `<div class=x>${'<pre>a</pre>'.repeat(100_000)}</div>`,
    'nested blocks of code': '<pre>a'.repeat(100_000),
    'rows that wide cells reach into': `<table>${'<td rowspan=0>a'.repeat(1000)}${many('<tr>')}</table>`,
    'formulas in a text that never end': `<script src="mathjax.js"></script><p>${many('\\\\(')}${many('\\\\begin{a}')}`,
    'signs of a formula': `<math>${many('<mi>a</mi>')}<mi>${many('α')}</mi></math>`,
    'marks of one footnote': `${many('<sup><a href="#n">1</a></sup>')}<p id=n>${'<i>a</i> '.repeat(500)}`,
    'footnotes of one name': Array.from(
      { length: 20_000 },
      (_, at) => `<sup><a href="#${at}">1</a></sup><p id=${at}>a`,
    ).join(''),
    'tables made by roles': '<div role=table><div role=row><i role=cell>a</i>'.repeat(12_000),
    'lists beside each other': many('<ul><li>a</ul>'),
    'tags in a text': `<p>${many('&lt;a ')}${many('&lt;*')}`,
    'dots at the end of an address': `<p>http://a${many('.')}*b* *`,
    'codes beside each other': `<p>${many('<code>a</code>')}`,
    'marks beside each other': `<p>${many('<b>a</b><i>(b)</i>')}`,
    'rows of a table with a wide one': `<table>${'<td>a'.repeat(1000)}${'<tr><td>a'.repeat(50_000)}</table>`,
  }

  it.each(Object.entries(things))('%s', async (_, thing) => {
    // What takes too long, or breaks, would come back with a warning.
    const { fields, warnings } = await pool.digest(input(`<h1>needle</h1>${thing}`), plan, never)
    expect(warnings).toEqual([])
    expect(fields.markdown?.includes('needle')).toBe(true)
  })

  // On this thread, whose stack is the smallest: each of these as an argument of one call would be too many for it.
  it.each([
    ['links in Markdown', 'text/markdown', many('[x](y)\n')],
    ['links in a text', 'text/plain', many('[x](y)\n')],
    ['fences in JSON', 'application/json', many('```\n')],
    ['fences in XML', 'application/xml', many('```\n')],
    ['fences in code', 'text/html', `<pre>${many('```\n')}`],
    ['types of one thing', 'text/html', `needle${data(`{"@type":[${many('"a",')}"b"]}`)}`],
  ])('%s', (_, contentType, text) => {
    const made = digest({ url: pageUrl, body: bytes(text), contentType }, digestPlan())
    expect(made.warnings).toEqual([])
    expect(made.fields.markdown?.length).toBeGreaterThan(5)
  })
})

describe('the digest takes linear time on', () => {
  const growing: Record<string, (size: number) => string> = {
    'nested elements': (size) => '<div><span>a'.repeat(size),
    siblings: (size) => '<p>a</p>'.repeat(size),
    'marks in a line': (size) => '<b>a</b> <i>b</i> '.repeat(size),
    links: (size) => '<a href="/x">a</a> '.repeat(size),
    'open lists': (size) => '<ul><li>a'.repeat(size),
    'rows of a table': (size) => `<table><tr><th>a<th>b${'<tr><td>a|b<td>c'.repeat(size)}</table>`,
    'rows of a group with a long style': (size) =>
      `<table><tbody style="${'white-space '.repeat(20 * size)}">${'<tr><td>a<td>b'.repeat(size / 5)}</table>`,
    'buttons without a text': (size) => `<p>some words</p><div>${'<button></button>'.repeat(size)}</div>`,
    'one text': (size) => 'some words. '.repeat(size),
    headings: (size) => '<h2>a</h2>'.repeat(size),
    'line breaks': (size) => 'a<br>'.repeat(size),
    images: (size) => '<img src="a.png" srcset="b 1x, c 2x" alt="a">'.repeat(size),
    'misnested marks': (size) => '<b><div>a</b>'.repeat(size),
  }

  /** CPU time, so that a busy machine does not count. */
  function cost(html: string): number {
    const page = input(html)
    const runs = Array.from({ length: 2 }, () => {
      const before = process.cpuUsage()
      digest(page, plan)
      const { user, system } = process.cpuUsage(before)
      return user + system
    })
    return Math.min(...runs)
  }

  it.each(Object.entries(growing))('%s', (_, make) => {
    cost(make(200))
    const small = cost(make(1000))
    const large = cost(make(16_000))
    // Sixteen times the page: 16 where it is linear, 256 where it is quadratic; the start costs something, and so does noise.
    expect(large / small).toBeLessThan(80)
  })
})
