import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { parse, parseFile as readFile } from '../../../src/content/parse/parse.js'
import type { ParsedPage } from '../../../src/content/parse/parser.js'
import { bytes, pageUrl, parseHtml, parsePlan } from './pages.js'

const parseFile = (body: string | Uint8Array, contentType?: string): ParsedPage => {
  const input = { url: pageUrl, body: typeof body === 'string' ? bytes(body) : body }
  return parse(contentType === undefined ? input : { ...input, contentType }, parsePlan)
}

describe('HTML', () => {
  it('returns the unchanged text beside the tree', () => {
    const html = '<p>é\r\n</p><!-- x -->'
    expect(parseHtml(html).text).toBe(html)
    expect(parseHtml(html).tree.$('p').text()).toBe('é\n')
  })

  it('resolves the base URL against the page’s own', () => {
    expect(parseHtml('<p>x').baseUrl).toBe(pageUrl)
    expect(parseHtml('<base href="/other/"><p>x').baseUrl).toBe('https://site.test/other/')
    expect(parseHtml('<p>x<base href="a/b">').baseUrl).toBe('https://site.test/dir/a/b')
  })

  it('keeps the page’s own URL if the base URL is invalid', () => {
    for (const base of ['http://[', 'javascript:x', 'data:text/plain,x', '']) {
      expect(parseHtml(`<base href="${base}"><p>x`).baseUrl).toBe(pageUrl)
    }
  })

  it('moves streamed parts to where the page’s script would put them', () => {
    const {
      tree: { $ },
    } = parseHtml(
      '<main>a<template id="B:0"></template>c</main><footer>f</footer><div hidden id="S:0">b</div><script>$RC("B:0","S:0")</script>',
    )
    expect($('main').text()).toBe('abc')
  })

  it.each([
    ['its fallback', '<!--$?--><template id="B:0"></template><i>Loading</i>…<!--/$-->c', 'abc'],
    ['a fallback with others in it', '<!--$?--><template id="B:0"></template><!--$-->no<!--/$-->no<!--/$-->c', 'abc'],
    ['no fallback, where its end is missing', '<!--$?--><template id="B:0"></template>c', 'abc'],
    [
      'none of another part',
      '<!--$?--><template id="B:1"></template>Wait<!--/$--><!--$?--><template id="B:0"></template>no<!--/$-->c',
      'aWaitbc',
    ],
  ])('shows a streamed part in place of %s', (_, html, text) => {
    const page = parseHtml(`<main>a${html}</main><div hidden id="S:0">b</div>`)
    expect(page.tree.$('main').text()).toBe(text)
  })

  it('reads a page with too many bytes as plain text, with a warning', () => {
    const page = parseHtml('<title>t</title><p>one &amp; two</p><script>no()</script><p>three</p>', {
      maxHtmlBytes: 40,
    })
    expect(page.markdown).toBe('t\n\none & two\n\nthree')
    expect(page.tree.$('body').text()).toBe(page.markdown)
    expect(page.text).toContain('<p>')
    expect(page.warnings).toEqual(['The page has 69 bytes of HTML, more than 40: it was read as plain text.'])
  })

  it('reads a page with too many nodes as plain text, with a warning', () => {
    const page = parseHtml('<p>a'.repeat(50), { maxNodes: 60 })
    expect(page.markdown).toMatch(/^a\n\na/)
    expect(page.warnings[0]).toMatch(/more than 60 elements and texts/)
  })

  it('reads a page as plain text if the plan asks for it, with the reason', () => {
    const page = parseHtml('<p>a</p><p>b</p>', { asText: 'It was too much' })
    expect(page.markdown).toBe('a\n\nb')
    expect(page.warnings).toEqual(['It was too much: it was read as plain text.'])
  })

  it('keeps the title, links and metadata of a page that is read as plain text', () => {
    const { tree, markdown, baseUrl } = parseHtml(
      '<title>A &amp; b</title><base href="/docs/"><meta name="robots" content="noindex"><link rel="next" href="2">' +
        '<p>See <a href="one" rel="nofollow">the <b>first</b> page</a>, or <a href="two"><img alt="Two"></a>.</p>' +
        '<script>"<a href=no>no</a>"</script><a name="here">here</a> <a href="open">open<p>end',
      { asText: 'It was too much' },
    )
    expect(markdown).toBe('A & b\n\nSee the first page, or .\n\nhere open\n\nend')
    expect(tree.$('body').text()).toBe(markdown)
    expect(tree.$('title').text()).toBe('A & b')
    expect(tree.$('meta[name=robots]').attr('content')).toBe('noindex')
    expect(tree.$('link[rel=next]').attr('href')).toBe('2')
    expect(baseUrl).toBe('https://site.test/docs/')
    const links = tree.$('a').toArray()
    expect(links.map(({ attribs }) => attribs)).toEqual([
      { href: 'one', rel: 'nofollow' },
      { href: 'two', title: 'Two' },
      { href: 'open' },
    ])
    expect(links.map((link) => tree.$(link).text())).toEqual(['the first page', '', 'open\n\nend'])
  })

  it('keeps the text in templates of a page that is read as plain text', () => {
    const page = parseHtml('<p>a</p><div><template shadowrootmode=open><p>b <a href=c>c</a></template></div>', {
      asText: 'It was too much',
    })
    expect(page.markdown).toBe('a\n\nb c')
    expect(page.tree.$('a').attr('href')).toBe('c')
  })

  it('is recognized by its bytes if it is served as a binary file', () => {
    expect(parseFile('<!doctype html><p>x', 'application/octet-stream').tree.$('p').text()).toBe('x')
    expect(parseFile('<html><p>x').tree.$('p').text()).toBe('x')
  })

  it('reads an empty body as an empty page', () => {
    expect(parseFile('', 'text/html').tree.$('body').text()).toBe('')
    expect(parseFile('').markdown).toBe('')
  })

  it('ends empty elements in XHTML', () => {
    expect(parseFile('<p><a id="x"/>y</p>', 'application/xhtml+xml').tree.$('a').text()).toBe('')
    expect(parseFile('<p><a id="x"/>y</p>', 'text/html').tree.$('a').text()).toBe('y')
  })
})

