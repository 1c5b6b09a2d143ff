import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, truncate, appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, type Engine, type EngineConfig, wacz, warc } from '../../../src/index.js'
import { fileInput } from '../../../src/features/archive/read/archive-input.js'
import { listIndex } from '../../../src/features/archive/read/read-index.js'
import { readRecords } from '../../../src/features/archive/read/read-records.js'
import { startSite } from '../../site/site.js'

let folder = ''
const engines: Engine[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-archive-'))
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()))
  await rm(folder, { recursive: true })
})

function open(config: EngineConfig): Engine {
  const engine = createEngine({ allowPrivateNetworks: true, cache: false, threads: 0, fetcher: 'http', ...config })
  engines.push(engine)
  return engine
}

const filler = (name: string): string =>
  `<p>${`This is what the page ${name} says about itself, at some length. `.repeat(20)}</p>`
const pages = {
  '/': `<title>Home</title><a href="/a">A</a> <a href="/old">Old</a> <a href="/missing">Missing</a>${filler('home')}`,
  '/a': `<title>A</title>${filler('a')}`,
  '/b': `<title>B</title>${filler('b')}`,
}
const site = () =>
  startSite({
    pages: {
      ...pages,
      '/old': ({ response }) =>
        response.writeHead(301, { location: '/b', 'set-cookie': 'session=s3cretCookie; Path=/' }).end('moved'),
      '/robots.txt': ({ response }) => response.end('User-agent: *\nDisallow: /hidden\n'),
    },
  })

async function listRecords(path: string): Promise<string[]> {
  const seen: string[] = []
  for await (const record of readRecords(fileInput(path), { wants: () => true, blockBytes: 1e9 })) {
    if ('damage' in record) throw new Error(record.damage)
    expect(record.problems).toEqual([])
    const url = record.fields.get('warc-target-uri') ?? ''
    seen.push(
      `${record.type} ${url.startsWith('http') ? new URL(url).pathname : url.replace(/[\da-f-]{36}/, 'ID')}`.trim(),
    )
  }
  return seen
}

/** Lists the paths of the pages that an archive says are done. */
async function readDone(path: string): Promise<string[]> {
  const found: string[] = []
  const wants = (type: string): boolean => type === 'metadata'
  for await (const record of readRecords(fileInput(path), { wants, blockBytes: 1e6 })) {
    if ('damage' in record || record.type !== 'metadata') continue
    const { outcome, pages: done = [] } = JSON.parse(record.block.toString()) as {
      outcome?: string
      pages?: { url: string }[]
    }
    if (outcome === 'done') found.push(...done.map(({ url }) => new URL(url).pathname))
  }
  return found
}

test('a crawl is written with its requests, responses, redirects, robots.txt, failures and outcomes', async () => {
  await using server = await site()
  const path = join(folder, 'crawl.warc.gz')
  const engine = open({ archive: warc(path) })
  const job = engine.crawl({ url: server.url('/'), sitemap: 'skip' })
  await job.finished()
  await engine.close()
  const seen = await listRecords(path)
  expect(seen[0]).toBe('warcinfo')
  for (const url of ['/', '/a', '/b', '/old', '/missing', '/robots.txt']) expect(seen).toContain(`response ${url}`)
  expect(seen.filter((one) => one.startsWith('request'))).toHaveLength(
    seen.filter((one) => one.startsWith('response')).length,
  )
  // Outcomes of pages that are done share a record of the job.
  expect(seen.filter((one) => one === 'metadata urn:trawl:job:ID')).toHaveLength(2)
  const outcomes = await readDone(path)
  for (const url of ['/', '/a', '/old', '/missing']) expect(outcomes).toContain(url)
  const index = await readFile(`${path}.cdxj`, 'utf8')
  const lines = index.trim().split('\n')
  expect(lines).toEqual(lines.toSorted())
  expect(lines).toHaveLength(seen.filter((one) => one.startsWith('response')).length)
  // Each line of the index leads to its record.
  const bytes = await readFile(path)
  for (const { url, offset, length } of await listIndex(path)) {
    const record = gunzipSync(bytes.subarray(offset, offset + length)).toString()
    expect(record).toContain(`WARC-Target-URI: ${url}`)
  }
})

