import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeEntries, inPieces } from './describe-entries.js'
import { eachGzipped, httpBlock, infoRecord, pageRecord, warcRecord } from './make-warc.js'

const first = pageRecord('http://a.test/1', '<p>first</p>')
const last = pageRecord('http://a.test/9', '<p>last</p>')
const FIRST = 'http://a.test/1 200 <p>first</p>'
const LAST = 'http://a.test/9 200 <p>last</p>'
const between = (...middle: readonly Buffer[]): Buffer => Buffer.concat([infoRecord(), first, ...middle, last])
const gzBetween = (...middle: readonly Buffer[]): Buffer =>
  Buffer.concat([eachGzipped(infoRecord(), first), ...middle, eachGzipped(last)])
const page = (block: string | Buffer, fields = {}) =>
  warcRecord({ block, fields: { 'WARC-Target-URI': 'http://a.test/2', ...fields } })
const chunked = (head: string, ...lines: readonly string[]) =>
  page(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${head}\r\n\r\n${lines.join('')}`)
const CHUNKED = 'Transfer-Encoding: chunked'
const encoded = (coding: string, body: Buffer | string) =>
  page(httpBlock(body, ['HTTP/1.1 200 OK', 'Content-Type: text/html', `Content-Encoding: ${coding}`]))
const second = (text: string, more = '') => `http://a.test/2 200 ${text}${more}`
const broken = (reason: string) => `broken: ${reason}`
const damagedGzip = (): Buffer => {
  const member = gzipSync(pageRecord('http://a.test/2', `<p>${'many words '.repeat(300)}</p>`))
  member.fill(0xff, 30, 60)
  return member
}
const badChecksum = (): Buffer => {
  const member = gzipSync(pageRecord('http://a.test/2', 'two'))
  member.writeUInt32LE(7, member.length - 8)
  return member
}
const revisitOf = (
  url: string,
  fields: Record<string, string | undefined> = {},
  head = ['HTTP/1.1 200 OK', 'Content-Type: text/html'],
) =>
  warcRecord({
    block: httpBlock('', head),
    fields: {
      'WARC-Type': 'revisit',
      'WARC-Target-URI': url,
      'WARC-Date': '2025-01-01T00:00:00Z',
      'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
      ...fields,
    },
  })
const digest = { 'WARC-Payload-Digest': 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' }

/** Files with a quirk, by its name: what they hold, and what is read of them. */
const files: Readonly<Record<string, readonly [Buffer, readonly string[]]>> = {
  'a good file': [between(), [FIRST, LAST]],
  'a good file of WARC 1.1': [
    Buffer.concat([first, last].map((one) => Buffer.from(one.toString().replace('WARC/1.0', 'WARC/1.1')))),
    [FIRST, LAST],
  ],
  'a member for each record': [gzBetween(), [FIRST, LAST]],
  'one member for all records': [gzipSync(between()), [FIRST, LAST]],
  'a record over two members': [
    Buffer.concat([gzipSync(first.subarray(0, 100)), gzipSync(first.subarray(100)), gzipSync(last)]),
    [FIRST, LAST],
  ],
  'zeros behind the members': [Buffer.concat([gzBetween(), Buffer.alloc(512)]), [FIRST, LAST]],
  'garbage behind the members': [
    Buffer.concat([gzBetween(), Buffer.from('garbage')]),
    [FIRST, LAST, broken('The gzip member is followed by 7 bytes that are none')],
  ],
  'garbage between members': [
    gzBetween(Buffer.from('garbage')),
    [FIRST, broken('The gzip member is followed by 7 bytes that are none'), LAST],
  ],
  'a member of text without a line end': [
    gzBetween(gzipSync('x'.repeat(5000))),
    [FIRST, broken('What is here is no record of a WARC'), LAST],
  ],
  'a broken member': [gzBetween(damagedGzip()), [FIRST, broken('The gzip member is broken'), LAST]],
  'a wrong checksum': [
    gzBetween(badChecksum()),
    [FIRST, second('two', ' ! its gzip member has a wrong checksum'), LAST],
  ],
  'a file that is cut within a member': [
    Buffer.concat([gzBetween(), gzipSync(pageRecord('http://a.test/2', 'x'.repeat(50))).subarray(0, 60)]),
    [FIRST, LAST, broken('What is here is no record of a WARC'), broken('The gzip member is cut short')],
  ],
  'a file that is cut within a record': [
    between().subarray(0, -12),
    [FIRST, 'http://a.test/9 200 <p> ! its block is cut short by'],
  ],
  'no length': [
    between(pageRecord('http://a.test/2', 'two', { fields: { 'Content-Length': undefined } })),
    [FIRST, second('two', ' ! it has no `Content-Length`'), LAST],
  ],
  'no length in members': [
    gzBetween(gzipSync(pageRecord('http://a.test/2', 'two', { fields: { 'Content-Length': undefined } }))),
    [FIRST, second('two', ' ! it has no `Content-Length`'), LAST],
  ],
  'a length that is no number': [
    between(pageRecord('http://a.test/2', 'two', { fields: { 'Content-Length': 'many' } })),
    [FIRST, second('two', ' ! its `Content-Length` is no number'), LAST],
  ],
  'a length that is too small': [
    between(pageRecord('http://a.test/2', 'two two two', { fields: { 'Content-Length': '50' } })),
    [FIRST, second('two two two', ' ! its `Content-Length` is too small'), LAST],
  ],
  'a length that is too large': [
    Buffer.concat([first, pageRecord('http://a.test/2', 'two', { fields: { 'Content-Length': '150' } }), last]),
    [FIRST, second('two', ' ! its `Content-Length` is too large'), LAST],
  ],
  'a length that is too large in members': [
    gzBetween(gzipSync(pageRecord('http://a.test/2', 'two', { fields: { 'Content-Length': '150' } }))),
    [FIRST, second('two', ' ! its block ends'), LAST],
  ],
  'no line ends between records': [Buffer.concat([first.subarray(0, -4), last]), [FIRST, LAST]],
  'many line ends between records': [between(Buffer.from('\r\n\r\n\n\n\r\n')), [FIRST, LAST]],
  'text between records': [
    between(Buffer.from('these lines are\r\nno record\r\n')),
    [FIRST, broken('What is here is no record of a WARC'), LAST],
  ],
  'a head without an end': [
    Buffer.concat([first, Buffer.from('WARC/1.0\r\nnothing\r\n\r\n'), last]),
    [FIRST, broken('What is here is no record of a WARC'), LAST],
  ],
  'bare line feeds in the head of a record': [
    between(pageRecord('http://a.test/2', 'two', { eol: '\n' })),
    [FIRST, second('two'), LAST],
  ],
  'names in upper case': [
    between(
      Buffer.from(
        pageRecord('http://a.test/2', 'two')
          .toString()
          .replaceAll(/^[\w-]+(?=: )/gm, (name) => name.toUpperCase()),
      ),
    ),
    [FIRST, second('two'), LAST],
  ],
  'a folded field': [
    between(pageRecord('http://a.test/2', 'two', { fields: { 'WARC-Target-URI': '\r\n http://a.test/2' } })),
    [FIRST, second('two'), LAST],
  ],
  'a URL in angle brackets': [between(pageRecord('<http://a.test/2>', 'two')), [FIRST, second('two'), LAST]],
  'no URL': [
    between(pageRecord('http://a.test/2', 'two', { fields: { 'WARC-Target-URI': undefined } })),
    [FIRST, broken('The record has no `WARC-Target-URI`'), LAST],
  ],
  'a version in lower case': [
    between(page(httpBlock('two', ['http/1.0 200 ok', 'content-type: text/html']))),
    [FIRST, second('two'), LAST],
  ],
  'HTTP/2 in the status line': [
    between(page(httpBlock('two', ['HTTP/2 200', 'content-type: text/html']))),
    [FIRST, second('two'), LAST],
  ],
  'bare line feeds in the head of a response': [
    between(page(httpBlock('two', ['HTTP/1.1 200 OK', 'Content-Type: text/html'], '\n'))),
    [FIRST, second('two'), LAST],
  ],
  'a folded header': [
    between(page(httpBlock('two', ['HTTP/1.1 200 OK', 'Content-Type:', '\ttext/html']))),
    [FIRST, second('two'), LAST],
  ],
  'a head alone': [between(page('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n')), [FIRST, second(''), LAST]],
  'no head': [between(page('<p>two</p>')), [FIRST, broken('The record holds no response of HTTP'), LAST]],
  'a body in chunks': [
    between(chunked(CHUNKED, '3\r\ntwo\r\n', '4\r\n two\r\n', '0\r\n\r\n')),
    [FIRST, second('two two'), LAST],
  ],
  'a body that was joined, and says that it is chunked': [
    between(chunked(CHUNKED, '<p>two</p>')),
    [FIRST, second('<p>two</p>'), LAST],
  ],
  'chunks with extensions and bare line feeds': [
    between(chunked(CHUNKED, '3;a=b\ntwo\n', '4 \n two\n', '0\n\n')),
    [FIRST, second('two two'), LAST],
  ],
  'chunks without the last one': [
    between(chunked(CHUNKED, '3\r\ntwo\r\n')),
    [FIRST, second('two', ' ! its last chunk is missing'), LAST],
  ],
  'a chunk that is cut short': [
    between(chunked(CHUNKED, 'ff\r\ntwo')),
    [FIRST, second('two', ' ! its last chunk is cut short'), LAST],
  ],
  'chunks that break off': [
    between(chunked(CHUNKED, '3\r\ntwo\r\n', 'zz\r\n')),
    [FIRST, second('two', ' ! its chunks are broken after 8 bytes'), LAST],
  ],
  'a body in gzip': [between(encoded('gzip', gzipSync('two'))), [FIRST, second('two'), LAST]],
  'a body in brotli, in chunks': [
    between(
      page(
        Buffer.concat([
          httpBlock('', ['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Encoding: br', CHUNKED]),
          Buffer.from(`${brotliCompressSync('two').length.toString(16)}\r\n`),
          brotliCompressSync('two'),
          Buffer.from('\r\n0\r\n\r\n'),
        ]),
      ),
    ),
    [FIRST, second('two'), LAST],
  ],
  'a body that was decoded, and says that it is in gzip': [
    between(encoded('gzip', '<p>two</p>')),
    [FIRST, second('<p>two</p>'), LAST],
  ],
  'a body that was decoded, and says that it is in brotli': [
    between(encoded('br', '<p>two</p>')),
    [FIRST, second('<p>two</p>'), LAST],
  ],
  'a coding that was renamed': [
    between(page(httpBlock('two', ['HTTP/1.1 200 OK', 'Content-Type: text/html', 'X-Orig-Content-Encoding: gzip']))),
    [FIRST, second('two'), LAST],
  ],
  'a body with fewer bytes than stated': [
    between(page(httpBlock('two', ['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Length: 99']))),
    [FIRST, second('two', ' ! its body has 3 of 99 bytes'), LAST],
  ],
  'a payload that was truncated': [
    between(pageRecord('http://a.test/2', 'two', { fields: { 'WARC-Truncated': 'length' } })),
    [FIRST, second('two', ' ! it was cut when it was archived (length)'), LAST],
  ],
  'requests and metadata between': [
    between(
      warcRecord({
        fields: { 'WARC-Type': 'request', 'Content-Type': 'application/http; msgtype=request' },
        block: 'GET / HTTP/1.1\r\n\r\n',
      }),
      warcRecord({
        fields: { 'WARC-Type': 'metadata', 'Content-Type': 'application/warc-fields' },
        block: 'fetchTimeMs: 3\r\n',
      }),
    ),
    [FIRST, LAST],
  ],
  'a type that nobody knows': [between(warcRecord({ fields: { 'WARC-Type': 'surprise' }, block: 'x' })), [FIRST, LAST]],
  'conversions and continuations': [
    between(
      warcRecord({ fields: { 'WARC-Type': 'conversion', 'Content-Type': 'text/plain' }, block: 'text' }),
      warcRecord({ fields: { 'WARC-Type': 'continuation' }, block: 'rest' }),
    ),
    [FIRST, 'skipped: CONVERSION', 'skipped: CONTINUATION', LAST],
  ],
  'a resource': [
    between(
      warcRecord({
        fields: { 'WARC-Type': 'resource', 'WARC-Target-URI': 'http://a.test/2', 'Content-Type': 'text/html' },
        block: 'two',
      }),
    ),
    [FIRST, second('two'), LAST],
  ],
  'a response of DNS': [
    between(
      warcRecord({
        fields: { 'WARC-Target-URI': 'dns:a.test', 'Content-Type': 'text/dns' },
        block: 'a.test 1 IN A 1.2.3.4',
      }),
    ),
    [FIRST, 'skipped: NOT_HTTP', LAST],
  ],
  'a revisit by its digest': [
    Buffer.concat([
      pageRecord('http://a.test/1', 'one', { fields: digest }),
      revisitOf('http://a.test/2', digest),
      last,
    ]),
    ['http://a.test/1 200 one', LAST, second('one')],
  ],
  'a revisit before its original': [
    Buffer.concat([
      revisitOf('http://a.test/2', digest),
      pageRecord('http://a.test/1', 'one', { fields: digest }),
      last,
    ]),
    ['http://a.test/1 200 one', LAST, second('one')],
  ],
  'a revisit by URL and date, after 304': [
    Buffer.concat([
      first,
      last,
      revisitOf(
        'http://a.test/1',
        { 'WARC-Refers-To-Target-URI': 'http://a.test/1', 'WARC-Refers-To-Date': '2024-05-06T07:08:09Z' },
        ['HTTP/1.1 304 Not Modified'],
      ),
    ]),
    [FIRST, LAST, FIRST],
  ],
  'a revisit without its original': [
    between(revisitOf('http://a.test/2', digest)),
    [FIRST, LAST, broken('The record that has the body of this revisit record is not in the archive')],
  ],
  'a revisit that says nothing of its original': [
    between(revisitOf('http://a.test/2')),
    [FIRST, broken('The revisit record does not say which record has its body'), LAST],
  ],
  'a redirect, a picture and robots.txt': [
    between(
      page(httpBlock('', ['HTTP/1.1 301 Moved', 'Location: /3'])),
      page(httpBlock('GIF89a', ['HTTP/1.1 200 OK', 'Content-Type: image/gif'])),
      pageRecord('http://a.test/robots.txt', 'User-agent: *'),
    ),
    [FIRST, 'skipped: REDIRECT', 'skipped: TYPE', 'skipped: FILTER', LAST],
  ],
  'an ARC': [
    Buffer.from(
      'filedesc://a.arc 0.0.0.0 20240506070809 text/plain 15\n1 0 InternetAr\n\n\n' +
        `http://a.test/1 1.2.3.4 20240506070809 text/html ${httpBlock('<p>first</p>').length}\n${httpBlock('<p>first</p>').toString()}\n` +
        `http://a.test/9 1.2.3.4 20240506070809 text/html ${httpBlock('<p>last</p>').length}\n${httpBlock('<p>last</p>').toString()}\n`,
    ),
    [FIRST, LAST],
  ],
  'an empty file': [Buffer.alloc(0), []],
  'a file of text': [
    Buffer.from('Dear reader,\n\nthis is no archive.\n'),
    [broken('What is here is no record of a WARC')],
  ],
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-archive-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('an archive with a quirk is read to its end, and says what is wrong', () => {
  test.each(Object.keys(files))('%s', async (name) => {
    const [bytes, expected] = files[name] ?? [Buffer.alloc(0), []]
    const path = join(folder, 'quirk.warc')
    await writeFile(path, bytes)
    const seen = await describeEntries(path)
    expect(seen).toHaveLength(expected.length)
    for (const [index, text] of expected.entries())
      if (/^broken|!/.test(text)) expect(seen[index]).toContain(text)
      else expect(seen[index]).toBe(text)
    // A revisit has its body elsewhere, which a stream does not show again.
    if (!name.startsWith('a revisit')) expect(await describeEntries(inPieces(bytes, 7))).toEqual(seen.map((one) => one))
  })
})

/** Where the members of an archive are damaged: of 6 records, the second; all of its bytes where members meet, and some of the others. */
const places = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at).filter(
    (at) => at < from + 24 || at > to - 40 || (at - from) % 12 === 0,
  )

test('no byte of an archive that is changed or cut out loses the rest of it', async () => {
  const members = Array.from({ length: 6 }, (_, number) =>
    eachGzipped(pageRecord(`http://a.test/${number}`, `page ${number} `.repeat(40))),
  )
  const good = Buffer.concat(members)
  const from = members[0]?.length ?? 0
  const damaged: [string, Buffer, number][] = []
  for (const at of places(from, from + (members[1]?.length ?? 0) + 20)) {
    for (const bits of [1, 4, 16, 255]) {
      const bytes = Buffer.from(good)
      bytes[at] = (bytes[at] ?? 0) ^ bits
      damaged.push([`byte ${at} with the bits ${bits}`, bytes, 5])
    }
    for (const length of [1, 17, 30])
      damaged.push([
        `${length} bytes from ${at}`,
        Buffer.concat([good.subarray(0, at), good.subarray(at + length)]),
        // The bytes may be those of two.
        4,
      ])
  }
  for (const [what, bytes, least] of damaged) {
    const seen = await describeEntries(inPieces(bytes, 1000))
    const whole = seen.filter((one) => /^http:\/\/a\.test\/(\d+) 200 (?:page \1 )+$/.test(one))
    expect(whole.length, what).toBeGreaterThanOrEqual(least)
    // What is lost is said, and no page has the text of another.
    if (whole.length < 6) expect(seen.length, what).toBeGreaterThan(whole.length)
    for (const one of seen) expect(one, what).not.toMatch(/^http:\/\/a\.test\/(\d+) 200 (?!page \1)page \d/)
  }
}, 120_000)
