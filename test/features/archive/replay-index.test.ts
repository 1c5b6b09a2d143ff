import { mkdtemp, open, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine, replay, type ReplayOptions } from '../../../src/index.js'
import { readIndex } from '../../../src/features/archive/read/read-index.js'
import { CaptureTable } from '../../../src/features/archive/replay/capture-table.js'
import { ArchiveFile } from '../../../src/features/archive/write/archive-file.js'
import { ZipWriter } from '../../../src/features/archive/write/zip-writer.js'
import { infoRecord, pageRecord, warcRecord } from './make-warc.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-replay-index-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function titleOf(path: string, url: string, options: ReplayOptions = {}): Promise<string | undefined> {
  const fetcher = replay(path, options)
  await using engine = createEngine({ fetcher, cache: false, threads: 0, retry: { maxRetries: 0 } })
  return (await engine.scrape(url)).metadata.title
}

const titled = (url: string, title: string, date = '2024-05-06T07:08:09Z'): Buffer =>
  pageRecord(url, `<title>${title}</title><p>text`, { fields: { 'WARC-Date': date } })

/** Makes members of gzip, and a line of the index for each. */
function makeFile(filename: string, records: readonly (readonly [url: string, record: Buffer])[]) {
  const members = [gzipSync(infoRecord())]
  const lines: string[] = []
  let offset = members[0]?.length ?? 0
  for (const [url, record] of records) {
    const member = gzipSync(record)
    const date = /WARC-Date: (.*)\r/.exec(record.toString('latin1'))?.[1]
    const facts = { url, mime: 'text/html', status: '200', digest: '', length: String(member.length), filename, date }
    lines.push(`${url} 20240506070809 ${JSON.stringify({ ...facts, offset: String(offset) })}\n`)
    members.push(member)
    offset += member.length
  }
  return { bytes: Buffer.concat(members), lines }
}

async function makeWacz(name: string, entries: Readonly<Record<string, Buffer>>): Promise<string> {
  const path = join(folder, name)
  const zip = new ZipWriter(await open(path, 'w'), new Date(0))
  for (const [entry, bytes] of Object.entries(entries)) await zip.add(entry, bytes)
  await zip.end()
  return path
}

/** Reads the offset of a line. Records have ids of their own, so that two of them are packed to different lengths. */
const offsetOf = (line = ''): number => Number(/"offset":"(\d+)"/.exec(line)?.[1])

test('the responses of a WACZ are those of its index, compressed or not, and of records behind it', async () => {
  const a = makeFile('a.warc.gz', [['http://a.test/', titled('http://a.test/', 'a')]])
  const b = makeFile('b.warc.gz', [['http://b.test/', titled('http://b.test/', 'b')]])
  const behind = gzipSync(titled('http://c.test/', 'c'))
  // A record that the index leaves out is not looked for before it: the index is read, and not the records.
  const hidden = gzipSync(titled('http://hidden.test/', 'hidden'))
  const shifted = makeFile('d.warc.gz', [['http://d.test/', titled('http://d.test/', 'd')]])
  const at = offsetOf(shifted.lines[0])
  const d = Buffer.concat([shifted.bytes.subarray(0, at), hidden, shifted.bytes.subarray(at)])
  const line = (shifted.lines[0] ?? '').replace(`"offset":"${at}"`, `"offset":"${at + hidden.length}"`)
  const text = [...a.lines, ...b.lines, line].join('')
  const archive = {
    'archive/a.warc.gz': a.bytes,
    'archive/b.warc.gz': Buffer.concat([b.bytes, behind]),
    'archive/d.warc.gz': d,
  }
  for (const [name, index] of [
    ['indexes/index.cdxj', Buffer.from(text)],
    ['indexes/index.cdx.gz', gzipSync(`!meta 0 {"format":"cdxj"}\n${text}`)],
  ] as const) {
    const path = await makeWacz('whole.wacz', { ...archive, [name]: index })
    for (const site of ['a', 'b', 'c', 'd']) expect(await titleOf(path, `http://${site}.test/`), name).toBe(site)
    await expect(titleOf(path, 'http://hidden.test/'), name).rejects.toThrow('no response for')
  }
})