describe('JSON', () => {
  it('becomes a code block with the unchanged text', () => {
    expect(parseFile('{"a":  1}\n', 'application/ld+json').markdown).toBe('```json\n{"a":  1}\n```')
  })

  it('has a code fence that is longer than any fence in the text', () => {
    expect(parseFile('["````"]', 'application/json').markdown).toBe('`````json\n["````"]\n`````')
  })

  it('is not detected in a parameter of another media type', () => {
    expect(parseFile('plain', 'text/plain; profile="x+json"').markdown).toBe('plain')
  })
})

describe('text', () => {
  it('is returned unchanged', () => {
    const text = '# a * b_c\n\n  <p>  \n'
    expect(parseFile(text, 'text/plain').markdown).toBe(text)
    expect(parseFile(text, 'text/markdown').markdown).toBe(text)
    expect(parseFile(text, 'text/plain').tree.$('pre').text()).toBe(text)
  })

  it('has its Markdown links as elements', () => {
    const {
      tree: { $ },
    } = parseFile('- [Guide](/guide): all of it\n- <https://site.test/x>\n[broken](', 'text/plain')
    expect(
      $('a')
        .get()
        .map((link) => [$(link).attr('href'), $(link).text()]),
    ).toEqual([
      ['/guide', 'Guide'],
      ['https://site.test/x', 'https://site.test/x'],
    ])
  })
})

describe('XML', () => {
  it('becomes a code block', () => {
    expect(parseFile('<?xml version="1.0"?><a/>', 'text/xml').markdown).toBe('```xml\n<?xml version="1.0"?><a/>\n```')
  })

  it('becomes a page if it is XHTML', () => {
    const page = parseFile(
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>',
      'application/xml',
    )
    expect(page.markdown).toBeUndefined()
    expect(page.tree.$('p').text()).toBe('x')
  })

  it('becomes a page of entries if it is an RSS feed', () => {
    const {
      tree: { $ },
      markdown,
    } = parseFile(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title><item><title>One</title>
       <link>https://site.test/1</link><pubDate>Fri, 20 Nov 2026</pubDate>
       <description><![CDATA[<p>First <b>item</b></p>]]></description></item></channel></rss>`,
      'application/rss+xml',
    )
    expect(markdown).toBeUndefined()
    expect($('title').text()).toBe('News & more')
    expect($('h2 a').attr('href')).toBe('https://site.test/1')
    expect($('article b').text()).toBe('item')
    expect($('time').text()).toBe('Fri, 20 Nov 2026')
  })

  it('becomes a page of entries if it is an Atom feed', () => {
    const {
      tree: { $ },
    } = parseFile(
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="self" href="/feed"/><entry><title>E</title>
       <link rel="alternate" href="/e"/><content type="html">&lt;p&gt;x&lt;/p&gt;</content></entry></feed>`,
      'application/atom+xml',
    )
    expect($('h2 a').attr('href')).toBe('/e')
    expect($('article p').text()).toBe('x')
  })

  it('becomes a code block if a feed is nested too deep', () => {
    expect(parseFile(`<rss>${'<a>'.repeat(5000)}`, 'text/xml').markdown).toMatch(/^```xml/)
  })
})

describe('files without a parser', () => {
  it.each([
    ['%!PS-Adobe-3.0', 'text/html', 'application/postscript', '(served as `text/html`)'],
    ['7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed', 'application/x-7z-compressed', 'compressed`.'],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', undefined, 'image/png', '`imageParser`'],
    ['PK\x03\x04', 'application/octet-stream', 'application/zip', 'served as'],
    ['\x00\x01\x02', undefined, 'application/octet-stream', 'No parser'],
  ])('are rejected with the detected type: %j as %s', async (body, contentType, type, served) => {
    const input = { url: pageUrl, body: new Uint8Array(Buffer.from(body, 'latin1')) }
    const attempt = readFile(contentType === undefined ? input : { ...input, contentType }, parsePlan)
    await expect(attempt).rejects.toBeInstanceOf(TrawlError)
    await expect(attempt).rejects.toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR', url: pageUrl })
    await expect(attempt).rejects.toThrow(type)
    await expect(attempt).rejects.toThrow(served)
  })

  it.each(['application/', 'text/html; a='])('are rejected with the start of a long type: %s…', async (start) => {
    const input = { url: pageUrl, body: new Uint8Array([0, 1, 2, 255]), contentType: start + 'x'.repeat(20_000) }
    const attempt = readFile(input, parsePlan)
    await expect(attempt).rejects.toThrow(/^No parser reads .{1,300}xxx….{1,300}$/)
  })
})

