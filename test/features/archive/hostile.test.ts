import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine, replay } from '../../../src/index.js'
import { ZipWriter } from '../../../src/features/archive/write/zip-writer.js'
import { eachGzipped, infoRecord, pageRecord, warcRecord } from './make-warc.js'
import { open } from 'node:fs/promises'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-hostile-'))
})
afterAll(() => rm(folder, { recursive: true }))

const base = { allowPrivateNetworks: true, cache: false, threads: 0, fetcher: 'http' } as const
const MB = 1_000_000
const info = infoRecord()
const page = pageRecord('http://a.test/', '<title>page</title><p>text')

/** Files of millions of small things, each of which is to cost little: with one turn of the loop for each, they took minutes. */
const floods: Readonly<Record<string, () => Buffer>> = {
  'empty lines': () => Buffer.concat([info, Buffer.alloc(20 * MB, '\n'), page]),
  'empty lines, compressed': () =>
    Buffer.concat([gzipSync(info), gzipSync(Buffer.alloc(20 * MB, '\n')), gzipSync(page)]),
  'lines of text': () => Buffer.concat([info, Buffer.alloc(10 * MB, 'a\n'), page]),
  'lines that look like a start': () =>
    Buffer.concat([info, Buffer.alloc(4 * MB, 'WARC/1.0\n'), Buffer.from('\n'), page]),
  'lines of text of an ARC': () =>
    Buffer.concat([
      Buffer.from('filedesc://x.arc 0.0.0.0 20240506070809 text/plain 2\n1\n\n'),
      Buffer.alloc(4 * MB, 'ab\n'),
    ]),
  'small records': () =>
    Buffer.concat([
      info,
      Buffer.alloc(4 * MB - ((4 * MB) % 47), 'WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 0\r\n\r\n\r\n'),
      page,
    ]),
  'empty members': () => Buffer.concat([gzipSync(info), repeat(gzipSync(''), 4 * MB), gzipSync(page)]),
  'members of a byte': () => Buffer.concat([gzipSync(info), repeat(gzipSync('x'), 2 * MB), gzipSync(page)]),
  'a head in members of a byte': () =>
    Buffer.concat([gzipSync(info), gzipSync('WARC/1.0\r\nWARC-Type: '), repeat(gzipSync('x'), 2 * MB), gzipSync(page)]),
  'signatures of members': () =>
    Buffer.concat([gzipSync(info), repeat(gzipSync('').subarray(0, 10), MB / 5), gzipSync(page)]),
  'chunks of a byte': () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n'
    const block = Buffer.concat([
      Buffer.from(head),
      repeat(Buffer.from('1\r\nx\r\n'), 6 * MB),
      Buffer.from('0\r\n\r\n'),
    ])
    return Buffer.concat([info, pageRecord('http://a.test/chunks', '', { block }), page])
  },
  'lengths that are too large': () => {
    const record = 'WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 5000000\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n'
    return Buffer.concat([info, repeat(Buffer.from(record), record.length * 2000), Buffer.alloc(6 * MB, 'z')])
  },
  'a line that is continued': () => {
    const line = Buffer.from(` ${'y'.repeat(60_000)}\r\n`)
    const head = Buffer.from('WARC/1.0\r\nWARC-Type: x\r\n')
    return gzipSync(Buffer.concat([info, head, repeat(line, 900 * line.length), Buffer.from('\r\n\r\n'), page]))
  },
}

const repeat = (what: Buffer, bytes: number): Buffer => Buffer.alloc(bytes - (bytes % what.length), what)

test.each(Object.entries(floods))('a flood of small parts is read to its end: %s', async (name, make) => {
  await using engine = createEngine(base)
  const run = engine.archive(make())
  let last: string | undefined
  for await (const one of run.outcomes()) last = one.outcome === 'done' ? one.document.metadata.title : one.message
  expect(run.status().state).toBe('completed')
  // Behind what is no record, the page is found; an ARC, and a file whose lengths are wrong, have none.
  if (!/ARC|lengths/.test(name)) expect(last).toBe('page')
})

/** Makes a zip of entries by their names. */
async function makeZip(name: string, entries: Readonly<Record<string, Buffer>>): Promise<string> {
  const path = join(folder, name)
  const zip = new ZipWriter(await open(path, 'w'), new Date(0))
  for (const [entry, bytes] of Object.entries(entries)) await zip.add(entry, bytes)
  await zip.end()
  return path
}

