import { describe, expect, it } from 'vitest'
import { digest, digestFile } from '../../../src/content/digest/digest.js'
import { decodeText } from '../../../src/content/encoding/decode-text.js'
import { readRecords } from '../../../src/content/parse/text/delimited-records.js'
import { identifyFile } from '../../../src/content/parse/media-type/identify-file.js'
import { digestPlan } from '../digest/plans.js'

/** Content that other readers show and that was once lost or garbled. */

const url = 'https://site.test/folder/page'
const made = (body: string | Uint8Array, contentType: string, formats = {}) =>
  digest({ url, body: typeof body === 'string' ? Buffer.from(body) : body, contentType }, digestPlan(formats))
const markdownOf = (body: string | Uint8Array, contentType: string): string =>
  (made(body, contentType).fields.markdown ?? '').trim()
const linksOf = (body: string, contentType: string): readonly string[] =>
  made(body, contentType, { formats: [{ type: 'links' }] }).links.map(({ url: href }) => href)

describe('a page that declares no charset', () => {
  const utf8 = Buffer.from('<p>Смотритель — 5 µg</p>')

  it('is read as UTF-8 if all of its bytes are', () => {
    expect(markdownOf(utf8, 'text/html')).toBe('Смотритель — 5 µg')
    expect(markdownOf(Buffer.from(`<p>${'x'.repeat(100_000)}</p><p>é</p>`), 'text/html')).toContain('é')
    expect(decodeText({ body: utf8.subarray(0, 8) }, 'html')).toMatch(/^<p>См/)
    expect(decodeText({ body: Buffer.from('caf\xe9', 'latin1') }, 'html')).toBe('café')
  })

  it('is read as windows-1252 if its letters are not UTF-8, and a declared charset counts before both', () => {
    expect(markdownOf(Buffer.from('<p>\x93smart\x94 caf\xe9</p>', 'latin1'), 'text/html')).toBe('“smart” café')
    expect(markdownOf(Buffer.from('<meta charset=iso-8859-2><p>\xb1</p>', 'latin1'), 'text/html')).toBe('ą')
    expect(markdownOf(Buffer.from('<p>Ã©</p>'), 'text/html; charset=windows-1252')).toBe('ÃƒÂ©')
  })
})

describe('the end of a comment, script or style', () => {
  it.each([
    ['<p>Before</p><!-- x --!><p>AFTER</p>'],
    ['<p>Before</p><!-- x --!><p>AFTER</p><!-- y --><i></i>'],
    ['<p>Before</p><script>let a = "<p>"</script/><p>AFTER</p>'],
    ['<p>Before</p><style>p {}</STYLE/x><p>AFTER</p>'],
    ['<p>Before</p><!--><p>AFTER</p>'],
    ['<p>Before</p><!-- a -- b --><p>AFTER</p><!-- --!>'],
  ])('is found where a browser finds it: %s', (html) => {
    expect(markdownOf(html, 'text/html')).toBe('Before\n\nAFTER')
    const asText = digest(
      { url, body: Buffer.from(html), contentType: 'text/html' },
      { ...digestPlan(), parse: { ...digestPlan().parse, asText: 'It is slow' } },
    )
    expect(asText.fields.markdown?.trim()).toBe('Before\n\nAFTER')
  })

  it('is found in linear time, however many comments there are', () => {
    expect(markdownOf(`${'<!-- --!>'.repeat(200_000)}<p>AFTER</p>`, 'text/html')).toBe('AFTER')
    expect(markdownOf(`${'<!-- -->'.repeat(200_000)}--!><p>AFTER</p>`, 'text/html')).toContain('AFTER')
  })
})