test.each(
  Object.entries({
    'a file that is none': (line: string) => line.replace('a.warc.gz', 'z.warc.gz'),
    'a place behind the end': (line: string) => line.replace(/"offset":"\d+"/, '"offset":"99999999"'),
    'a line that is cut': (line: string) => `${line.slice(0, 40)}\n`,
    'gzip that is none': undefined,
  }),
)('an index of a WACZ that cannot be trusted is made from the records: %s', async (_, damage) => {
  const { bytes, lines } = makeFile('a.warc.gz', [['http://a.test/', titled('http://a.test/', 'a')]])
  // What comes before the wrong line is not believed either.
  const text = Buffer.from(`${(lines[0] ?? '').replaceAll('a.test', 'lie.test')}${damage?.(lines[0] ?? '') ?? ''}`)
  const index: Readonly<Record<string, Buffer>> = damage
    ? { 'indexes/index.cdxj': text }
    : { 'indexes/index.cdx.gz': Buffer.from('no gzip') }
  const path = await makeWacz('damaged.wacz', { 'archive/a.warc.gz': bytes, ...index })
  expect(await titleOf(path, 'http://a.test/')).toBe('a')
  await expect(titleOf(path, 'http://lie.test/')).rejects.toThrow('no response for')
})

test('a file whose index has the lines of another one is read by its records, and written with its own', async () => {
  const { bytes } = makeFile('twin.warc.gz', [['http://a.test/', titled('http://a.test/', 'a')]])
  await writeFile(join(folder, 'twin.warc.gz'), bytes)
  const plain = Buffer.concat([infoRecord(), titled('http://b.test/', 'b'), titled('http://c.test/', 'c')])
  await writeFile(join(folder, 'twin.warc'), plain)
  for (const [name, host] of [
    ['twin.warc.gz', 'a'],
    ['twin.warc', 'c'],
    ['twin.warc.gz', 'a'],
  ] as const) {
    const file = await ArchiveFile.open(join(folder, name))
    await file.close()
    for (const [other, title] of [
      ['twin.warc.gz', 'a'],
      ['twin.warc', 'b'],
    ] as const)
      expect(await titleOf(join(folder, other), `http://${title}.test/`), `${name} ${host}`).toBe(title)
  }
})

test('of several responses to a URL, the newest until a date is given, wherever they stand', async () => {
  const url = 'http://a.test/'
  const records = ['2024-03-01', '2024-01-01', '2024-04-01', '2024-02-01'].map(
    (day) => [url, titled(url, day, `${day}T00:00:00Z`)] as const,
  )
  for (const [name, order] of [
    ['as.warc.gz', records],
    ['reverse.warc.gz', records.toReversed()],
  ] as const) {
    await writeFile(join(folder, name), makeFile(name, order).bytes)
    expect(await titleOf(join(folder, name), url)).toBe('2024-04-01')
    expect(await titleOf(join(folder, name), url, { date: '2024-02-15' })).toBe('2024-02-01')
    await expect(titleOf(join(folder, name), url, { date: '2023-12-31' })).rejects.toThrow('no response for')
  }
})

const revisit = (url: string, fields: Readonly<Record<string, string>>): Buffer =>
  warcRecord({
    fields: { 'WARC-Type': 'revisit', 'WARC-Target-URI': url, ...fields },
    block: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n',
  })

test('a revisit record has the body of its original, by digest in any form, by URL and date, and of itself none', async () => {
  const digest = 'sha1:2CJB4D5SEQCYQHRXZNBOQXFPXYZABCDE'
  const original = pageRecord('http://a.test/', '<title>original</title><p>text', {
    fields: { 'WARC-Payload-Digest': digest },
  })
  const dated = { 'WARC-Refers-To-Target-URI': 'http://a.test/', 'WARC-Refers-To-Date': '2024-05-06T07:08:09Z' }
  const self = { 'WARC-Refers-To-Target-URI': 'http://self.test/', 'WARC-Refers-To-Date': '2024-05-06T07:08:09Z' }
  const records = [
    ['http://a.test/', original],
    ['http://digest.test/', revisit('http://digest.test/', { 'WARC-Payload-Digest': digest })],
    ['http://dated.test/', revisit('http://dated.test/', dated)],
    ['http://self.test/', revisit('http://self.test/', { ...self, 'WARC-Payload-Digest': 'sha1:SELF' })],
  ] as const
  const { bytes, lines } = makeFile('revisits.warc.gz', records)
  await writeFile(join(folder, 'revisits.warc.gz'), bytes)
  // An index that calls revisit records pages, and writes digests without their name, as some programs do.
  const lying = lines.map((line, at) => line.replace('"digest":""', `"digest":"${['', '', '', 'SELF'][at]}"`))
  const told = lying[0]?.replace('"digest":""', `"digest":"${digest.slice(5)}"`)
  for (const text of [undefined, [told, ...lying.slice(1)].join('')]) {
    if (text !== undefined) await writeFile(join(folder, 'revisits.warc.gz.cdxj'), text)
    const path = join(folder, 'revisits.warc.gz')
    expect(await titleOf(path, 'http://digest.test/')).toBe('original')
    expect(await titleOf(path, 'http://dated.test/')).toBe('original')
    await expect(titleOf(path, 'http://self.test/')).rejects.toThrow('is not in the archive')
  }
})

