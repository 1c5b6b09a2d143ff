import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { readTime } from '../../../src/features/archive/read/archive-record.js'
import { describeEntries, inPieces } from './describe-entries.js'
import { httpBlock, infoRecord, pageRecord, warcRecord } from './make-warc.js'

const first = pageRecord('http://a.test/1', '<p>first</p>')
const last = pageRecord('http://a.test/9', '<p>last</p>')
const FIRST = 'http://a.test/1 200 <p>first</p>'
const LAST = 'http://a.test/9 200 <p>last</p>'
const between = (...middle: readonly Buffer[]): Buffer => Buffer.concat([infoRecord(), first, ...middle, last])
const page = (block: string | Buffer, fields: Readonly<Record<string, string | undefined>> = {}) =>
  warcRecord({ block, fields: { 'WARC-Target-URI': 'http://a.test/2', ...fields } })
const HEAD = ['HTTP/1.1 200 OK', 'Content-Type: text/html']
const encoded = (coding: string, body: Buffer | string, fields = {}) =>
  page(httpBlock(body, [...HEAD, `Content-Encoding: ${coding}`]), fields)
const behind = (head: string) => page(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), httpBlock('two')]))
const request = (fields = {}) =>
  warcRecord({
    fields: { 'WARC-Type': 'request', 'Content-Type': 'application/http; msgtype=request', ...fields },
    block: 'GET / HTTP/1.1\r\nhost: a.test\r\n\r\n',
  })
const longer = (bytes: number, ...rest: readonly Buffer[]) =>
  Buffer.concat([
    first,
    pageRecord('http://a.test/2', 'two', { fields: { 'Content-Length': String(httpBlock('two').length + bytes) } }),
    ...rest,
  ])
const withLineFeeds = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
const text = `<p>${Array.from({ length: 2000 }, (_, at) => `word${at * 7919}`).join(' ')}</p>`
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const brokenInside = (): Buffer => gzipSync(text).fill(0, 2000, 2040)
const TWO = 'http://a.test/2 200 two'
const TOO_LARGE = ' ! its `Content-Length` is too large'

