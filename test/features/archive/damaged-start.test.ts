import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipWriter } from '../../../src/features/archive/write/zip-writer.js'
import { describeEntries, inPieces } from './describe-entries.js'
import { eachGzipped, httpBlock, pageRecord } from './make-warc.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-damaged-start-'))
})
afterAll(() => rm(folder, { recursive: true }))

const COUNT = 4
const pages = Array.from({ length: COUNT }, (_, at) => pageRecord(`http://a.test/${at}`, `page ${at}`))

/** Writes a byte in the place of the first ones. */
const damage = (bytes: Buffer, count: number, byte: number): Buffer =>
  Buffer.concat([Buffer.alloc(count, byte), bytes.subarray(count)])

/** Returns the numbers of the pages that are read whole. */
const readWhole = (seen: readonly string[]): number[] =>
  seen.flatMap((one) => {
    const [, at] = /^http:\/\/a\.test\/(\d) 200 page \1$/.exec(one) ?? []
    return at === undefined ? [] : [Number(at)]
  })

const ALL = [0, 1, 2, 3]

test('the signature of a gzip file is mended, and of one that is damaged further, the first member is lost and said', async () => {
  for (const bytes of [eachGzipped(...pages), gzipSync(Buffer.concat(pages))])
    for (const count of [1, 2])
      for (const byte of [0, 10, 0x1f, 255])
        expect(readWhole(await describeEntries(inPieces(damage(bytes, count, byte), 7)))).toEqual(ALL)
  for (const count of [3, 4, 10, 30])
    for (const byte of [0, 10, 255]) {
      const seen = await describeEntries(inPieces(damage(eachGzipped(...pages), count, byte), 1000))
      expect(readWhole(seen)).toEqual([1, 2, 3])
      expect(seen[0]).toContain('broken: ')
    }
  // By chance, what is left of the first member begins as JSON does.
  const braced = damage(eachGzipped(...pages), 30, 10)
  braced.write('{(', 30, 'latin1')
  expect(readWhole(await describeEntries(inPieces(braced, 1000)))).toEqual([1, 2, 3])
})

test('of a plain file whose first bytes are damaged, the first record is lost and said', async () => {
  for (const count of [1, 2, 40])
    for (const byte of [0, 10, 255]) {
      const seen = await describeEntries(inPieces(damage(Buffer.concat(pages), count, byte), 1000))
      expect(readWhole(seen)).toEqual([1, 2, 3])
      expect(seen[0]).toContain('broken: ')
    }
  // Bytes of gzip within a record make no gzip file of a plain one.
  const gzip = pageRecord('http://a.test/file', gzipSync('x'), { fields: { 'Content-Type': undefined } })
  const plain = damage(Buffer.concat([gzip, ...pages]), 2, 0)
  expect(readWhole(await describeEntries(inPieces(plain, 1000)))).toEqual(ALL)
})

test('of a plain file whose first bytes are damaged, a gzip file that a site has served is not read as the archive', async () => {
  const forged = gzipSync(pageRecord('https://bank.test/', 'forged'))
  const head = ['HTTP/1.1 200 OK', 'Content-Type: application/gzip']
  const block = httpBlock(Buffer.concat([forged, Buffer.alloc(300_000, 65)]), head)
  const warc = Buffer.concat([pageRecord('http://a.test/file', '', { block }), ...pages])
  const arc = Buffer.concat([
    Buffer.from('filedesc://x.arc 0.0.0.0 20240506070809 text/plain 2\n1\n\n'),
    Buffer.from(`http://a.test/file 1.2.3.4 20240506070809 application/gzip ${block.length}\n`),
    block,
  ])
  const flipped = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)])
  for (const bytes of [flipped(warc), damage(warc, 1, 0), damage(warc, 40, 255)]) {
    const path = join(folder, 'flipped.warc')
    await writeFile(path, bytes)
    for (const source of [path, inPieces(bytes, 1000), inPieces(bytes, 262_144)]) {
      const seen = await describeEntries(source)
      expect(seen.join('\n')).not.toContain('bank.test')
      expect(readWhole(seen)).toEqual(ALL)
    }
  }
  // Its name tells a plain file, also if nothing of its first head is left.
  const path = join(folder, 'lost.warc')
  await writeFile(path, damage(warc, warc.indexOf(forged), 0))
  expect(readWhole(await describeEntries(path))).toEqual(ALL)
  for (const bytes of [flipped(arc), damage(arc, 1, 0), damage(arc, 20, 0)])
    expect((await describeEntries(inPieces(bytes, 1000))).join('\n')).not.toContain('bank.test')
})

test('a HAR and a WACZ whose first bytes are damaged are told by their names', async () => {
  const har = join(folder, 'x.har')
  const entry = (at: number) => ({
    request: { method: 'GET', url: `http://a.test/${at}` },
    response: { status: 200, headers: [], content: { mimeType: 'text/html', text: `page ${at}` } },
  })
  await writeFile(har, damage(Buffer.from(JSON.stringify({ log: { entries: ALL.map(entry) } })), 2, 0))
  expect(readWhole(await describeEntries(har))).toEqual(ALL)
  const wacz = join(folder, 'x.wacz')
  const zip = new ZipWriter(await open(wacz, 'w'), new Date(0))
  await zip.add('archive/data.warc.gz', eachGzipped(...pages))
  await zip.end()
  await writeFile(wacz, damage(await readFile(wacz), 2, 0))
  expect(readWhole(await describeEntries(wacz))).toEqual(ALL)
})
