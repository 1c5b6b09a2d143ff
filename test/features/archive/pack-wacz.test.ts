import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openZipEntries } from '../../../src/features/archive/read/zip-directory.js'
import { packWacz } from '../../../src/features/archive/write/pack-wacz.js'
import { ZipWriter } from '../../../src/features/archive/write/zip-writer.js'
import { eachGzipped, pageRecord } from './make-warc.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-pack-wacz-'))
})
afterEach(() => rm(folder, { recursive: true }))

const lineOf = (number: number): string => JSON.stringify({ url: `http://a.test/${number}` })

/** Writes the parts of a WACZ: a record, and a list of pages. */
async function writeParts(path: string, number: number, pages: string | Buffer): Promise<void> {
  await mkdir(`${path}.parts`)
  await writeFile(join(`${path}.parts`, 'data.warc.gz'), eachGzipped(pageRecord(`http://a.test/${number}`, 'text')))
  await writeFile(join(`${path}.parts`, 'pages.jsonl'), pages)
}

/** Reads the list of pages of a WACZ, without its head. */
async function readPages(path: string): Promise<string[]> {
  const parts: Uint8Array[] = []
  for (const entry of await openZipEntries(path))
    if (entry.name.endsWith('pages.jsonl')) for await (const chunk of entry.bytes()) parts.push(chunk)
  return Buffer.concat(parts).toString().trimEnd().split('\n').slice(1)
}

test.each([
  ['an end', '\n'],
  ['no end', ''],
])('the pages of a WACZ of another program stay in its list, whose last line has %s', async (_name, end) => {
  const path = join(folder, 'x.wacz')
  const zip = new ZipWriter(await open(path, 'w'), new Date(0))
  await zip.add('archive/old.warc.gz', eachGzipped(pageRecord('http://a.test/1', 'text')))
  await zip.add('pages/pages.jsonl', Buffer.from(`{"format":"json-pages-1.0"}\n${lineOf(0)}\n${lineOf(1)}${end}`))
  await zip.end()
  await writeParts(path, 2, `${lineOf(2)}\n`)
  await packWacz(path, 0)
  expect(await readPages(path)).toEqual([lineOf(0), lineOf(1), lineOf(2)])
  expect(await readdir(folder)).toEqual(['x.wacz'])
})

test('a page that is torn within a character loses no part, and what is behind the last line waits for its end', async () => {
  const path = join(folder, 'x.wacz')
  const torn = Buffer.from('{"url":"http://a.test/0","title":"Mü').subarray(0, -1)
  await writeParts(path, 1, Buffer.concat([torn, Buffer.from(`\n${lineOf(1)}\n`), torn]))
  await packWacz(path, 0)
  expect(await readPages(path)).toEqual([expect.stringContaining('http://a.test/0'), lineOf(1)])
  expect(await readFile(join(`${path}.parts`, 'pages.jsonl'))).toEqual(torn)
  await rm(`${path}.parts`, { recursive: true })
  await writeParts(path, 2, Buffer.concat([torn, Buffer.from(`${lineOf(2)}\n`)]))
  await packWacz(path, 0)
  expect(await readPages(path)).toHaveLength(3)
  expect(await readdir(folder)).toEqual(['x.wacz'])
})

test.each([
  ['is larger than what is read', `{"resources":["${'x'.repeat(9 * 1024 * 1024)}"]}`, 'has more than'],
  ['is no JSON', '{"resources":', 'is no JSON'],
])('a WACZ whose description %s is not replaced, and its parts stay', async (_name, text, message) => {
  const path = join(folder, 'x.wacz')
  const zip = new ZipWriter(await open(path, 'w'), new Date(0))
  await zip.add('archive/old.warc.gz', eachGzipped(pageRecord('http://a.test/1', 'text')))
  await zip.add('datapackage.json', Buffer.from(text))
  await zip.end()
  const before = await readFile(path)
  await writeParts(path, 2, `${lineOf(2)}\n`)
  await expect(packWacz(path, 0)).rejects.toThrow(message)
  expect((await readFile(path)).equals(before)).toBe(true)
  expect(await readdir(`${path}.parts`)).toContain('data.warc.gz')
})