/** Files of WARC with a quirk, by its name: what they hold, and the beginnings of what is read of them. */
const warcs: Readonly<Record<string, readonly [Buffer, readonly string[]]>> = {
  'a body in gzip that was truncated': [
    between(encoded('gzip', half(gzipSync(text)), { 'WARC-Truncated': 'length' })),
    [FIRST, 'http://a.test/2 200 <p>word0 word7919', LAST],
  ],
  'a body in brotli that was truncated': [
    between(encoded('br', half(brotliCompressSync(text)), { 'WARC-Truncated': 'length' })),
    [FIRST, 'http://a.test/2 200 <p>word0 word7919', LAST],
  ],
  'a body in gzip that is broken inside': [
    between(encoded('gzip', brokenInside())),
    [FIRST, 'broken: The body of the record could not be decoded', LAST],
  ],
  'a body in deflate without the head of zlib': [
    between(encoded('deflate', deflateRawSync('two'))),
    [FIRST, TWO, LAST],
  ],
  'two codings': [between(encoded('br, gzip', gzipSync(brotliCompressSync('two')))), [FIRST, TWO, LAST]],
  'a file that was decoded, and says that it is in gzip': [
    between(encoded('gzip', '%PDF\0\u0001\u0002')),
    [FIRST, 'http://a.test/2 200 %PDF\0\u0001\u0002', LAST],
  ],
  'a response behind 100': [between(behind('HTTP/1.1 100 Continue')), [FIRST, TWO, LAST]],
  'a response behind 103': [between(behind('HTTP/1.1 103 Early Hints\r\nLink: </a.css>')), [FIRST, TWO, LAST]],
  'a response behind that of a proxy': [between(behind('HTTP/1.1 200 Connection established')), [FIRST, TWO, LAST]],
  'a status line without a version': [
    between(page(httpBlock('two', ['HTTP 200 OK', 'Content-Type: text/html']))),
    [FIRST, TWO, LAST],
  ],
  'the record of a response as message/http': [
    between(page(httpBlock('two'), { 'Content-Type': 'message/http' })),
    [FIRST, TWO, LAST],
  ],
  'the record of a response with the type of the page, and a head': [
    between(page(httpBlock('two'), { 'Content-Type': 'text/html' })),
    [FIRST, TWO, LAST],
  ],
  'the record of a response with the type of the page, and no head': [
    between(page('two', { 'Content-Type': 'text/html' })),
    [FIRST, TWO, LAST],
  ],
  'a URL that is none': [
    between(page(httpBlock('two'), { 'WARC-Target-URI': 'http://a.test:99999/' })),
    [FIRST, 'broken: What the record has as its URL is none', LAST],
  ],
  'a 304': [between(page(httpBlock('', ['HTTP/1.1 304 Not Modified']))), [FIRST, 'skipped: NOT_MODIFIED', LAST]],
  'two requests for a response, and one without': [
    between(request(), request(), page(httpBlock('two')), request()),
    [FIRST, TWO, LAST],
  ],
  'line ends that a transfer has changed': [
    withLineFeeds(Buffer.concat([first, pageRecord('http://a.test/2', 'two'), last])),
    [`${FIRST}${TOO_LARGE}`, `${TWO}${TOO_LARGE}`, `${LAST} ! its block is cut short`],
  ],
  'a length that ends in the version of the next record': [longer(12, last), [FIRST, `${TWO}${TOO_LARGE}`, LAST]],
  'a length that ends at a line of the next record': [longer(4 + 10 + 24, last), [FIRST, `${TWO}${TOO_LARGE}`, LAST]],
  'a length that ends in the record after the next': [
    longer(4 + last.length + 20, last, pageRecord('http://a.test/3', 'three')),
    [FIRST, `${TWO}${TOO_LARGE}`, LAST, 'http://a.test/3 200 three'],
  ],
  'a length that ends behind the file': [longer(5000, last), [FIRST, `${TWO}${TOO_LARGE}`, LAST]],
  'a length that is too large, before WARC 0.18': [
    longer(150, Buffer.from(last.toString().replace('WARC/1.0', 'WARC/0.18'))),
    [FIRST, `${TWO}${TOO_LARGE}`, LAST],
  ],
  'a request whose length is too large': [
    Buffer.concat([first, request({ 'Content-Length': '150' }), page(httpBlock('two')), last]),
    [FIRST, 'broken: A record of type `request`: its `Content-Length` is too large', TWO, LAST],
  ],
  'a request whose length is too small': [
    Buffer.concat([first, request({ 'Content-Length': '5' }), page(httpBlock('two')), last]),
    [FIRST, 'broken: A record of type `request`: its `Content-Length` is too small', TWO, LAST],
  ],
  'a file that is cut within a request': [
    Buffer.concat([first, last, request().subarray(0, -12)]),
    [FIRST, LAST, 'broken: A record of type `request`: its block is cut short'],
  ],
  'a text that was joined, says that it is in chunks, and begins with a number': [
    between(
      page(httpBlock('42\nis it', ['HTTP/1.1 200 OK', 'Content-Type: text/plain', 'Transfer-Encoding: chunked'])),
    ),
    [FIRST, 'http://a.test/2 200 42\nis it ! it says that it is in chunks', LAST],
  ],
  'a file in zstd': [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1]), ['broken: The file is compressed by zstd']],
  'a file in zstd, behind its dictionary': [
    Buffer.from([0x5d, 0x2a, 0x4d, 0x18, 1]),
    ['broken: The file is compressed by zstd'],
  ],
  'a file in bzip2': [Buffer.from('BZh91AY'), ['broken: The file is compressed by bzip2']],
}

const arcLine = (line: string, body: string, length = httpBlock(body).length) =>
  Buffer.concat([Buffer.from(`${line} ${length}\n`), httpBlock(body), Buffer.from('\n')])