describe('a feed', () => {
  const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>News</title><link>https://site.test/</link>
    <item><media:title>a-photo.jpg</media:title><title>AT&amp;amp;T &amp;#8211; a storm</title><link>/a</link></item></channel></rss>`
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://other.test/blog/"><title type="html">Cats &amp;amp; &lt;b&gt;dogs&lt;/b&gt;</title>
    <entry xml:base="2025/"><title type="html">Salt &amp;amp; &lt;em&gt;pepper&lt;/em&gt;</title><link href="salt"/><content type="html">&lt;a href="more"&gt;more&lt;/a&gt;</content></entry>
    <entry><title type="text">a &amp;lt; b</title><link href="x"/><summary type="text">1 &lt; 2</summary></entry></feed>`

  it.each(['text/html', 'text/html; charset=utf-8', 'text/plain', 'text/xml', 'application/octet-stream'])(
    'keeps its entries when it is served as %s',
    (type) => {
      expect(markdownOf(rss, type)).toContain('## [AT&T – a storm](https://site.test/a)')
      expect(markdownOf(atom, type)).toContain('## [Salt & pepper](https://other.test/blog/2025/salt)')
    },
  )

  it('has the titles of its entries, not those of their images', () => {
    expect(markdownOf(rss, 'application/rss+xml')).not.toContain('a-photo')
  })

  it('has decoded titles, and URLs resolved against its xml:base', () => {
    const markdown = markdownOf(atom, 'application/atom+xml')
    expect(markdown).toContain('# Cats & dogs')
    expect(markdown).toContain('[more](https://other.test/blog/2025/more)')
    expect(markdown).toMatch(/\[a &lt; b\]|\[a \\?&lt; b\]|\[a \\&lt; b\]/)
    expect(markdown).toMatch(/1 \\?< 2/)
  })

  it('has a warning if it is cut off', () => {
    expect(made(rss.slice(0, -16), 'text/xml').warnings.join()).toMatch(/cut off/)
    expect(made(rss, 'text/xml').warnings).toEqual([])
  })

  it('has no entities in its title and descriptions, of HTML or of its document type', () => {
    const titles = '<title>Caf&eacute; &amp;hellip; &amp;amp; &lt;b&gt;</title><description>&co;&rsquo;s</description>'
    const declared = `<!DOCTYPE rss [<!ENTITY co "Acme">]><rss><channel>${titles}<item><title>x &co;</title></item></channel></rss>`
    expect(markdownOf(declared, 'text/xml')).toBe('# Café … & \\<b>\n\nAcme’s\n\n## x Acme')
  })

  it.each([
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><f:Person xmlns:f="x"><f:name>Bob</f:name></f:Person></rdf:RDF>',
    '<feed><title>Lamps</title><product><name>Pharos</name></product></feed>',
    '<feed><entry><word>lamp</word></entry></feed>',
  ])('is not detected in other XML with the same root: %s', (xml) => {
    expect(markdownOf(xml, 'application/xml')).toBe(`\`\`\`xml\n${xml}\n\`\`\``)
  })

  it('is not detected in a page about feeds', () => {
    const page = '<!doctype html><p>A feed begins with &lt;rss&gt;.</p><pre><rss version="2.0"></pre>'
    expect(markdownOf(page, 'text/html')).toContain('A feed begins with')
  })
})

describe('a table of delimited values', () => {
  const read = (text: string) => readRecords(text, ',', { records: 10, cells: 10 }).records

  it('may have spaces around quoted cells', () => {
    expect(read('a, "b, c" ,"d"\n "1",  "2 ""x""", 3\n')).toEqual([
      ['a', 'b, c', 'd'],
      ['1', '2 "x"', ' 3'],
    ])
  })

  it('keeps quotation marks inside of unquoted cells', () => {
    expect(read('a, "b" c, d')).toEqual([['a', ' "b" c', ' d']])
    expect(read('a, "b, c')).toEqual([['a', ' "b', ' c']])
  })
})

describe('a Markdown file', () => {
  it('has links with reference labels, and none in code', () => {
    const text = [
      'See [the manual][1], [Rules][] and [rules] or [nothing][2].',
      '',
      '[1]: /manual',
      '[RULES]: <https://site.test/rules> "Rules"',
      '',
      'Run `curl https://code.test/span` and ``a ` [x](/span)``.',
      '',
      '```sh',
      'curl https://code.test/fence',
      '```',
      '',
      '    wget https://code.test/indented',
      '',
      '- item',
      '',
      '    https://site.test/in-item',
    ].join('\n')
    const links = linksOf(text, 'text/markdown')
    expect(links).toContain('https://site.test/manual')
    expect(links).toContain('https://site.test/rules')
    expect(links).toContain('https://site.test/in-item')
    expect(links.join(' ')).not.toMatch(/code\.test|\/span/)
    expect(markdownOf(text, 'text/markdown')).toBe(text)
  })

  it('of backticks alone is read in linear time', () => {
    const runs = Array.from({ length: 1500 }, (_, at) => '`'.repeat(at + 1)).join(' ')
    expect(markdownOf(runs, 'text/markdown')).toBe(runs)
  })
})

