import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ArchiveOptions, type ArchiveSource, createEngine } from '../../../src/index.js'
import { readRecords } from '../../../src/features/archive/read/read-records.js'
import { startSite } from '../../site/site.js'
import { eachGzipped, infoRecord, pageRecord } from './make-warc.js'

const run = promisify(execFile)

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-forms-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Reads an archive. @returns a line for each outcome */
async function read(source: ArchiveSource | readonly ArchiveSource[], options: ArchiveOptions = {}): Promise<string[]> {
  await using engine = createEngine({ threads: 0 })
  const seen: string[] = []
  for await (const one of engine.archive(source, options).outcomes())
    seen.push(
      one.outcome === 'done'
        ? `${one.url} ${one.archive.date ?? ''} ${one.document.markdown}`
        : `failed ${one.url ?? ''} ${one.message}`,
    )
  return seen
}

const harEntry = (url: string, content: object, more: object = {}) => ({
  startedDateTime: '2024-05-06T07:08:09.000Z',
  request: { method: 'GET', url, headers: [] },
  response: {
    status: 200,
    statusText: 'OK',
    headers: [{ name: 'Content-Type', value: 'text/html' }],
    content,
    ...more,
  },
})

test('a HAR is read entry by entry: texts, base64, braces in strings, failed requests, no bodies', async () => {
  const path = join(folder, 'site.har')
  const entries = [
    harEntry('https://a.test/1', { mimeType: 'text/html', text: '<p>One "}]{ brace \\ é</p>' }),
    harEntry('https://a.test/2', {
      mimeType: 'text/html',
      encoding: 'base64',
      text: Buffer.from('<p>Two</p>').toString('base64'),
    }),
    harEntry('https://a.test/3', { size: 9, mimeType: 'text/html' }),
    harEntry('https://a.test/4', {}, { status: 0, _error: 'net::ERR_FAILED' }),
    harEntry(
      'https://a.test/5.png',
      { mimeType: 'image/png', text: '' },
      { headers: [{ name: 'content-type', value: 'image/png' }] },
    ),
  ]
  await writeFile(path, JSON.stringify({ log: { version: '1.2', pages: [{ title: '[]{}' }], entries } }))
  const expected = [
    'https://a.test/1 2024-05-06T07:08:09.000Z One "}]{ brace \\ é',
    'https://a.test/2 2024-05-06T07:08:09.000Z Two',
    'failed https://a.test/3 The file was saved without the bodies of responses.',
    'failed https://a.test/4 net::ERR_FAILED.',
  ]
  expect(await read(path)).toEqual(expected)
  const bytes = await readFile(path)
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 11) yield bytes.subarray(at, at + 11)
  }
  expect(await read(pieces())).toEqual(expected)
  await writeFile(path, bytes.subarray(0, -300))
  expect((await read(path)).at(-1)).toBe('failed  The file is cut short.')
})

test('what wget writes is read: WARC, compressed or not, and a mirrored folder', async () => {
  await using site = await startSite({
    pages: { '/': '<p>Home <a href="/a/b?q=1">b</a></p>', '/a/b?q=1': '<p>Page b</p>' },
  })
  const at = { cwd: folder }
  await run('wget', ['-q', '-r', '--no-host-directories', '-P', 'x', '--warc-file=a', site.url('/')], at).catch(
    () => undefined,
  )
  await run('wget', ['-q', '-r', '-P', 'x', '--warc-file=b', '--no-warc-compression', site.url('/')], at).catch(
    () => undefined,
  )
  await run('wget', ['-q', '--mirror', '-P', 'mirror', site.url('/')], at).catch(() => undefined)
  for (const file of ['a.warc.gz', 'b.warc', 'mirror']) {
    const texts = (await read(join(folder, file), { filters: { status: ['2xx'] }, scheme: 'http' })).map((one) =>
      one.replace(/ \S*Z /, ' '),
    )
    expect(texts.toSorted(), file).toEqual([
      `${site.url('/')} Home [b](${site.url('/a/b?q=1')})`,
      `${site.url('/a/b?q=1')} Page b`,
    ])
  }
})

