import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, replay } from '../../../src/index.js'
import { describeEntries } from './describe-entries.js'
import { eachGzipped, httpBlock, pageRecord } from './make-warc.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-said-losses-'))
})
afterEach(() => rm(folder, { recursive: true }))

const LAST = 'http://a.test/9 200 last'

/** Reads what is made of a response, before another record. */
async function readBlock(block: Buffer, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(folder, 'x.warc.gz')
  await writeFile(
    path,
    eachGzipped(pageRecord('http://a.test/2', '', { block, fields }), pageRecord('http://a.test/9', 'last')),
  )
  const [first = '', ...rest] = await describeEntries(path)
  expect(rest).toEqual([LAST])
  return first
}

const words = Array.from({ length: 3000 }, (_, at) => `word ${at * 7919}`).join('\n')
const packers = {
  gzip: gzipSync(words),
  deflate: deflateSync(words),
  'raw deflate': deflateRawSync(words),
  br: brotliCompressSync(words),
}

test.each(Object.entries(packers))(
  'a body whose coding has no end is said to be cut, where no length says it: %s',
  async (name, packed) => {
    const head = ['HTTP/1.1 200 OK', 'Content-Type: text/html', `Content-Encoding: ${name.split(' ').at(-1) ?? ''}`]
    expect(await readBlock(httpBlock(packed, head))).toBe(`http://a.test/2 200 ${words}`)
    const cut = await readBlock(httpBlock(packed.subarray(0, packed.length / 2), head))
    expect(cut).toMatch(/^http:\/\/a\.test\/2 200 word 0\n/)
    expect(cut).toMatch(/ ! its body ends before its content coding does$/)
  },
)

test.each([
  ['in its last block', -1000],
  ['in its checksum', -2],
  ['after its head', 9],
])('a body in zstd that is cut %s is said to be cut, and a whole one is not', async (_name, end) => {
  const packed = await readFile(join(import.meta.dirname, '../../site/encoded-page.html.zst'))
  const head = ['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Encoding: zstd']
  expect(await readBlock(httpBlock(packed, head))).not.toContain(' ! ')
  expect(await readBlock(httpBlock(packed.subarray(0, end), head))).toMatch(
    / ! its body ends before its content coding does$/,
  )
})

test('a body in zstd that a line end follows is whole', async () => {
  const packed = await readFile(join(import.meta.dirname, '../../site/encoded-page.html.zst'))
  const head = ['HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Encoding: zstd']
  expect(await readBlock(httpBlock(Buffer.concat([packed, Buffer.from('\r\n')]), head))).not.toContain(' ! ')
  expect(await readBlock(httpBlock(Buffer.concat([packed, packed.subarray(0, 3)]), head))).toContain(' ! ')
})

/** Makes a body of parts, each with its range and its text. */
const inParts = (...parts: readonly (readonly [range: string, text: string])[]): string =>
  `${parts.map(([range, text]) => `\r\n--x\r\nContent-Type: text/html\r\nContent-Range: bytes ${range}\r\n\r\n${text}`).join('')}\r\n--x--\r\n`

test.each([
  ['the whole, with its boundary in it', inParts(['0-4/10', '\n--x\n'], ['5-9/10', 'world']), '\n--x\nworld'],
  ['the whole, out of order', inParts(['5-9/10', 'world'], ['0-4/10', 'hello']), 'helloworld'],
  ['the whole, some of it twice', inParts(['0-6/10', 'hellowo'], ['3-9/10', 'loworld']), 'helloworld'],
  ['parts', inParts(['0-4/90', 'hello'], ['50-54/90', 'world']), 'helloworld ! it is 2 parts of the page'],
  ['a part that is cut short', inParts(['0-99/100', 'hello']), 'hello\r\n--x--\r\n ! it is a part of the page'],
  ['nothing that can be read', 'hello', 'hello ! it is in parts that cannot be read'],
  [
    'a boundary far behind the last part',
    `${inParts(['0-4/10', 'hello'])}${' '.repeat(5000)}${inParts(['5-9/10', 'world'])}`,
    'hello ! it is a part of the page',
  ],
])('a page that was sent in parts is joined, or said to be in parts: %s', async (_name, body, expected) => {
  const head = ['HTTP/1.1 206 Partial Content', 'Content-Type: multipart/byteranges; boundary="x"']
  expect(await readBlock(httpBlock(body, head))).toBe(`http://a.test/2 206 ${expected}`)
})

test('a page that was sent in parts has their type, for filters and for a replay', async () => {
  const head = ['HTTP/1.1 206 Partial Content', 'Content-Type: multipart/byteranges; boundary="x"']
  const block = httpBlock(inParts(['0-4/9', '<p>He'], ['5-8/9', 'llo.']), head)
  const path = join(folder, 'x.warc.gz')
  await writeFile(
    path,
    eachGzipped(pageRecord('http://a.test/2', '', { block }), pageRecord('http://a.test/9', 'last')),
  )
  const base = { cache: false, threads: 0 } as const
  await using engine = createEngine(base)
  const read = async (type: string): Promise<string[]> => {
    const found: string[] = []
    for await (const { markdown } of engine.archive(path, { filters: { type } })) found.push(markdown)
    return found
  }
  expect(await read('text/html')).toEqual(['Hello.', 'last'])
  expect(await read('multipart/*')).toEqual([])
  await using replayer = createEngine({ ...base, fetcher: replay(path) })
  const { markdown, metadata } = await replayer.scrape('http://a.test/2')
  expect([markdown, metadata.contentType]).toEqual(['Hello.', 'text/html'])
})

