import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createItemList } from '../../../src/content/sitemap/sitemap-item.js'
import { readTextSitemap } from '../../../src/content/sitemap/read-sitemap.js'
import { countTurns } from '../../base/concurrency/count-turns.js'
import { MEBIBYTE, a, b, locs, problemsOf, readItems, urlset, urlsOf } from './sitemap-files.js'

describe('a broken sitemap', () => {
  it.each([
    ['is cut off', locs(a, b).slice(0, -20), [a], /^is broken XML: <\w+> is not closed$/],
    [
      'does not close its entries',
      `<urlset><url><loc>${a}</loc><url><loc>${b}</loc></urlset>`,
      [a, b],
      /<url> is not closed/,
    ],
    ['does not close a URL', urlset(`<url><loc>${a}</url><url><loc>${b}</loc></url>`), [b], /<loc> is not closed/],
    [
      'has bare brackets',
      urlset(`<url><loc>${a}</loc></url> << > <url><loc>${b}</loc></url>`),
      [a, b],
      /is not closed/,
    ],
    [
      'closes what it did not open',
      urlset(`<url><loc>${a}</loc></x></url></y><url><loc>${b}</loc></url>`),
      [a, b],
      undefined,
    ],
    ['has words after its end', `${locs(a)}<p>served in 3 ms`, [a], /<p> is not closed/],
    [
      'has entries without a URL',
      urlset(`<url></url><url><loc/></url><url><loc>${a}</loc></url>`),
      [a],
      /^has 2 entries that name no/,
    ],
    [
      'has URLs of other kinds',
      locs('ftp://example.com/', a, 'mailto:x@example.com', 'https://[1'),
      [a],
      /^has 3 entries .*"ftp:/,
    ],
    [
      'has a URL without end',
      urlset(`<url><loc>${a}${'a'.repeat(9000)}</loc></url><url><loc>${b}</loc></url>`),
      [b],
      /^has 1 entry that names no/,
    ],
  ])('is read as far as possible when it %s', async (_name, xml, urls, problem) => {
    const items = await readItems(xml)
    expect(urlsOf(items)).toEqual(urls)
    expect(problemsOf(items)).toEqual(problem === undefined ? [] : [expect.stringMatching(problem)])
  })

  it.each([
    ['an HTML page', '<!doctype html><html><body><url><loc>https://example.com/</loc></url>', /root element is <html>/],
    ['another XML file', '<project><url>https://example.com/</url></project>', /root element is <project>/],
    ['a word of JavaScript', '<constructor><url><loc>https://example.com/</loc></url></constructor>', /<constructor>/],
    ['JSON', '{"urlset": ["https://example.com/"]}', /neither XML nor a list/],
    ['words', 'Not found', /neither XML nor a list/],
    ['XML without an element', '<?xml version="1.0"?>', /no element/],
    ['nothing', '', /is empty/],
    ['a mark and nothing', '\uFEFF', /is empty/],
    ['bytes', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), /empty|broken gzip/],
  ])('is not a sitemap when it is %s', async (_name, body, problem) => {
    const items = await readItems(body)
    expect(items).toEqual([{ kind: 'problem', problem: expect.stringMatching(problem) }])
  })

  it.each([
    ['one that expands', '<!DOCTYPE urlset [<!ENTITY u "https://example.com/">]>'],
    ['one that reads a file', '<!DOCTYPE urlset [\n<!ENTITY u SYSTEM "file:///etc/hostname">]>'],
    ['a billion laughs', `<!DOCTYPE u [<!ENTITY a "ha">${'<!ENTITY b "&a;&a;&a;&a;">'.repeat(30)}]>`],
    ['one after other declarations', '<!DOCTYPE u [<!ELEMENT u ANY> <!ENTITY u "x">]>'],
  ])('is refused when it declares entities: %s', async (_name, doctype) => {
    const items = await readItems(`<?xml version="1.0"?>${doctype}<urlset><url><loc>${a}&u;</loc></url></urlset>`)
    expect(items).toEqual([{ kind: 'problem', problem: 'declares entities, which are not expanded' }])
  })

  it.each([
    ['plain', (xml: string) => Buffer.from(xml)],
    ['gzip', (xml: string) => gzipSync(xml)],
  ])('is read up to its limit of bytes: %s', async (_name, write) => {
    const urls = Array.from({ length: 20_000 }, (_, n) => `https://example.com/${n}`)
    const items = await readItems(write(locs(...urls)), { maxBytes: 200_000 })
    const found = urlsOf(items)
    expect(found.length).toBeGreaterThan(2000)
    expect(found).toEqual(urls.slice(0, found.length))
    expect(problemsOf(items)).toEqual(['is larger than 200000 bytes: the rest is not read'])
  })

  it.each([
    ['lines', (urls: string[]) => urls.join('\n')],
    ['lines that are no URLs', (urls: string[]) => `${urls[0]}\n${'x\n'.repeat(20_000)}`],
    ['elements', (urls: string[]) => locs(...urls)],
    [
      'empty elements',
      (urls: string[]) => locs(urls[0] ?? '').replace('</urlset>', `${'<url/>'.repeat(20_000)}</urlset>`),
    ],
  ])('is read up to its limit of entries: %s', async (_name, write) => {
    const urls = Array.from({ length: 20_000 }, (_, n) => `https://example.com/${n}`)
    const items = await readItems(write(urls), { maxEntries: 5000 })
    const found = urlsOf(items)
    expect(found.length).toBeLessThan(10_000)
    expect(found).toEqual(urls.slice(0, found.length))
    expect(problemsOf(items)).toContain('lists more than 5000 entries: the rest is not read')
  })

  it('is not decompressed beyond its limit', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(locs(a).slice(0, -9)), Buffer.alloc(300 * MEBIBYTE, ' ')]))
    const before = process.memoryUsage().rss
    const items = await readItems(bomb, { maxBytes: 50 * MEBIBYTE })
    expect(urlsOf(items)).toEqual([a])
    expect(problemsOf(items)).toHaveLength(1)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEBIBYTE)
  })

  it.each([
    ['elements in elements', `<urlset>${'<url>'.repeat(2_000_000)}`],
    ['attributes', `<urlset ${'a="b" '.repeat(1_500_000)}><url><loc>${a}</loc></url>`],
    ['a comment', `<urlset><!--${'- '.repeat(5_000_000)}`],
    ['brackets', `<urlset>${'<'.repeat(10_000_000)}`],
    ['declarations', `<!DOCTYPE ${'<!'.repeat(5_000_000)}`],
    ['references', `<urlset><url><loc>${a}${'&amp;'.repeat(2_000_000)}</loc></url>`],
    [
      'alternates',
      `<urlset><url><loc>${a}</loc>${'<l:link rel="alternate" hreflang="a" href="/"/>'.repeat(200_000)}</url>`,
    ],
    ['a declaration', `<!${'x'.repeat(10_000_000)}><urlset></urlset>`],
    ['blanks in front', `${' '.repeat(10_000_000)}${locs(a)}`],
    ['a line', `${a}\n${'x'.repeat(10_000_000)}`],
  ])(
    'takes time in proportion to its size: %s without end',
    async (_name, xml) => {
      const items = await readItems(xml, { maxBytes: 50 * MEBIBYTE })
      expect(items.length).toBeLessThan(10)
    },
    20_000,
  )

  it('is parsed in linear time: an endless line, in small chunks', () => {
    const items = createItemList('https://example.com/')
    const reader = readTextSitemap(items)
    for (let n = 0; n < 50_000; n++) reader.write('x'.repeat(200))
    reader.end()
    items.countUnusable()
    expect(problemsOf(items.drain())).toEqual([expect.stringMatching(/^has 1 entry that names no/)])
  }, 20_000)

  it('does not block the event loop', async () => {
    const urls = Array.from({ length: 50_000 }, (_, n) => `https://example.com/some/path/to/a/page/${n}`)
    const read = () => readItems(locs(...urls), { maxBytes: 50 * MEBIBYTE })
    const { result: items, turns } = await countTurns(read)
    expect(urlsOf(items)).toHaveLength(50_000)
    expect(turns).toBeGreaterThan(10)
  })
})