describe('files that the plan requests in base64', () => {
  const zip = { url: pageUrl, body: new Uint8Array(Buffer.from('PK\x05\x06', 'latin1')) }

  it('are returned in base64, and text files as text', async () => {
    const plan = { ...parsePlan, asBase64: 'all' } as const
    const page = await readFile(zip, plan)
    expect(page).toMatchObject({ markdown: 'UEsFBg==', text: 'UEsFBg==', base64: 'UEsFBg==', warnings: [] })
    expect(page.tree.$('body').text()).toBe('')
    expect((await readFile({ url: pageUrl, body: bytes('text') }, plan)).markdown).toBe('text')
  })

  it('may be limited to PDF files', async () => {
    const plan = { ...parsePlan, asBase64: 'pdf' } as const
    await expect(readFile(zip, plan)).rejects.toThrow('application/zip')
    expect((await readFile({ url: pageUrl, body: bytes('%PDF-1.7') }, plan)).markdown).toBe('JVBERi0xLjc=')
  })
})

describe('CSV tables', () => {
  const table = (rows: number, columns: number): string =>
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_column, at) => `${row}.${at}`).join(),
    ).join('\n')

  it('have no header row if the server declares header=absent', () => {
    for (const contentType of ['text/csv; header=absent', 'text/csv;charset=utf-8;header="absent"']) {
      const {
        tree: { $ },
      } = parseFile('1,one\n2,two', contentType)
      expect($('th').text()).toBe('')
      expect(
        $('td')
          .toArray()
          .map((cell) => $(cell).text()),
      ).toEqual(['1', 'one', '2', 'two'])
    }
    expect(parseFile('1,one\n2,two', 'text/csv; header=present').tree.$('th').text()).toBe('1one')
  })

  it('have as many cells in each row as the longest row', () => {
    const {
      tree: { $ },
    } = parseFile('a,b,c\n1\n1,2,3', 'text/csv')
    expect(
      $('tr')
        .map((_, row) => $(row).children().length)
        .get(),
    ).toEqual([3, 3, 3])
    expect(
      $('th')
        .map((_, cell) => $(cell).text())
        .get(),
    ).toEqual(['a', 'b', 'c'])
  })

  it('have a warning about rows and columns that are left out', () => {
    expect(parseFile(table(6000, 2), 'text/csv').warnings).toEqual([
      'The table has 6000 rows: the last 4000 were left out.',
    ])
    const wide = parseFile(table(1000, 120), 'text/csv')
    expect(wide.warnings).toEqual([
      'The table has 1000 rows: the last 800 were left out.',
      'The table has 120 columns: the last 20 were left out.',
    ])
    expect(wide.tree.$('tr').length).toBe(200)
  })

  it('may declare their delimiter with sep=', () => {
    expect(parseFile('sep=|\r\na;1|b;2', 'text/csv').tree.$('th').length).toBe(2)
  })

  it('are decoded by their byte order mark, which is not part of the first cell', () => {
    const names = (body: Uint8Array): string[] =>
      parseFile(body, 'text/csv')
        .tree.$('th')
        .map((_, cell) => cell.children.map((node) => ('data' in node ? node.data : '')).join(''))
        .get()
    expect(names(bytes('\ufeffé;b\n1;2'))).toEqual(['é', 'b'])
    expect(names(new Uint8Array(Buffer.from('\ufeffé;一\n1;2', 'utf16le')))).toEqual(['é', '一'])
  })

  it('have no content if the file is empty', () => {
    expect(parseFile('', 'text/csv').tree.$('body').children().length).toBe(0)
  })
})