test.each([
  ['bytes 0-4/90', 'http://a.test/2 206 first ! it is a part of the page (bytes 0-4/90)'],
  ['bytes 5-9/10', 'http://a.test/2 206 first ! it is a part of the page (bytes 5-9/10)'],
  ['bytes 0-4/5', 'http://a.test/2 206 first'],
])('a part of a page is said to be one: %s', async (range, expected) => {
  const head = ['HTTP/1.1 206 Partial Content', 'Content-Type: text/html', `Content-Range: ${range}`]
  expect(await readBlock(httpBlock('first', head))).toBe(expected)
})

test('a response in segments is said to go on', async () => {
  expect(await readBlock(httpBlock('first'), { 'WARC-Segment-Number': '1' })).toBe(
    'http://a.test/2 200 first ! it goes on in other records, which are not read',
  )
})

test.each([
  ['many lines', Array.from({ length: 60_000 }, () => 'X: y')],
  ['a long line', [`X: ${'y'.repeat(300_000)}`]],
])('the rest of a head that is too large is no body: %s', async (_name, lines) => {
  expect(await readBlock(httpBlock('text', ['HTTP/1.1 200 OK', ...lines]))).toMatch(/^broken: /)
})

test('a list among the entries of a HAR is not taken for their end', async () => {
  const entry = (url: string): string =>
    JSON.stringify({ request: { method: 'GET', url }, response: { status: 200, content: { text: url.slice(-1) } } })
  const path = join(folder, 'x.har')
  const entries = [entry('http://a.test/1'), '[]', '[[1],2]', `[${entry('http://a.test/2')}]`, entry('http://a.test/3')]
  await writeFile(path, `{"log":{"entries":[${entries.join(',')}]},"more":[${entry('http://a.test/4')}]}`)
  expect(await describeEntries(path)).toEqual([1, 2, 3].map((at) => `http://a.test/${at} 200 ${at}`))
})

test('a note of HTTrack without a URL leaves a file its path', async () => {
  await mkdir(join(folder, 'a.test'))
  const note = (address: string): string =>
    `<!-- Mirrored from ${address} by HTTrack Website Copier/3.x [x], Mon, 01 Jan 2024 00:00:00 GMT -->`
  for (const [name, address] of Object.entries({
    a: 'b.test/x.html',
    b: 'javascript:alert(1)',
    c: 'ftp://b.test/x',
  }))
    await writeFile(join(folder, 'a.test', `${name}.html`), note(address))
  const urls = (await describeEntries(folder)).map((one) => one.split(' ')[0])
  expect(urls).toEqual(['http://b.test/x.html', ...['b', 'c'].map((name) => `https://a.test/${name}.html`)])
})

/** Script that writes a zip with three WARC files, compressed. */
const ZIP =
  'import sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED) as z:\n [z.write(a,"archive/"+a[-6:]) for a in sys.argv[2:]]'

const damages: Readonly<Record<string, readonly [(bytes: Buffer) => void, readonly string[], string]>> = {
  'its compressed data': [
    (bytes) => bytes.fill(0xff, bytes.indexOf('2.warc') + 6, bytes.indexOf('2.warc') + 20),
    ['1', '3'],
    '2.warc` is broken: ',
  ],
  'its place': [
    (bytes) => bytes.writeUInt32LE(5, bytes.lastIndexOf('archive/2.warc') - 4),
    ['1', '3'],
    '2.warc` is not where it should be',
  ],
  'its method': [
    (bytes) => bytes.writeUInt16LE(12, bytes.lastIndexOf('archive/2.warc') - 36),
    ['1', '3'],
    '2.warc` is compressed by method 12',
  ],
  'the directory': [(bytes) => bytes.fill(0, bytes.length - 22), [], 'it has no directory'],
}

test.each(Object.entries(damages))(
  'a WACZ that is damaged in %s is read all the same, and so are the files after it',
  async (_name, [damage, read, why]) => {
    const files = ['1.warc', '2.warc', '3.warc'].map((name) => join(folder, name))
    for (const [at, file] of files.entries()) await writeFile(file, pageRecord(`http://a.test/${at + 1}`, words))
    const path = join(folder, 'x.wacz')
    execFileSync('python3', ['-c', ZIP, path, ...files])
    const bytes = await readFile(path)
    damage(bytes)
    await writeFile(path, bytes)
    const after = join(folder, 'after.warc')
    await writeFile(after, pageRecord('http://a.test/9', 'last'))
    const seen = await describeEntries([path, after])
    expect(seen.filter((one) => !one.startsWith('broken')).map((one) => one.split(' ')[0])).toEqual(
      [...read, '9'].map((at) => `http://a.test/${at}`),
    )
    expect(seen.filter((one) => one.startsWith('broken'))).toEqual([expect.stringContaining(why)])
  },
)