test('a second crawl of an unchanged site writes revisit records, and its pages are read with their bodies', async () => {
  await using server = await site()
  const path = join(folder, 'crawl.warc.gz')
  for (let round = 0; round < 2; round++) {
    const engine = open({ archive: path })
    await engine.crawl({ url: server.url('/'), sitemap: 'skip' }).finished()
    await engine.close()
  }
  const seen = await listRecords(path)
  expect(seen.filter((one) => one === 'response /a')).toHaveLength(1)
  expect(seen.filter((one) => one === 'revisit /a')).toHaveLength(1)
  const engine = open({})
  const read: string[] = []
  for await (const { metadata, markdown } of engine.archive(path, { filters: { url: '/a$' } }))
    read.push(`${metadata.archive?.date} ${markdown}`)
  expect(read).toHaveLength(2)
  expect(read[0]?.slice(24)).toBe(read[1]?.slice(24))
  expect(read[0]).toContain('page a says')
})

test('a page that has not changed adds some hundred bytes, also after the index is lost; a request that has changed is written', async () => {
  await using server = await startSite({
    pages: Object.fromEntries(
      ['/', '/a', '/b', '/c'].map((path) => [
        path,
        `<title>${path}</title><a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>${Array.from({ length: 16_000 }, (_, at) => (at * 7919) % 100_003).join(' ')}`,
      ]),
    ),
  })
  const path = join(folder, 'same.warc.gz')
  const crawl = async (headers: Readonly<Record<string, string>> = {}): Promise<{ seen: string[]; bytes: number }> => {
    const engine = open({ archive: path })
    await engine.crawl({ url: server.url('/'), sitemap: 'skip', scrapeOptions: { headers } }).finished()
    await engine.close()
    const bytes = (await stat(path)).size + (await stat(`${path}.cdxj`)).size
    return { seen: await listRecords(path), bytes }
  }
  const requests = (seen: readonly string[]): number => seen.filter((one) => one.startsWith('request /')).length
  const countPages = (seen: readonly string[]): number =>
    seen.filter((one) => /^re(?:visit|sponse) \/[a-c]?$/.test(one)).length
  const first = await crawl()
  expect(countPages(first.seen)).toBe(4)
  const second = await crawl()
  expect(countPages(second.seen)).toBe(8)
  // The request of robots.txt, whose body is written again for its size, is the only one.
  expect(requests(second.seen) - requests(first.seen)).toBe(1)
  expect((second.bytes - first.bytes) / first.bytes).toBeLessThan(0.05)
  const changed = await crawl({ 'accept-language': 'fr' })
  expect(requests(changed.seen) - requests(second.seen)).toBeGreaterThanOrEqual(4)
  await rm(`${path}.cdxj`)
  const again = await crawl()
  // What the first requests were is not known any more.
  expect(requests(again.seen) - requests(changed.seen)).toBeGreaterThanOrEqual(4)
  expect(countPages(again.seen)).toBe(16)
})

test('a body that an earlier archive has is a revisit record', async () => {
  await using server = await site()
  const [first, second] = [join(folder, 'first.warc.gz'), join(folder, 'second.warc.gz')]
  const engine = open({ archive: first })
  await engine.scrape(server.url('/a'))
  await engine.close()
  const later = open({ archive: warc(second, { dedupe: first }) })
  await later.scrape(server.url('/a'))
  await later.close()
  expect(await listRecords(second)).toContain('revisit /a')
  const reader = open({})
  const read: string[] = []
  for await (const { metadata } of reader.archive([first, second])) read.push(metadata.title ?? '')
  expect(read).toEqual(['A', 'A'])
})

test('an archive of a job has its pages alone, and robots.txt', async () => {
  await using server = await site()
  const path = join(folder, 'job.warc.gz')
  const engine = open({})
  await engine.batchScrape({ urls: [server.url('/b')] }).finished()
  await engine.batchScrape({ urls: [server.url('/a')], archive: path }).finished()
  await engine.scrape(server.url('/b'))
  await engine.close()
  const seen = await listRecords(path)
  expect(seen).toContain('response /a')
  expect(seen).not.toContain('response /b')
})

