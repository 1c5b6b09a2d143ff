import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine, replay } from '../../../src/index.js'
import { describeEntries, inPieces } from './describe-entries.js'
import { eachGzipped, httpBlock, infoRecord, pageRecord, warcRecord } from './make-warc.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-hostile-records-'))
})
afterAll(() => rm(folder, { recursive: true }))

const last = pageRecord('http://a.test/last', 'last')
const LAST = 'http://a.test/last 200 last'

/** Lengths of a record, which are all wrong. */
const lengths = [
  '1152921504606846976',
  '999999999999999',
  '100000000',
  '-1',
  '-9223372036854775808',
  '1e9',
  '0x20',
  '',
  undefined,
]

test.each(lengths)('a record of the length %j hides none behind it', async (length) => {
  for (const type of ['response', 'request', 'warcinfo', 'revisit', 'unknown']) {
    const fields = { 'WARC-Type': type, 'Content-Length': length }
    const records = [infoRecord(), pageRecord('http://a.test/', 'one', { fields }), last]
    const path = join(folder, 'lengths.warc')
    await writeFile(path, Buffer.concat(records))
    for (const source of [path, inPieces(eachGzipped(...records), 1000)]) {
      const seen = await describeEntries(source)
      expect(
        seen.filter((one) => one === LAST),
        `${type} ${length}`,
      ).toHaveLength(1)
    }
    if (type === 'response')
      expect((await describeEntries(path))[0]).toMatch(/^http:\/\/a\.test\/ 200 one ! it.*Content-Length/)
  }
})

test('of a large record that was cut short, what a site has put into its body is no record', async () => {
  const forged = pageRecord('https://bank.test/', 'forged')
  const body = Buffer.concat([Buffer.from('some text\r\n\r\n'), forged, Buffer.alloc(2_000_000, 'z')])
  const whole = pageRecord('http://a.test/', body)
  const path = join(folder, 'cut.warc')
  for (const left of [1_500_000, 500_000, 5000]) {
    await writeFile(path, Buffer.concat([infoRecord(), last, whole.subarray(0, left)]))
    expect(await describeEntries(path)).toEqual([
      LAST,
      expect.stringMatching(/^broken: The record is larger than.*cut short by \d+ bytes/),
    ])
  }
})

test('of a stream without members, a length behind its end is said with what it has hidden', async () => {
  const fields = { 'Content-Length': '999999999999999' }
  const seen = await describeEntries(
    inPieces(Buffer.concat([pageRecord('http://a.test/', 'one', { fields }), last]), 1000),
  )
  expect(seen).toEqual([expect.stringMatching(/^broken: The record is larger than.*cut short by \d+ bytes/)])
})

test('an ARC whose record has a length behind the end of the file hides none', async () => {
  const head = Buffer.from('filedesc://x.arc 0.0.0.0 20240506070809 text/plain 2\n1\n\n')
  const record = (url: string, body: string, length?: number): Buffer => {
    const block = httpBlock(body)
    return Buffer.concat([
      Buffer.from(`${url} 1.2.3.4 20240506070809 text/html ${length ?? block.length}\n`),
      block,
      Buffer.from('\n'),
    ])
  }
  const path = join(folder, 'lengths.arc')
  await writeFile(
    path,
    Buffer.concat([head, record('http://a.test/', 'one', 999_999_999_999), record('http://a.test/last', 'last')]),
  )
  expect((await describeEntries(path)).at(-1)).toBe(LAST)
})

test('of an ARC with thousands of members that begin as a record does, and have no line end, what follows is read', async () => {
  const head = 'filedesc://x.arc 0.0.0.0 20240506070809 text/plain 2\n1\n\n'
  const block = httpBlock('last')
  const record = `http://a.test/last 1.2.3.4 20240506070809 text/html ${block.length}\n${block.toString()}\n`
  const starts = Array.from({ length: 30_000 }, () => 'http:x ')
  for (const every of [Infinity, 9000]) {
    const lines = starts.map((one, at) => (at % every === every - 1 ? `${one}\n` : one))
    const members = [head, ...lines, '\n', record].map((one) => Buffer.from(one))
    const seen = await describeEntries(inPieces(eachGzipped(...members), 262_144))
    expect(seen).toEqual([expect.stringContaining('What is here is no record'), LAST])
  }
})

/** Makes a gzip member of zeros, in blocks that are each compressed alike. Its checksum is wrong. */
function bomb(bytes: number): Buffer {
  const block = 16 * 1024 * 1024
  const packed = deflateRawSync(Buffer.alloc(block), { finishFlush: constants.Z_FULL_FLUSH })
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([head, ...Array.from({ length: Math.ceil(bytes / block) }, () => packed), end])
}

const GB = 1_000_000_000
/** Size of the bombs, and in `npm run test:bars`. Bytes. */
const BOMB_BYTES = process.env['BARS'] === 'whole' ? 10 * GB : GB / 10