describe('a file with a wrong Content-Type', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it.each(['application/pdf', 'application/rtf', 'application/postscript'])(
    'is identified by its bytes: %s',
    async (type) => {
      expect((await identifyFile({ url, body: png, contentType: type })).mediaType).toBe('image/png')
    },
  )

  it('is rejected by its real type', async () => {
    await expect(digestFile({ url, body: png, contentType: 'application/pdf' }, digestPlan())).rejects.toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    })
  })

  it('keeps the declared type if its bytes identify none', async () => {
    const body = Buffer.from([1, 2, 3, 0, 0, 5, 6, 7])
    expect((await identifyFile({ url, body, contentType: 'application/pdf' })).mediaType).toBe('application/pdf')
  })
})

describe('a file that is cut off', () => {
  it('has a warning if the end is recognizably missing', async () => {
    expect(made('{"a": [1, 2', 'application/json').warnings.join()).toMatch(/cut off/)
    expect(made('{"a": [1, 2]}\n', 'application/json').warnings).toEqual([])
    expect(made('<a><b>1</b><b', 'application/xml').warnings.join()).toMatch(/cut off/)
    expect(made('<a><b>1</b></a>\n', 'application/xml').warnings).toEqual([])
    const flat = `<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>text</text:p><text:p>more</text:p></office:text></office:body></office:document>`
    const odt = (body: string) =>
      digestFile({ url, body: Buffer.from(body), contentType: 'application/xml' }, digestPlan())
    expect((await odt(flat)).warnings).toEqual([])
    expect((await odt(flat.slice(0, -70))).warnings.join()).toMatch(/cut off/)
    const rtf = (text: string) =>
      digestFile({ url, body: Buffer.from(text), contentType: 'application/rtf' }, digestPlan())
    expect((await rtf('{\\rtf1 text\\par mo')).warnings.join()).toMatch(/cut off/)
    expect((await rtf('{\\rtf1 text\\par}')).warnings).toEqual([])
  })
})

describe('text after a drawing or a formula that is nested too deep', () => {
  const parts: readonly (readonly [string, string])[] = [
    ['g', 'svg'],
    ['text', 'svg'],
    ['a', 'svg'],
    ['mrow', 'math'],
    ['mrow><msup', 'math'],
  ]
  it.each([1, 100, 250, 260, 600, 3000].flatMap((depth) => parts.map(([name, root]) => [depth, name, root] as const)))(
    'is kept after %d open <%s> in %s',
    (depth, name, root) => {
      const drawing = `<${root}>${`<${name}>`.repeat(depth)}`
      for (const html of [
        `<p>BEFORE</p><p>a ${drawing}</${root}> AFTER</p><p>LAST</p>`,
        `<div>BEFORE ${drawing}</div><p>AFTER</p><p>LAST</p>`,
        `<div>BEFORE ${drawing}<p>AFTER</p></div><p>LAST</p>`,
      ])
        expect(markdownOf(html, 'text/html').match(/BEFORE|AFTER|LAST/g)).toEqual(['BEFORE', 'AFTER', 'LAST'])
    },
  )

  it.each(['table><tr><td', 'div', 'span', 'ul><li', 'b', 'a href=x', 'section', 'p', 'object', 'button', 'dl><dd'])(
    'is kept inside and after 3,000 open <%s>',
    (name) => {
      const end = name.replace(/ .*/, '').split('><')[0]
      const html = `<p>BEFORE</p><main>${`<${name}>`.repeat(3000)}INSIDE${`</${end}>`.repeat(3000)}<p>AFTER</p></main><p>LAST</p>`
      const shown = made(html, 'text/html', { onlyMainContent: false })
      expect(shown.fields.markdown?.match(/BEFORE|INSIDE|AFTER|LAST/g)).toEqual(['BEFORE', 'INSIDE', 'AFTER', 'LAST'])
    },
  )
})
