import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listIndex } from '../../../src/features/archive/read/read-index.js'
import { ArchiveFile } from '../../../src/features/archive/write/archive-file.js'
import { describeEntries, inPieces } from './describe-entries.js'
import { eachGzipped, pageRecord } from './make-warc.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-hidden-members-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Makes bytes that cannot be compressed, the same in each run. */
const noise = (length: number, seed: string): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, at) => createHash('sha256').update(`${seed}${at}`).digest()),
  )

const forged = gzipSync(pageRecord('https://bank.example/', 'FORGED'))
/** A response of a site that has the record of another one in it, compressed; so far apart that deflate does not tell them to be the same. */
const served = (lead: number): Buffer => {
  const parts = Array.from({ length: 4 }, (_, at) => [noise(at === 0 ? lead : 33_000, `${at}`), forged])
  return pageRecord('https://evil.example/', Buffer.concat([...parts.flat(), noise(33_000, 'end')]))
}
const first = eachGzipped(pageRecord('http://a.test/1', '<p>first</p>'))
const last = eachGzipped(pageRecord('http://a.test/9', '<p>last</p>'))

const cut = (member: Buffer): Buffer => member.subarray(0, member.length - 20)
const unsummed = (member: Buffer): Buffer => {
  const bytes = Buffer.from(member)
  bytes[bytes.length - 8] = (bytes[bytes.length - 8] ?? 0) ^ 1
  return bytes
}
/** Breaks the last block, behind all that is forged: that has no such type. */
const misblocked = (): Buffer => {
  return Buffer.concat([
    gzipSync('').subarray(0, 10),
    storedBlock(served(40_000).subarray(0, 60_000)),
    Buffer.alloc(40, 7),
  ])
}
const storedBlock = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xffff - bytes.length, 3)
  return Buffer.concat([head, bytes])
}

const damaged: Readonly<Record<string, Buffer>> = {
  'cut short': cut(gzipSync(served(40_000), { level: 3 })),
  'cut short, with a block that ends in what is forged': cut(gzipSync(served(65_535 - 400), { level: 6 })),
  'with a wrong checksum': unsummed(gzipSync(served(40_000), { level: 3 })),
  'with a broken block': misblocked(),
}

test.each(Object.keys(damaged))('no record comes out of the content of another one: a member %s', async (name) => {
  const member = damaged[name] ?? Buffer.alloc(0)
  expect(member.includes(forged)).toBe(true)
  for (const rest of [Buffer.alloc(0), last]) {
    const bytes = Buffer.concat([first, member, rest])
    const seen = await describeEntries(inPieces(bytes, 65_536))
    expect(seen[0]).toBe('http://a.test/1 200 <p>first</p>')
    expect(seen.filter((one) => one.startsWith('https://bank.example/'))).toEqual([])
    // In a block that is cut short, what follows cannot be told from its content.
    if (rest.length > 0 && !name.startsWith('cut')) expect(seen.at(-1)).toBe('http://a.test/9 200 <p>last</p>')
  }
})

test('a record that is torn over what is forged is cut off, and the index has neither', async () => {
  const path = join(folder, 'torn.warc.gz')
  await writeFile(path, Buffer.concat([first, damaged['cut short'] ?? Buffer.alloc(0)]))
  const file = await ArchiveFile.open(path)
  await file.close()
  expect((await stat(path)).size).toBe(first.length)
  expect((await listIndex(path)).map(({ url }) => url)).toEqual(['http://a.test/1'])
})

test('the index has no record whose member is cut by the next one, and has that one', async () => {
  const path = join(folder, 'between.warc.gz')
  const torn = gzipSync(pageRecord('http://a.test/2', 'many words '.repeat(300) + noise(600, 'b').toString('hex')))
  await writeFile(path, Buffer.concat([first, torn.subarray(0, 400), last]))
  expect((await describeEntries(path)).at(-1)).toBe('http://a.test/9 200 <p>last</p>')
  const file = await ArchiveFile.open(path)
  await file.close()
  const index = await readFile(`${path}.cdxj`, 'utf8')
  expect(index.match(/http:\/\/a\.test\/\d/g)).toEqual(['http://a.test/1', 'http://a.test/9'])
})

const HEAD = 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/2'
test.each([
  ['in a field', [HEAD]],
  ['in a field, with a member behind it', [HEAD, 'zzz']],
  ['in a field, with many members behind it', [HEAD, ...Array.from({ length: 40 }, (_, at) => `z${at}`)]],
  ['in a field, with members behind it that have none', [HEAD, '', 'z', '']],
  ['in its version', ['WARC/1']],
  ['in its version, with a member behind it', ['WARC/1', '.']],
  ['behind its version', ['WARC/1.0\r\n']],
])('no page has the text of the next record behind a head that breaks off %s', async (_name, broken) => {
  const bytes = Buffer.concat([first, ...broken.map((text) => gzipSync(text)), last, first])
  for (const size of [7, 65_536]) {
    const seen = await describeEntries(inPieces(bytes, size))
    expect(seen.filter((one) => !one.startsWith('broken'))).toEqual([
      'http://a.test/1 200 <p>first</p>',
      'http://a.test/9 200 <p>last</p>',
      'http://a.test/1 200 <p>first</p>',
    ])
    expect(seen[1]).toBe('broken: What is here is no record of a WARC')
  }
})
