import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import WarcStream from 'warc'
import { CDXIndexer, WARCParser } from 'warcio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ArchiveTarget, createEngine, wacz, warc } from '../../../src/index.js'
import { openZipEntries } from '../../../src/features/archive/read/zip-directory.js'
import { startSite } from '../../site/site.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-other-readers-'))
})
afterEach(() => rm(folder, { recursive: true }))

const text = (name: string): string =>
  `<title>${name}</title><a href="/packed">packed</a> <a href="/old">old</a> <a href="/missing">missing</a> <a href="/truncated">cut</a>
  <p>${`This is what the page ${name} says about itself, at some length. `.repeat(20)}</p>`

/** Writes an archive of a site with what sites have: codings, redirects, bodies seen before, failures; and crawls it once more. */
async function writeArchive(target: ArchiveTarget): Promise<void> {
  await using site = await startSite({
    pages: {
      '/': text('home'),
      '/packed': ({ response }) =>
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
          .end(gzipSync(text('Größe'))),
      '/old': ({ response }) => response.writeHead(301, { location: '/', 'set-cookie': 'a=b' }).end('moved'),
    },
  })
  for (let time = 0; time < 2; time++) {
    await using engine = createEngine({
      allowPrivateNetworks: true,
      cache: false,
      threads: 0,
      fetcher: 'http',
      retry: { maxRetries: 0 },
    })
    await engine.crawl({ url: site.url('/'), archive: target }).finished()
  }
}

const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Checks each record of a file as `warcio check` does, which has no counterpart in JavaScript: head, length, and both digests. */
async function checkByWarcio(path: string): Promise<readonly string[]> {
  const blocks: Buffer[] = []
  for await (const record of WARCParser.iterRecords(createReadStream(path), { parseHttp: false })) {
    blocks.push(Buffer.from(await record.readFully()))
    expect(blocks.at(-1)).toHaveLength(record.warcContentLength)
  }
  const seen: string[] = []
  for await (const record of WARCParser.iterRecords(createReadStream(path))) {
    const { warcType, warcTargetURI, warcBlockDigest, warcPayloadDigest, warcDate } = record
    const payload = await record.readFully()
    expect(Number.isNaN(Date.parse(warcDate ?? ''))).toBe(false)
    if (warcBlockDigest !== null) expect(sha256(blocks[seen.length] ?? payload)).toBe(warcBlockDigest)
    if (warcPayloadDigest !== null && warcType !== 'revisit') expect(sha256(payload)).toBe(warcPayloadDigest)
    seen.push(`${warcType} ${warcTargetURI ?? ''}`)
  }
  return seen
}

/** Reads the records of a file by the package `warc`, which reads them uncompressed. */
async function readByWarc(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path)
  const seen: string[] = []
  const records = Readable.from([path.endsWith('.gz') ? gunzipSync(bytes) : bytes]).pipe(new WarcStream())
  for await (const { protocol, headers, content } of records) {
    expect(protocol).toBe('WARC/1.1')
    expect(content).toHaveLength(Number(headers['Content-Length']))
    seen.push(`${headers['WARC-Type']} ${headers['WARC-Target-URI'] ?? ''}`)
  }
  return seen
}

interface IndexLine {
  readonly url: string
  readonly mime: string
  readonly status: string
  readonly digest: string
  readonly offset: string
  readonly length: string
}

/** Reads the lines of the index beside a file, in the order of the records, without what other programs do not write. */
async function readIndex(): Promise<readonly IndexLine[]> {
  const names = await readdir(folder)
  const index = await readFile(join(folder, names.find((name) => name.endsWith('.cdxj')) ?? ''), 'utf8')
  return index
    .split('\n')
    .filter((line) => line.includes('{'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as IndexLine)
    .toSorted((a, b) => Number(a.offset) - Number(b.offset))
    .map(({ url, mime, status, digest, offset, length }) => ({ url, mime, status, digest, offset, length }))
}

/** Makes the index of a file by warcio. It has a line for a failure without a response, too. */
async function indexByWarcio(path: string): Promise<readonly IndexLine[]> {
  const lines: IndexLine[] = []
  // It does not count the two line ends behind a record of a plain file, and leaves the name of the hash out.
  const endBytes = path.endsWith('.gz') ? 0 : 4
  const files = [{ filename: basename(path), reader: createReadStream(path) }]
  for await (const { url, mime, status, digest, offset, length } of new CDXIndexer().iterIndex(files)) {
    if (status === undefined) continue
    lines.push({
      url: String(url),
      mime: String(mime ?? 'unk'),
      status: String(status),
      digest: `sha256:${digest}`,
      offset: String(offset),
      length: String(Number(length) + endBytes),
    })
  }
  return lines
}

test.each(['site.warc.gz', 'site.warc'])(
  'two other libraries read each record of %s, and find it in its place',
  async (name) => {
    const path = join(folder, name)
    await writeArchive(warc(path))
    const records = await checkByWarcio(path)
    expect(records.filter((record) => record.startsWith('warcinfo'))).toHaveLength(1)
    for (const type of ['request', 'response', 'revisit', 'metadata'])
      expect(records.some((record) => record.startsWith(`${type} http`))).toBe(true)
    expect(await readByWarc(path)).toEqual(records)
    expect(await indexByWarcio(path)).toEqual(await readIndex())
  },
)

test('two other libraries read each record of a WACZ', async () => {
  const path = join(folder, 'site.wacz')
  await writeArchive(wacz(path))
  const read: string[] = []
  for (const entry of await openZipEntries(path)) {
    if (!entry.name.endsWith('.warc.gz')) continue
    const file = join(folder, basename(entry.name))
    await writeFile(file, await buffer(Readable.from(entry.bytes())))
    const records = await checkByWarcio(file)
    expect(await readByWarc(file)).toEqual(records)
    read.push(...records)
  }
  const ofStart = read.filter((record) => /^re(?:sponse|visit) http:\/\/[^/]*\/$/.test(record))
  expect(ofStart.map((record) => record.split(' ', 1)[0])).toEqual(['response', 'revisit', 'revisit', 'revisit'])
})