test('an index of many lines is read line by line', async () => {
  const path = join(folder, 'many.warc.gz')
  const { bytes, lines } = makeFile('many.warc.gz', [['http://a.test/', titled('http://a.test/', 'a')]])
  await writeFile(path, bytes)
  const count = 200_000
  const file = await open(join(folder, 'many.warc.gz.cdxj'), 'w')
  const digest = 'sha256:'.padEnd(71, '0')
  for (let at = 0; at < count; at += 1000) {
    const some = Array.from({ length: 1000 }, (_, one) => (lines[0] ?? '').replaceAll('a.test', `a.test/${at + one}`))
    await file.write(some.join('').replaceAll('"digest":""', () => `"digest":"${digest}"`))
  }
  await file.close()
  const table = new CaptureTable()
  let held = 0
  await readIndex(path, {
    add: (one) => {
      table.add(one, one.url, Infinity)
      held += 1
    },
    restart: () => expect.fail('the index is that of the file'),
  })
  expect(held).toBe(count)
  expect(table.find('http://a.test/199999/')).toMatchObject({ offset: offsetOf(lines[0]) })
  expect(table.find('http://a.test/200000/')).toBeUndefined()
})

test.each([
  ['empty', Buffer.alloc(0), 'leads to no record'],
  ['cut short', undefined, 'leads to no record'],
  ['no archive', Buffer.from('a letter'), 'cannot be replayed'],
])('a replay of an archive that was %s for a while goes on when it is whole again', async (name, bad, problem) => {
  const path = join(folder, `${name.replace(' ', '-')}.warc.gz`)
  const urls = [1, 2, 3].map((number) => `http://a.test/${number}`)
  const { bytes } = makeFile(
    'x',
    urls.map((url) => [url, titled(url, url)]),
  )
  await writeFile(path, bytes)
  await using engine = createEngine({
    fetcher: replay(path),
    cache: false,
    threads: 0,
    retry: { maxRetries: 0 },
  })
  const read = async (url = ''): Promise<string | undefined> => (await engine.scrape(url)).metadata.title
  expect(await read(urls[0])).toBe(urls[0])
  for (let round = 0; round < 2; round += 1) {
    await writeFile(path, bad ?? bytes.subarray(0, 200))
    await expect(read(urls[1])).rejects.toThrow(problem)
    await writeFile(path, bytes)
    expect(await Promise.all(urls.map(read))).toEqual(urls)
  }
})

test('an archive that is refused is read again only after it has changed', async () => {
  const path = join(folder, 'later.warc')
  const good = Buffer.concat([infoRecord(), titled('http://a.test/', 'page')])
  const date = new Date('2024-01-01')
  // The clock of a file system may stand still for some milliseconds.
  const writeNow = async (bytes: Buffer): Promise<void> => {
    const before = await stat(path).catch(() => undefined)
    do {
      await writeFile(path, bytes)
      await utimes(path, date, date)
    } while ((await stat(path)).ctimeMs === before?.ctimeMs)
  }
  const fetcher = replay(path)
  await using engine = createEngine({ fetcher, cache: false, threads: 0, retry: { maxRetries: 0 } })
  await writeNow(Buffer.alloc(good.length, 'a letter '))
  await expect(engine.scrape('http://a.test/')).rejects.toThrow('cannot be replayed')
  const refusal = await fetcher.open?.().catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Error)
  // What is read again has another error.
  await expect(fetcher.open?.()).rejects.toBe(refusal)
  // A copy that keeps the date, and has the size, is another file.
  await writeNow(good)
  expect((await engine.scrape('http://a.test/')).metadata.title).toBe('page')
})

test('an archive that is refused for want of an index is read once it has one', async () => {
  const path = join(folder, 'unplaced.warc.gz')
  const bytes = gzipSync(Buffer.concat([titled('http://a.test/', 'page'), titled('http://a.test/b', 'b')]))
  await writeFile(path, bytes)
  const fetcher = replay(path)
  await using engine = createEngine({ fetcher, cache: false, threads: 0, retry: { maxRetries: 0 } })
  await expect(engine.scrape('http://a.test/')).rejects.toThrow('share a gzip member')
  const place = { length: String(bytes.length), offset: '0', filename: 'unplaced.warc.gz' }
  const line = { url: 'http://a.test/', mime: 'text/html', status: '200', digest: '', ...place }
  await writeFile(join(folder, 'unplaced.warc.gz.cdxj'), `test,a)/ 20240506070809 ${JSON.stringify(line)}\n`)
  expect((await engine.scrape('http://a.test/')).metadata.title).toBe('page')
})