const nine = arcLine('http://a.test/9 1.2.3.4 20240506070809 text/html', '<p>last</p>')
const arc = (...lines: readonly Buffer[]) =>
  Buffer.concat([
    Buffer.from('filedesc://a.arc 0.0.0.0 20240506070809 text/plain 15\n1 0 InternetAr\n\n\n'),
    ...lines,
    nine,
  ])
const two = (line: string, length?: number) => arc(arcLine(line, 'two', length))

/** The same of ARC. */
const arcs: typeof warcs = {
  'a URL with a space': [
    two('http://a.test/a b 1.2.3.4 20240506070809 text/html'),
    ['http://a.test/a b 200 two', LAST],
  ],
  'a URL with a number': [
    two('http://a.test/a 20200101 b 1.2.3.4 20240506070809 text/html'),
    ['http://a.test/a 20200101 b 200 two', LAST],
  ],
  'a type with a charset': [two('http://a.test/2 1.2.3.4 20240506070809 text/html; charset=utf-8'), [TWO, LAST]],
  'a date with milliseconds': [two('http://a.test/2 1.2.3.4 20240506070809123 text/html'), [TWO, LAST]],
  'an address of IPv6': [two('http://a.test/2 2001:db8::1 20240506070809 text/html'), [TWO, LAST]],
  'version 2': [two('http://a.test/2 1.2.3.4 20240506070809 text/html 200 abc - 300 a.arc'), [TWO, LAST]],
  'a length that is too small': [
    two('http://a.test/2 1.2.3.4 20240506070809 text/html', 10),
    [`${TWO} ! its \`Content-Length\` is too small`, LAST],
  ],
  'a length that is too large': [
    two('http://a.test/2 1.2.3.4 20240506070809 text/html', 100),
    [`${TWO}${TOO_LARGE}`, LAST],
  ],
  'a response of DNS': [
    arc(Buffer.from('dns:a.test 1.2.3.4 20240506070809 text/dns 9\nA 1.2.3.4\n')),
    ['skipped: NOT_HTTP', LAST],
  ],
}

const har = (content: object, response = {}, method = 'GET') =>
  Buffer.from(
    JSON.stringify({
      log: {
        version: '1.2',
        entries: [
          {
            startedDateTime: '2024-05-06T09:08:09.123+02:00',
            request: { method, url: 'http://a.test/2', httpVersion: 'h2', headers: [{ name: ':path', value: '/2' }] },
            response: { status: 200, headers: [{ name: ':status', value: '200' }], content, ...response },
            timings: { send: 0, wait: 3, receive: -1 },
          },
        ],
      },
    }),
  )
const WITHOUT = 'broken: The file was saved without the bodies of responses'
const html = { mimeType: 'text/html', text: 'two' }

