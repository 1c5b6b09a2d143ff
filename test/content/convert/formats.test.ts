import { describe, expect, it } from 'vitest'
import { convert, type ConvertedFields, type ConvertFormat, readsPage } from '../../../src/content/convert/convert.js'
import * as formats from '../../../src/content/convert/formats/index.js'
import type { ExtractPlan } from '../../../src/content/extract/extracted-page.js'
import { formatContract } from '../../contracts/format.contract.js'
import { extractHtml } from '../extract/contents.js'

function made(html: string, format: ConvertFormat, plan: Partial<ExtractPlan> = {}): ConvertedFields {
  const conversion = { formats: [format], removeBase64Images: true }
  return convert(extractHtml(html, { ...plan, keepsPage: readsPage(conversion, false) }), conversion)
}

describe('markdown', () => formatContract(formats.markdown, { type: 'markdown' }))
describe('markdown with options', () =>
  formatContract(formats.markdown, { type: 'markdown', links: 'reference', frontMatter: true, maxTokens: 100 }))
describe('chunks', () => formatContract(formats.chunks, { type: 'chunks', maxTokens: 100 }))
describe('html', () => formatContract(formats.html, { type: 'html' }))
describe('rawHtml', () => formatContract(formats.rawHtml, { type: 'rawHtml' }))
describe('links', () => formatContract(formats.links, { type: 'links' }))
describe('images', () => formatContract(formats.images, { type: 'images' }))
describe('attributes', () =>
  formatContract(formats.attributes, { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }))

it('converts a page to several formats at once', () => {
  const fields = convert(extractHtml('<p>x'), {
    formats: [{ type: 'rawHtml' }, { type: 'markdown' }],
    removeBase64Images: true,
  })
  expect(fields).toEqual({ rawHtml: '<p>x', markdown: 'x' })
})

describe('html', () => {
  it('is the cleaned content, without entities for letters', () => {
    const { html } = made(
      '<head><title>t</title></head><p class="a">é &amp; &lt;b&gt; 中<script>x</script><img src=a.png alt=ü></p>',
      { type: 'html' },
    )
    expect(html).toBe('<p class="a">é &amp; &lt;b&gt; 中<img src="https://site.test/dir/a.png" alt="ü"></p>')
  })

  it('has no event handlers, embedded documents or URLs with unsafe schemes', () => {
    const dirty = `<p onclick="x()" ONMOUSEOVER=y() class=k>text</p><iframe srcdoc="<script>x</script>" title=t></iframe>
      <a href=" java\nscript:x()">a</a><a href="file:///etc/passwd">b</a><a href="view-source:http://a.test/">c</a>
      <a href="data:text/html,<script>x</script>">d</a><img src="javascript:x" alt=e><form action="JAVASCRIPT:x"><button formaction="vbscript:x">f</button></form>
      <svg><a xlink:href="javascript:x">g</a></svg><a href="mailto:a@b.c">h</a><a href="chrome://version">i</a>`
    const { html = '' } = made(dirty, { type: 'html' })
    expect(html).not.toMatch(/script:|file:|view-source:|chrome:|data:|srcdoc|onclick|onmouseover/i)
    expect(html).toContain('<a href="mailto:a@b.c">h</a>')
    expect(html).toContain('<p class="k">text</p>')
    expect(made(dirty, { type: 'links' }).links).toEqual(['mailto:a@b.c'])
    expect(made(dirty, { type: 'markdown' }).markdown).not.toMatch(/script:|file:|view-source:|chrome:|data:/i)
  })

  it('keeps data URLs of images, whatever Markdown does with them', () => {
    expect(made('<img src="data:image/png;base64,AAAA">', { type: 'html' }).html).toContain('base64,AAAA')
  })
})

describe('rawHtml', () => {
  it('is the page as received', () => {
    const html = '<!doctype html>\r\n<p>x<!-- y --></body>'
    expect(made(html, { type: 'rawHtml' }, { onlyMainContent: true, excludeTags: ['p'] }).rawHtml).toBe(html)
  })
})