test('a page that HTTrack has copied has the URL and the date that it states', async () => {
  const place = join(folder, 'www.a.test')
  await mkdir(place)
  const note =
    '<!-- Mirrored from www.a.test/page by HTTrack Website Copier/3.x [XR&CO 2014], Sat, 01 Jan 2022 10:00:00 GMT -->'
  await writeFile(join(place, 'page.html'), `<!DOCTYPE html>\n<html>${note}<p>Copied</p></html>`)
  expect(await read(folder)).toEqual(['http://www.a.test/page 2022-01-01T10:00:00.000Z Copied'])
})

test('filters choose by URL, status, type and date', async () => {
  const day = (date: string) => ({ fields: { 'WARC-Date': date } })
  const file = Buffer.concat([
    pageRecord('http://a.test/docs/1', '<p>one</p>', day('2024-01-01T00:00:00Z')),
    pageRecord('http://a.test/docs/2', '<p>two</p>', day('2024-02-01T00:00:00Z')),
    pageRecord('http://a.test/blog/3', '<p>three</p>', day('2024-03-01T00:00:00Z')),
  ])
  const urls = async (filters: ArchiveOptions['filters']) =>
    (await read(file, { filters })).map((one) => one.split(' ')[0]?.at(-1)).join('')
  expect(await urls({ url: '/docs/' })).toBe('12')
  expect(await urls({ exclude: ['/docs/1', '/blog/'] })).toBe('2')
  expect(await urls({ from: '2024-01-15', to: new Date('2024-02-15') })).toBe('2')
  expect(await urls({ status: [404] })).toBe('')
  expect(await urls({ type: ['application/*'] })).toBe('')
  expect(() => createEngine().archive(file, { filters: { url: '(' } })).toThrow('regular expression')
})

test.each(['plain', 'gzip'] as const)('one who leaves the records of a file closes it: %s', async (form) => {
  const record = pageRecord('http://a.test/', '<p>text</p>')
  let closed = 0
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield form === 'gzip' ? eachGzipped(record) : record
    } finally {
      closed += 1
    }
  }
  for await (const _ of readRecords({ name: 'x', bytes }, { wants: () => true, blockBytes: 1e6 })) break
  expect(closed).toBe(1)
  await using engine = createEngine({ threads: 0 })
  for await (const _ of engine.archive(bytes())) break
  expect(closed).toBe(2)
})

test('memory does not grow with the archive, and a loop that is left reads no further', async () => {
  await using engine = createEngine({ threads: 0 })
  let given = 0
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    yield gzipSync(infoRecord())
    for (;;) yield gzipSync(pageRecord(`http://a.test/${given++}`, `<p>page ${given}</p>`))
  }
  const archive = engine.archive(endless())
  let seen = 0
  for await (const document of archive) {
    expect(document.markdown).toBe(`page ${++seen}`)
    if (seen === 50) break
  }
  expect(given).toBeLessThan(80)
  expect(archive.status()).toMatchObject({ state: 'cancelled', documents: 50 })
})

test('the command line writes an archive, reads it, and replays a page of it', async () => {
  await using site = await startSite({ pages: { '/': '<h1>Home</h1><p>Welcome</p>' } })
  const path = join(folder, 'crawl.warc.gz')
  const call = async (...args: string[]): Promise<string> => {
    let out = ''
    const write = (text: string): true => {
      out += text
      return true
    }
    await run(process.execPath, [join(import.meta.dirname, '../../../dist/cli/main.js'), ...args]).then(({ stdout }) =>
      write(stdout),
    )
    return out
  }
  await call('crawl', site.url('/'), '--archive', path, '--sitemap', 'skip')
  expect(await call('archive', path, '--url', '/$')).toContain('Welcome')
  expect(await call('replay', path, site.url('/'))).toContain('# Home')
})