/** The same of HAR. */
const hars: typeof warcs = {
  'headers of HTTP/2': [har(html), [TWO]],
  'no text, and a size': [har({ size: 3 }), [WITHOUT]],
  'no text, and the size of what was received': [har({ size: 0 }, { bodySize: 500 }), [WITHOUT]],
  'no text, and a length in the headers': [
    har({ size: -1 }, { headers: [{ name: 'Content-Length', value: '500' }] }),
    [WITHOUT],
  ],
  'no text, and none was received': [har({ size: 0 }, { bodySize: 0 }), ['http://a.test/2 200 ']],
  'a text that was in the cache': [har(html, { status: 304 }), [TWO]],
  'a 304': [har({ size: 0 }, { status: 304 }), ['skipped: NOT_MODIFIED']],
  'the answer to a form': [har(html, {}, 'POST'), ['skipped: FILTER']],
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-quirks-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe.each(Object.entries({ WARC: warcs, ARC: arcs, HAR: hars }))('%s of other tools with a quirk', (_, files) => {
  test.each(Object.entries(files))('%s', async (_name, [bytes, expected]) => {
    const path = join(folder, 'quirk')
    await writeFile(path, bytes)
    for (const source of [path, inPieces(bytes, 7)]) {
      const seen = await describeEntries(source)
      expect(seen.map((one, at) => one.slice(0, expected[at]?.length))).toEqual(expected)
    }
  })
})

test('a body in zstd', async () => {
  const zstd = await readFile(join(import.meta.dirname, '../../site/encoded-page.html.zst'))
  const seen = await describeEntries(inPieces(between(encoded('zstd', zstd)), 1000))
  expect(seen[1]).toMatch(/^http:\/\/a\.test\/2 200 <!doctype html><title>Compressed/)
  expect(seen).toHaveLength(3)
})

test('a time without a zone is UTC, wherever it is read', () => {
  const noon = Date.UTC(2024, 4, 6, 7, 8, 9)
  for (const given of ['2024-05-06T07:08:09Z', '2024-05-06 07:08:09', '2024-05-06T07:08:09', '20240506070809'])
    expect(readTime(given), given).toBe(noon)
  expect(readTime('20240506070809123')).toBe(noon + 123)
  expect(readTime('2024-05-06T07:08:09.123456789Z')).toBe(noon + 123)
  expect(readTime('yesterday')).toBeUndefined()
})

/** Mirrored folders by their name: the texts of their files, and what is read of them; other files give nothing. */
const mirrors: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly read: readonly string[] }>
> = {
  'of wget': {
    files: {
      'a.test/index.html': 'home',
      'a.test/index.html?page=2': 'two',
      'a.test/rss?full': 'rss',
      'a.test/a%2Fb c.html': 'escaped',
      'a.test/x.html': 'links that were converted',
      'a.test/x.html.orig': 'as received',
      'a.test/p.php?a=1.html': 'query',
      'a.test/q@a=1': 'query of Windows',
      'a.test/me@home.html': 'name',
      'a.test+8080/p.html': 'port',
      'a.test/s.css?v=1': 'style',
      'a.test/robots.txt': 'rules',
      'notes.html': 'of nobody',
    },
    read: [
      'http://a.test/ 200 home',
      'http://a.test/?page=2 200 two',
      'http://a.test/rss?full 200 rss',
      'http://a.test/a%2Fb%20c.html 200 escaped',
      'http://a.test/x.html 200 as received',
      'http://a.test/p.php?a=1 200 query',
      'http://a.test/q?a=1 200 query of Windows',
      'http://a.test/me@home.html 200 name',
      'http://a.test:8080/p.html 200 port',
      'skipped: TYPE',
      'skipped: FILTER',
      'broken: The file is in no folder with the name of a host',
    ],
  },
  'a.test': {
    files: { 'index.html': 'home', 'docs/x.html': 'x', 'main.css': 'style' },
    read: ['http://a.test/ 200 home', 'http://a.test/docs/x.html 200 x', 'skipped: TYPE'],
  },
  'without hosts': {
    files: { 'index.html': 'home', 'docs/x.html': 'x' },
    read: Array.from({ length: 2 }, () => 'broken: The file is in no folder with the name of a host'),
  },
  'of HTTrack': {
    files: {
      'hts-cache/new.txt': 'log',
      'hts-log.txt': 'log',
      'index.html': 'list of copies',
      'a.test/indexd41d.html':
        "<!-- Mirrored from a.test/?p=2 by HTTrack Website Copier/3.x [XR&CO'2014], Mon, 06 May 2024 07:08:09 GMT -->",
      'localhost_8080/f.txt': 'file',
    },
    read: ['http://a.test/?p=2 200 <!-- Mirrored', 'http://localhost:8080/f.txt 200 file'],
  },
}

test.each(Object.entries(mirrors))(
  'the files of a mirrored folder have the URLs that they are from: %s',
  async (name, mirror) => {
    for (const [path, content] of Object.entries(mirror.files)) {
      const place = join(folder, name, path)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, content)
    }
    const seen = await describeEntries(join(folder, name), 'http')
    const expected = mirror.read.toSorted()
    expect(seen.toSorted().map((one, at) => one.slice(0, expected[at]?.length))).toEqual(expected)
  },
)