test('entries of a WACZ are read and never unpacked, wherever their names lead', async () => {
  const record = (at: number) => eachGzipped(info, pageRecord(`http://a.test/${at}`, `<title>t${at}</title><p>text`))
  const names = [
    '../../up.warc.gz',
    '/tmp/absolute.warc.gz',
    '..\\..\\back.warc.gz',
    'archive/\0zero.warc.gz',
    'CON.warc.gz',
  ]
  const path = await makeZip('up.wacz', Object.fromEntries(names.map((name, at) => [name, record(at)])))
  const before = await readdir(folder)
  await using engine = createEngine(base)
  const read: (string | undefined)[] = []
  for await (const { metadata } of engine.archive(path)) read.push(metadata.title)
  expect(read.map(String).toSorted()).toEqual(['t0', 't1', 't2', 't3', 't4'])
  await using again = createEngine({ ...base, archive: path })
  await again.batchScrape({ urls: ['http://127.0.0.1:9/'] }).finished()
  await again.close()
  expect(await readdir(folder)).toEqual(before)
  const kept: (string | undefined)[] = []
  for await (const { metadata } of engine.archive(path)) kept.push(metadata.title)
  expect(kept.map(String).toSorted()).toEqual(['t0', 't1', 't2', 't3', 't4'])
})

test('a directory of a zip that lies about places and sizes is an error or a broken record', async () => {
  const path = await makeZip('lies.wacz', { 'archive/a.warc.gz': eachGzipped(info, page) })
  const file = await open(path, 'r+')
  const bytes = await file.readFile()
  const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  for (const [place, value] of [
    [46 + 17 + 12, 2n ** 62n],
    [46 + 17 + 20, 2n ** 62n],
    [46 + 17 + 12, 0n],
  ] as const) {
    const lie = Buffer.from(bytes)
    lie.writeBigUInt64LE(value, at + place)
    await writeFile(path, lie)
    await using engine = createEngine(base)
    const seen: string[] = []
    const reading = async (): Promise<void> => {
      for await (const one of engine.archive(path).outcomes()) seen.push(one.outcome)
    }
    await reading().catch((error: unknown) => seen.push(String(error)))
    expect(seen.every((one) => !one.includes('done') || value > 0n)).toBe(true)
  }
  await file.close()
})

const facts = {
  url: 'http://a.test/',
  mime: 'text/html',
  status: '200',
  digest: '',
  length: '10',
  filename: 'index.warc.gz',
}
const lines: Readonly<Record<string, string>> = {
  'a line of 8 MB': `a)/ 2024 ${JSON.stringify({ ...facts, offset: '0', digest: 'y'.repeat(8 * MB) })}\n`,
  'a place that is none': `a)/ 2024 ${JSON.stringify({ ...facts, offset: '-5' })}\n`,
  'a place behind the end': `a)/ 2024 ${JSON.stringify({ ...facts, offset: '99999999' })}\n`,
  'no JSON': 'a)/ 2024 {\n',
  'a name of Object': 'a)/ 2024 {"__proto__":{"url":"http://a.test/"}}\n',
  'no line end': 'z'.repeat(8 * MB),
}

test.each(Object.entries(lines))('an index beside a file that cannot be trusted is made again: %s', async (_, text) => {
  const path = join(folder, 'index.warc.gz')
  await writeFile(path, eachGzipped(info, page))
  await writeFile(`${path}.cdxj`, text)
  await using engine = createEngine({ ...base, fetcher: replay(path) })
  expect((await engine.scrape('http://a.test/')).metadata.title).toBe('page')
})

test('an index that leads to the record of another URL is not believed', async () => {
  const path = join(folder, 'other.warc')
  await writeFile(path, Buffer.concat([info, warcRecord({ fields: { 'WARC-Target-URI': 'http://evil.test/' } })]))
  const offset = String(info.length)
  await writeFile(
    `${path}.cdxj`,
    `bank)/ 2024 ${JSON.stringify({ ...facts, url: 'http://bank.test/', offset, filename: 'other.warc' })}\n`,
  )
  await using engine = createEngine({ ...base, fetcher: replay(path) })
  await expect(engine.scrape('http://bank.test/')).rejects.toThrow('leads to no record of this URL')
})
