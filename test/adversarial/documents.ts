/** One answer of a hostile server. */
export interface HostileDocument {
  readonly name: string
  readonly body: (bytes: number) => string | Buffer
  /** @default text/html; charset=utf-8. Undefined sends no `Content-Type` at all. */
  readonly type?: string | undefined
  readonly headers?: (bytes: number) => Readonly<Record<string, string>>
  /** Part of the short form, which runs in the test command. */
  readonly inShort?: true
}

/** Repeats a text until it has about so many bytes. */
export const fill = (text: string, bytes: number): string => text.repeat(Math.max(1, Math.floor(bytes / text.length)))

const html = 'text/html; charset=utf-8'
/** Asks for a browser by its little text, so that all scans of a page without text run. */
const shell = (inside: string): string => `<!doctype html><div id="root"></div><script>0</script>${inside}`
const script = (text: string): string => shell(`<script>${text}</script>`)
const json = (id: string, text: string): string => shell(`<script id="${id}" type="application/json">${text}</script>`)
const article = (inside: string): string =>
  `<!doctype html><title>Notes</title><main><h1>Notes</h1><p>${'Some words that are the content of this page. '.repeat(20)}</p>${inside}</main>`

/** Pieces that a scanner may look for, over and over, when they are repeated. */
const REPEATED: Readonly<Record<string, string>> = {
  'empty comments': '<!-- -->',
  'comments that never end': '<!-- a ',
  'comment ends': '-->',
  'script starts': '<script',
  'scripts that never end': '<script>',
  'script ends': '</script>',
  'style starts': '<style',
  'styles that never end': '<style>',
  'noscripts that never end': '<noscript>',
  'noscripts with a style that never ends': '<noscript><style</noscript>',
  'title starts': '<title',
  'titles that never end': '<title>',
  'ends of links': '</a>',
  'links that never end': '<a href=',
  'links without an end tag': '<a href=x>a',
  'empty elements': '<div id=a></div>',
  'tags without an end': '<p ',
  'left angles': '<',
  'right angles': '>',
  ampersands: '&amp',
  'entities that never end': '&#x',
  spaces: ' ',
  'line ends': '\n',
  'tabs and line ends': '\t\r\n',
  'spaces that do not break': '\u00a0',
  quotes: '"',
  'opening brackets': '[',
  'opening braces': '{"a":',
  'opening parentheses': '(',
  backslashes: '\\',
  'letters and digits': '1a',
  capitals: 'A',
  hyphens: 'a-',
  dots: 'a.',
  commas: ',',
  'equal signs': 'a=',
  'at signs': 'a@',
  'addresses of mail': 'a@a.',
  addresses: 'http://a/',
  prices: '$1 ',
  digits: '1',
  dates: '2020-01-01 ',
  'meta elements': '<meta name=a content=b>',
  'assignments of state': 'window.__STATE__ = {',
  'pushes of flight rows': 'self.__next_f.push([1,"0:T0,"])',
  'rows of text without line ends': '0:T0,',
  'ignore previous instructions': 'ignore your ',
  'words of a cookie note': 'we use cookies ',
  'words of a guard': 'checking your browser ',
  pipes: '|a',
  backticks: '`',
  stars: '*a',
  'tables in tables': '<table><tr><td>',
  'lists in lists': '<ul><li>',
  'quotes in quotes': '<blockquote>',
  'marks in marks': '<b><i>',
  'custom elements': '<x-a>',
  'forms in forms': '<form>',
  frames: '<iframe srcdoc="a"></iframe>',
  pictures: '<img src=a srcset="a 1x, b 2x">',
}

/** The scanners that are of most interest in the short form. */
const SHORT = new Set([
  'empty comments',
  'script starts',
  'noscripts with a style that never ends',
  'ends of links',
  'title starts',
  'letters and digits',
  'assignments of state',
  'rows of text without line ends',
  'meta elements',
  'words of a cookie note',
])

const repeated: HostileDocument[] = Object.entries(REPEATED).flatMap(([name, piece]) => [
  {
    name: `${name}, without a type`,
    body: (bytes) => fill(piece, bytes),
    type: undefined,
    ...(SHORT.has(name) && { inShort: true as const }),
  },
  { name: `${name}, in a page that scripts fill`, body: (bytes) => shell(fill(piece, bytes)) },
  { name: `${name}, in an article`, body: (bytes) => article(fill(piece, bytes)) },
])

/** A graph of so many levels, each of which names the next one twice. */
const doubling = (levels: number): string =>
  JSON.stringify([
    { data: 1 },
    ...Array.from({ length: levels }, (_, level) => ({
      type: levels + 2,
      children: levels + 3 + level,
      name: level + 2,
      offers: level + 2,
    })),
    'doc',
    ...Array.from({ length: levels }, (_, level) => [Math.min(level + 2, levels), Math.min(level + 2, levels)]),
  ])