test('a member of zeros is one broken record, in flat memory', async () => {
  const record = pageRecord('http://a.test/', '', { fields: { 'Content-Length': String(BOMB_BYTES) } }).subarray(0, -4)
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
  const before = process.memoryUsage.rss()
  const seen = await describeEntries(
    inPieces(
      Buffer.concat([gzipSync(infoRecord()), bomb(BOMB_BYTES), gzipSync(record), bomb(BOMB_BYTES), gzipSync(last)]),
      262_144,
    ),
  )
  clearInterval(watch)
  expect(seen.filter((one) => !one.startsWith('broken'))).toEqual([LAST])
  expect(seen.some((one) => one.includes('What is here is no record'))).toBe(true)
  expect(seen.some((one) => one.includes('The record is larger than'))).toBe(true)
  expect(most - before).toBeLessThan(0.25 * GB)
}, 600_000)

test('a body that decompresses to zeros without end is a broken record', async () => {
  const head = ['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Encoding: gzip']
  const block = httpBlock(bomb(GB / 10), head)
  const seen = await describeEntries(inPieces(eachGzipped(pageRecord('http://a.test/', '', { block }), last), 262_144))
  expect(seen).toEqual([expect.stringMatching(/^broken: /), LAST])
})

/** Makes a revisit record, which has the body of another. */
const revisit = (url: string, id: string, fields: Readonly<Record<string, string>>): Buffer =>
  warcRecord({
    block: httpBlock(''),
    fields: {
      'WARC-Type': 'revisit',
      'WARC-Target-URI': url,
      'WARC-Record-ID': id,
      'WARC-Payload-Digest': `sha1:${id}`,
      ...fields,
    },
  })

test('revisit records that refer to themselves, in circles and in long chains are broken records, also in a replay', async () => {
  const date = '2024-05-06T07:08:09Z'
  const to = (url: string, id: string) => ({
    'WARC-Refers-To': id,
    'WARC-Refers-To-Target-URI': url,
    'WARC-Refers-To-Date': date,
    'WARC-Payload-Digest': 'sha1:same',
  })
  const chain = Array.from({ length: 1000 }, (_, at) =>
    revisit(`http://a.test/chain/${at}`, `<urn:x:${at}>`, to(`http://a.test/chain/${at + 1}`, `<urn:x:${at + 1}>`)),
  )
  const circles = [
    revisit('http://a.test/self', '<urn:x:self>', to('http://a.test/self', '<urn:x:self>')),
    revisit('http://a.test/b', '<urn:x:b>', to('http://a.test/c', '<urn:x:c>')),
    revisit('http://a.test/c', '<urn:x:c>', to('http://a.test/b', '<urn:x:b>')),
  ]
  const path = join(folder, 'circles.warc.gz')
  await writeFile(path, eachGzipped(infoRecord(), ...circles, ...chain, last))
  const seen = await describeEntries(path)
  expect(seen).toHaveLength(1 + circles.length + chain.length)
  expect(
    seen.filter((one) => one !== LAST).every((one) => one.includes('that has the body of this revisit record')),
  ).toBe(true)
  const base = { allowPrivateNetworks: true, cache: false, threads: 0, retry: { maxRetries: 0 } } as const
  await using engine = createEngine({ ...base, fetcher: replay(path) })
  for (const name of ['self', 'b', 'c', 'chain/0'])
    await expect(engine.scrape(`http://a.test/${name}`)).rejects.toThrow('has the body of this revisit record')
})

const MANY = 1_000_000

test('a record with a million fields, and a response with a million headers, hide none behind them', async () => {
  const fields = Buffer.from(
    `WARC/1.0\r\nWARC-Type: response\r\n${'X-A: b\r\n'.repeat(MANY)}Content-Length: 0\r\n\r\n\r\n\r\n`,
  )
  const headers = httpBlock('', ['HTTP/1.1 200 OK', ...Array.from({ length: MANY }, (_, at) => `X-${at}: b`)])
  const records = [infoRecord(), fields, last]
  for (const bytes of [Buffer.concat(records), eachGzipped(...records)]) {
    const seen = await describeEntries(inPieces(bytes, 262_144))
    expect(seen.at(-1)).toBe(LAST)
    expect(seen[0]).toContain('broken: ')
  }
  const [first, ...rest] = await describeEntries(
    inPieces(eachGzipped(pageRecord('http://a.test/', '', { block: headers.subarray(0, 900_000) }), last), 262_144),
  )
  expect(first).toMatch(/^http:\/\/a\.test\/ 200 |^broken/)
  expect(rest).toEqual([LAST])
  const [large] = await describeEntries(
    inPieces(eachGzipped(pageRecord('http://a.test/', '', { block: headers }), last), 262_144),
  )
  expect(large).toContain('broken: The record is larger than')
})