test('files of an archive are rolled by size, and a further process continues the last one', async () => {
  await using server = await site()
  const path = join(folder, 'parts')
  for (let round = 0; round < 2; round++) {
    const engine = open({ archive: { ...warc(path, { dedupe: false }), maxBytes: 1_000_000 } })
    await engine.scrape(server.url('/page/big?bytes=1'))
    await engine.close()
  }
  const names = (await readdir(path)).toSorted()
  expect(names).toEqual(['archive-00000.warc.gz', 'archive-00000.warc.gz.cdxj'])
  expect(await listRecords(join(path, 'archive-00000.warc.gz'))).toHaveLength(5)
})

test('no credential of a request is written, unless `keepCredentials` is set', async () => {
  await using server = await site()
  const secrets = ['Bearer s3cretToken', 's3cretKey', 's3cretCookie', 'x-secret=1']
  for (const keepCredentials of [false, true]) {
    const path = join(folder, `${keepCredentials}.warc.gz`)
    const engine = open({ archive: warc(path, { keepCredentials }) })
    const headers = { authorization: 'Bearer s3cretToken', 'x-shop-key': 's3cretKey', cookie: 'x-secret=1' }
    await engine.scrape(server.url('/old'), { headers })
    await engine.batchScrape({ urls: [server.url('/a')], headers }).finished()
    await engine.close()
    const text = gunzipSync(await readFile(path)).toString('latin1')
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(keepCredentials)
  }
})

test('a torn record is cut off when the archive is opened again, and a lost index is made again', async () => {
  await using server = await site()
  const path = join(folder, 'crawl.warc.gz')
  const first = open({ archive: path })
  await first.scrape(server.url('/a'))
  await first.scrape(server.url('/b'))
  await first.close()
  const { size } = await stat(path)
  const index = await readFile(`${path}.cdxj`, 'utf8')
  for (const damage of ['torn record', 'half a record', 'torn index', 'no index']) {
    if (damage === 'torn record') await appendFile(path, (await readFile(path)).subarray(-60, -20))
    if (damage === 'half a record') await truncate(path, size - 10)
    if (damage === 'torn index') await truncate(`${path}.cdxj`, index.length - 30)
    if (damage === 'no index') await rm(`${path}.cdxj`)
    const engine = open({ archive: path })
    await engine.scrape(server.url('/a'))
    await engine.close()
    const seen = await listRecords(path)
    expect(
      seen.filter((one) => one === 'response /a'),
      damage,
    ).toHaveLength(1)
    expect(seen.at(-1), damage).toBe('revisit /a')
    expect(
      (await listIndex(path)).map(({ url }) => new URL(url).pathname).filter((one) => one === '/a').length,
      damage,
    ).toBe(seen.filter((one) => one.endsWith(' /a') && !one.startsWith('request')).length)
  }
})

test('a WACZ is packed when the engine is closed, and read again', async () => {
  await using server = await site()
  const path = join(folder, 'crawl.wacz')
  const engine = open({ archive: wacz(path) })
  await engine.crawl({ url: server.url('/'), sitemap: 'skip' }).finished()
  await engine.close()
  expect(await readdir(folder)).toEqual(['crawl.wacz'])
  // Another program reads the zip.
  const names = execFileSync('python3', [
    '-c',
    'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("\\n".join(z.namelist()))',
    path,
  ]).toString()
  expect(names.trim().split('\n')).toEqual([
    'archive/archive-00000.warc.gz',
    'indexes/index.cdxj',
    'pages/pages.jsonl',
    'datapackage.json',
    'datapackage-digest.json',
  ])
  const reader = open({})
  const read: string[] = []
  for await (const { metadata } of reader.archive(path))
    if (metadata.statusCode === 200) read.push(metadata.title ?? '')
  expect(read.toSorted()).toEqual(['A', 'B', 'Home'])
})