const product = (data: string): string => article(`<script type="application/ld+json">${data}</script>`)

const special: HostileDocument[] = [
  {
    name: 'data that name themselves',
    body: () => json('__NUXT_DATA__', '[{"data":1},{"type":2,"children":3},"doc",[1,1]]'),
    inShort: true,
  },
  {
    name: 'data in which each level names the next one twice',
    body: () => json('__NUXT_DATA__', doubling(60)),
    inShort: true,
  },
  { name: 'a list that names itself', body: () => json('__NUXT_DATA__', '[{"offers":1},[1,1]]') },
  {
    name: 'one long label among the data of a page',
    body: (bytes) => json('__NEXT_DATA__', JSON.stringify({ props: { text: `${fill('1a', bytes)} ` } })),
    inShort: true,
  },
  { name: 'data nested to the bottom', body: (bytes) => json('__NEXT_DATA__', fill('[', bytes)) },
  {
    name: 'data nested and closed',
    body: (bytes) => json('__NEXT_DATA__', `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`),
  },
  {
    name: 'many small values among the data',
    body: (bytes) => json('__NEXT_DATA__', `{"props":[${fill('{"a":1},', bytes)}0]}`),
  },
  {
    name: 'many texts among the data',
    body: (bytes) =>
      json('__NEXT_DATA__', `{"props":[${fill('"Some words that could be text, in a sentence.",', bytes)}0]}`),
  },
  {
    name: 'names that every object has',
    body: () =>
      article(
        ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
          .map(
            (name) =>
              `<div itemscope itemtype="https://schema.org/Product"><b itemprop="${name}">a</b><b itemprop=name>b</b></div>`,
          )
          .join('') + '<meta name="__proto__" content="a"><meta property="constructor" content="b">',
      ),
    inShort: true,
  },
  {
    name: 'structured data with names that every object has',
    body: () =>
      product('{"@type":"Product","__proto__":{"isAdmin":true},"constructor":{"name":"x"},"offers":{"__proto__":[1]}}'),
  },
  { name: 'structured data nested to the bottom', body: (bytes) => product(fill('{"@graph":[', bytes)) },
  {
    name: 'products in products',
    body: (bytes) => product(`${'{"@type":"Product","isVariantOf":'.repeat(bytes / 40)}1${'}'.repeat(bytes / 40)}`),
  },
  {
    name: 'many products',
    body: (bytes) =>
      product(
        `[${fill('{"@type":"Product","name":"a","offers":{"@type":"Offer","price":"1","priceCurrency":"EUR"}},', bytes)}{}]`,
      ),
  },
  {
    name: 'many state scripts for a product',
    body: (bytes) => article(fill('<script>window.__STATE__ = {"product":{"price":1}}</script>', bytes)),
  },
  { name: 'a script in a string in a script', body: (bytes) => script(fill("'<script>'+", bytes)) },
  { name: 'a text of a script that never ends', body: (bytes) => script(`var a = "${fill('a', bytes)}`) },
  { name: 'escapes in a script', body: (bytes) => script(`self.__next_f.push([1,"${fill('\\u0041', bytes)}"])`) },
  {
    name: 'a Content-Type of blanks',
    body: () => article(''),
    type: `text/html;charset=${' '.repeat(12_000)}x`,
    inShort: true,
  },
  { name: 'a Content-Type of parameters', body: () => article(''), type: `text/html${';a=b'.repeat(3000)}` },
  {
    name: 'a Link header of commas',
    body: () => article(''),
    headers: () => ({ link: '<a>; rel=next,'.repeat(900) }),
  },
  { name: 'a Link header of angles', body: () => article(''), headers: () => ({ link: '<'.repeat(12_000) }) },
  {
    name: 'a robots header of commas',
    body: () => article(''),
    headers: () => ({ 'x-robots-tag': 'a: b,'.repeat(2500) }),
  },
  {
    name: 'cookies by the hundred',
    body: () => article(''),
    headers: () => ({ 'set-cookie': `a=${';'.repeat(12_000)}` }),
  },
  {
    name: 'a refresh that never ends',
    body: (bytes) => shell(`<meta http-equiv=refresh content="${fill(' 0;', bytes)}">`),
  },
  { name: 'a charset that never ends', body: (bytes) => `<meta charset="${fill('a', bytes)}`, type: undefined },
  {
    name: 'a base address that never ends',
    body: (bytes) => article(`<base href="${fill('a/', bytes)}"><a href=b>b</a>`),
  },
  {
    name: 'one long link',
    body: (bytes) => article(`<a href="/(${fill('S(abcdefghijklmnopqrstuvwx)', bytes)}">a</a>`),
    inShort: true,
  },
  { name: 'many long links', body: (bytes) => article(fill(`<a href="/${'a1'.repeat(20_000)}">a</a>`, bytes)) },
  {
    name: 'many links',
    body: (bytes) => article(Array.from({ length: bytes / 20 }, (_, n) => `<a href="/${n}">${n}</a>`).join('')),
  },
  { name: 'a picture of data', body: (bytes) => article(`<img src="data:image/png;base64,${fill('A', bytes)}">`) },
  { name: 'a link of data', body: (bytes) => article(`<a href="data:text/html,${fill('%41', bytes)}">a</a>`) },
  { name: 'a class of words', body: (bytes) => article(`<p class="${fill('related-posts ', bytes)}">a</p>`) },
  { name: 'a style of addresses', body: (bytes) => article(`<p style="background:${fill('url(', bytes)}">a</p>`) },
  { name: 'code that is one line', body: (bytes) => article(`<pre><code>${fill('a = b; ', bytes)}</code></pre>`) },
  {
    name: 'cells that span everything',
    body: (bytes) => article(`<table>${fill('<td colspan=1000 rowspan=65534>a', bytes / 10)}</table>`),
  },
  {
    name: 'a feed of items',
    body: (bytes) => `<rss><channel>${fill('<item><title>a</title></item>', bytes)}`,
    type: 'application/rss+xml',
  },
  {
    name: 'a feed of entities',
    body: (bytes) => `<rss><channel><item><title>${fill('&amp;amp;', bytes)}`,
    type: 'application/rss+xml',
  },
  {
    name: 'entities that double',
    body: () =>
      `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 25 }, (_, n) => `<!ENTITY ${'b'.repeat(n + 1)} "&${n ? 'b'.repeat(n) : 'a'};&${n ? 'b'.repeat(n) : 'a'};">`).join('')}]><a>&${'b'.repeat(25)};</a>`,
    type: 'application/xml',
  },
  { name: 'XML nested to the bottom', body: (bytes) => fill('<a>', bytes), type: 'application/xml' },
  { name: 'JSON nested to the bottom', body: (bytes) => fill('[', bytes), type: 'application/json' },
  { name: 'JSON of one text', body: (bytes) => JSON.stringify(fill('a ', bytes)), type: 'application/json' },
  { name: 'CSV of commas', body: (bytes) => fill(',', bytes), type: 'text/csv' },
  { name: 'CSV of quotes', body: (bytes) => fill('"a" "', bytes), type: 'text/csv' },
  { name: 'CSV of rows', body: (bytes) => fill('a,b\n', bytes), type: 'text/csv' },
  { name: 'Markdown of brackets', body: (bytes) => fill('[a](', bytes), type: 'text/markdown' },
  { name: 'Markdown of references', body: (bytes) => fill('[a][b] ', bytes), type: 'text/markdown' },
  { name: 'Markdown of definitions', body: (bytes) => fill('[a]: b\n', bytes), type: 'text/markdown' },
  { name: 'text of one line', body: (bytes) => fill('a b ', bytes), type: 'text/plain' },
  { name: 'text of line ends', body: (bytes) => fill('\n', bytes), type: 'text/plain' },
  { name: 'RTF of groups', body: (bytes) => `{\\rtf1 ${fill('{\\b ', bytes)}`, type: 'application/rtf' },
  { name: 'RTF of pictures', body: (bytes) => `{\\rtf1 {\\pict ${fill('ff', bytes)}`, type: 'application/rtf' },
  {
    name: 'RTF of binary lengths',
    body: (bytes) => `{\\rtf1 ${fill('\\bin99999999 ', bytes)}`,
    type: 'application/rtf',
  },
  { name: 'NUL bytes', body: (bytes) => Buffer.alloc(bytes), type: html },
  { name: 'bytes that are no UTF-8', body: (bytes) => Buffer.alloc(bytes, 0xff), type: html },
  {
    name: 'UTF-16 without a mark',
    body: (bytes) => Buffer.from(article(fill('a b ', bytes / 2)), 'utf16le'),
    type: 'text/html',
  },
  {
    name: 'a playlist of lines',
    body: (bytes) => `#EXTM3U\n${fill('#EXTINF:1,\na\n', bytes)}`,
    type: 'application/vnd.apple.mpegurl',
  },
]

/** Documents that were made to hold up whoever reads them. Each is asked for by its place, e.g. `/document/17`. */
export const hostileDocuments: readonly HostileDocument[] = [...special, ...repeated]