describe('links', () => {
  it('lists the links of the content: absolute, each once, without those to the page itself', () => {
    const html = `<a href="/a">a</a><a href="#top">top</a><a href="page.html#x">x</a><a href="/a">again</a>
      <a href="mailto:a@b.c">mail</a><a href="/b#c">b</a><a href="http://u:p@site.test/d">d</a><a name=n>n</a><a href="#/route">route</a>`
    expect(made(html, { type: 'links' }).links).toEqual([
      'https://site.test/a',
      'mailto:a@b.c',
      'https://site.test/b#c',
      'http://site.test/d',
      'https://site.test/dir/page.html#/route',
    ])
  })

  it('omits the links of dropped parts', () => {
    expect(made('<a href=/a>a</a>', { type: 'links' }, { excludeTags: ['a'] }).links).toEqual([])
    expect(
      made(
        '<nav><a href=/n>n</a></nav><main>text <a href=/m>m</a></main>',
        { type: 'links' },
        { onlyMainContent: true },
      ).links,
    ).toEqual(['https://site.test/m'])
  })
})

describe('images', () => {
  it('lists every image of the content, then those in the head', () => {
    const html = `<head><meta property="og:image" content="/og.png"><link rel="icon" href="/i.ico"><meta name="twitter:image" content="/og.png"></head>
      <img src="a.png" srcset="b.png 1x, c.png 2x"><picture><source srcset="d.webp"><img data-src="e.png"></picture>
      <video poster="f.png"></video><div style="background: url('g.png') no-repeat"></div><img src="data:image/png;base64,AA"><img src="javascript:x">`
    expect(made(html, { type: 'images' }).images).toEqual(
      ['c.png', 'b.png', 'd.webp', 'e.png', 'f.png', 'g.png', 'data:', '/og.png', '/i.ico'].map((name) =>
        name === 'data:' ? 'data:image/png;base64,AA' : new URL(name, 'https://site.test/dir/').href,
      ),
    )
  })

  it('omits the images of dropped parts, and keeps those of the head', () => {
    const html =
      '<meta property="og:image" content="/og.png"><nav><img src=logo.png></nav><main>words <img src=m.png></main>'
    expect(made(html, { type: 'images' }, { onlyMainContent: true }).images).toEqual([
      'https://site.test/dir/m.png',
      'https://site.test/og.png',
    ])
  })
})

describe('attributes', () => {
  const html = '<nav><a href="/n" DATA-ID=1>n</a></nav><main><a data-id=2>m</a><p id=3>p</p></main>'

  it('returns the values of all matches in the whole page, in the requested order', () => {
    const selectors = [
      { selector: 'a', attribute: 'id' },
      { selector: 'p', attribute: 'ID' },
      { selector: '.none', attribute: 'x' },
    ]
    expect(made(html, { type: 'attributes', selectors }, { onlyMainContent: true }).attributes).toEqual([
      { selector: 'a', attribute: 'id', values: ['1', '2'] },
      { selector: 'p', attribute: 'ID', values: ['3'] },
      { selector: '.none', attribute: 'x', values: [] },
    ])
  })

  it('returns the text of elements for `textContent`, and says so where another name of it gives nothing', () => {
    const ask = (attribute: string, page: string) => {
      const warnings: string[] = []
      const asked = [{ type: 'attributes' as const, selectors: [{ selector: 'a', attribute }] }]
      const plan = { formats: asked, removeBase64Images: true }
      const { attributes } = convert(extractHtml(page, { keepsPage: true }), plan, (warning) => warnings.push(warning))
      return [attributes?.[0]?.values, warnings.length]
    }
    const link = '<p>x</p><a> Two\n <b>words</b></a><a></a>'
    expect(ask('textContent', link)).toEqual([['Two words', ''], 0])
    expect(['text', 'innerText', 'textcontent', 'href'].map((name) => ask(name, link)[1])).toEqual([1, 1, 1, 0])
    expect(ask('text', '<a data-text=y>x</a>')).toEqual([['y'], 0])
    expect(ask('text', '<p>x</p>')).toEqual([[], 0])
  })
})
