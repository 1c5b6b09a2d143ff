import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type Document,
  type EngineConfig,
  type LanguageModel,
  memoryStore,
  sqlite,
  type Store,
  storeCache,
  type StoredEntry,
  writeReport,
} from '../../../src/index.js'
import { runHere } from '../../cli/run-here.js'
import { type Pages, useEngineSite } from '../../site/engine-site.js'
import { startReceiver } from '../../site/receiver.js'

const on = useEngineSite()
const folders: string[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-redact-'))
  folders.push(folder)
  vi.stubEnv('TMPDIR', folder)
  return folder
}

/** What must not be found anywhere: parts of the values, as they may be written. */
const PARTS = ['quillfeather', '7654321', '76 54 321', '0532 0130', '05320130', 'Ffk29dKq1Zp']
const KEY = ['gh', 'p_', 'Ffk29dKq1Zp'.repeat(4).slice(0, 36)].join('')
const MAIL = 'anna.quillfeather@example.org'

const page = (title: string, ...links: string[]): string => `<!doctype html><html lang="de"><head>
  <title>${title}: ${MAIL}</title><meta name="description" content="Tel. +49 30 7654321">
  <meta name="author" content="${MAIL}">
  <script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Nord","telephone":"+49307654321","email":"anna.quillfeather\\u0040example.org"}</script>
  </head><body><nav><a href="mailto:${MAIL}">Mail</a> <a href="tel:+49-30-7654321">Call</a></nav>
  <main><h1>${title}</h1>
  <p>Write to <b>anna.quillfeather</b>@example.org or anna.quillfeather&#64;example.org about the matter of ${title}, which
  is described here in a text that is long enough to be the content of a page, with words of its own.</p>
  <p hidden>Hidden ${MAIL}</p>
  <table><tr><th>Name</th><th>Telefon</th><th>IBAN</th></tr><tr><td>Nord</td><td>030 76 54 321</td><td>DE89 3704 0044 0532 0130 00</td></tr>
  <tr><td>West</td><td>030 7654321</td><td>DE89370400440532013000</td></tr></table>
  <pre><code>export TOKEN=${KEY}</code></pre>
  <p><img src="/photo.png?owner=${encodeURIComponent(MAIL)}" alt="Photo by ${MAIL}"></p>
  ${links.map((href) => `<p>See also <a href="${href}" title="${MAIL}">the page ${href.split('?', 1)[0]}</a> for more.</p>`).join('')}
  <p>${`The matter of ${title} is long. `.repeat(20)}</p></main>
  <footer>${MAIL}</footer></body></html>`

const pages: Pages = {
  '/': page('Start', '/a', '/b', '/moved', '/gone', `/u?mail=${encodeURIComponent(MAIL)}`, `/p/${MAIL}`),
  '/a': page('Part A', '/b'),
  '/b': page('Part B', '/'),
  '/moved': ({ response }) => response.writeHead(302, { location: `/welcome?mail=${encodeURIComponent(MAIL)}` }).end(),
  '/welcome': page('Welcome'),
  '/gone': ({ response }) => response.writeHead(404, { 'content-type': 'text/html' }).end(page('Gone')),
  '/sitemap.xml': ({ response, url }) =>
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<urlset><url><loc>${new URL('/b', url).href}</loc></url><url><loc>${new URL(`/q/${MAIL}`, url).href}</loc></url></urlset>`,
      ),
}

const shown = (value: unknown): string =>
  inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity })

const findParts = (text: string): string[] => {
  const decoded = text.replaceAll(/%40/gi, '@').toLowerCase()
  return PARTS.filter((part) => decoded.includes(part.toLowerCase()))
}

/** Reads a file with what is compressed within it. */
function readPacked(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  const packed = text.match(/[A-Za-z0-9+/]{100,}={0,2}/g) ?? []
  const unpacked = packed.flatMap((part) =>
    [inflateRawSync, gunzipSync, inflateSync].flatMap((unpack) => {
      try {
        return [unpack(Buffer.from(part, 'base64')).toString('utf8')]
      } catch {
        return []
      }
    }),
  )
  return [text, ...unpacked].join('\n')
}

/** A store that notes all that it is given. */
function noteStored(): { store: Store; stored: string[] } {
  const stored: string[] = []
  const store = memoryStore()
  const note = (key: string, { facts, bodies = {} }: StoredEntry): void => {
    const texts = Object.values(bodies).map((bytes) => Buffer.from(bytes).toString('latin1'))
    stored.push(key, JSON.stringify(facts), ...texts)
  }
  return {
    stored,
    store: {
      get: (key) => store.get(key),
      delete: (key) => store.delete(key),
      close: () => store.close(),
      async set(key, entry) {
        note(key, entry)
        await store.set(key, entry)
      },
    },
  }
}

/** Finds the values in the names and the contents of files: databases are read as they are. */
async function findInFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name)
    if (!(await stat(path)).isFile()) continue
    const parts = findParts(`${name}\n${readPacked(await readFile(path))}`)
    if (parts.length > 0) found.push(`${name}: ${parts.join(', ')}`)
  }
  return found
}

async function readAll(job: AsyncIterable<Document>): Promise<Document[]> {
  const documents: Document[] = []
  for await (const document of job) documents.push(document)
  return documents
}

const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', 'chunks', 'summary', 'changeTracking'] as const
const fast = { mode: 'fast' } as const

describe('redactPII', () => {
  it('leaves no value in documents, files, tables, messages and reports of a crawl', { timeout: 60_000 }, async () => {
    const folder = await newFolder()
    const asked: string[] = []
    const model: LanguageModel = ({ prompt, system }) => {
      asked.push(prompt, system ?? '')
      return Promise.resolve({ text: '{"summary":"A page."}', usage: { inputTokens: 1, outputTokens: 1 } })
    }
    const receiver = await startReceiver()
    const [cached, kept] = [noteStored(), noteStored()]
    const config: EngineConfig = {
      cache: storeCache(cached.store),
      snapshots: kept.store,
      ledger: sqlite(join(folder, 'jobs.db')),
      index: true,
      model,
      fetcher: 'http',
      retry: { maxRetries: 0 },
    }
    await on.open(pages, config)
    const failures: unknown[] = []
    const told: unknown[] = []
    for (let round = 0; round < 2; round += 1) {
      const crawl = on.engine.crawl({
        url: on.site.url('/'),
        webhook: { url: receiver.url },
        scrapeOptions: { redactPII: fast, formats: [...formats], trace: true, onlyMainContent: round === 0 },
      })
      crawl.on('failed', (failure) => failures.push(failure))
      const documents = await readAll(crawl)
      expect(documents.length).toBeGreaterThanOrEqual(4)
      for (const { redaction, markdown } of documents) {
        expect(redaction?.counts).toMatchObject({ EMAIL: 1, PHONE: expect.any(Number), FINANCIAL: 1, SECRET: 1 })
        expect(markdown).toContain('[EMAIL_1]')
      }
      const rows = []
      for await (const row of crawl.urls()) rows.push(row)
      const paths = rows.map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search)
      expect(new Set(paths)).toEqual(new Set(['/', '/a', '/b', '/gone', '/moved', '/welcome?mail=[EMAIL_1]']))
      const status = await crawl.finished()
      expect(status.warning).toContain(
        'URLs that contain data which is removed from pages, for example those of sitemaps, were left out',
      )
      const hits = await crawl.search('matter')
      expect(hits.length).toBeGreaterThan(0)
      const explained = await Promise.all(['/', '/moved', '/gone'].map((path) => crawl.explain(on.site.url(path))))
      told.push(documents, rows, status, hits, explained, await crawl.errors(), await crawl.search('quillfeather'))
      await writeReport(crawl, join(folder, `report-${round}.html`))
    }
    await expect.poll(() => receiver.types.filter((type) => type === 'crawl.completed').length).toBe(2)
    await on.engine.close()
    await receiver.close()
    expect(findParts(shown([told, failures, receiver.received]))).toEqual([])
    expect(kept.stored.length).toBeGreaterThan(0)
    expect(findParts([...cached.stored, ...kept.stored].join('\n'))).toEqual([])
    expect(asked.length).toBeGreaterThan(4)
    expect(findParts(asked.join('\n'))).toEqual([])
    expect(await findInFiles(folder)).toEqual([])
  })

  it('is the cause: without it the files have the values', async () => {
    const folder = await newFolder()
    const [cached, kept] = [noteStored(), noteStored()]
    const stores = { cache: storeCache(cached.store), snapshots: kept.store, index: true }
    await on.open(pages, { ...stores, ledger: sqlite(join(folder, 'jobs.db')), fetcher: 'http' })
    const crawl = on.engine.crawl({ url: on.site.url('/'), limit: 3 })
    await crawl.finished()
    await writeReport(crawl, join(folder, 'report.html'))
    await on.engine.close()
    const found = await findInFiles(folder)
    expect(new Set(found.map((line) => line.split(':', 1)[0]))).toEqual(
      new Set(['jobs.db', 'jobs.db-search', 'report.html']),
    )
    expect(found.every((line) => line.includes('76 54 321'))).toBe(true)
    expect(findParts(cached.stored.join('\n'))).not.toEqual([])
    expect(findParts(kept.stored.join('\n'))).not.toEqual([])
  })

  it('leaves no value in the comparison with a page that was stored before it was asked for', async () => {
    const site: Record<string, string> = { '/': page('Old') }
    await on.open({ '/': ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end(site['/']) })
    const scrape = (redactPII: false | typeof fast) =>
      on.engine.scrape(on.site.url('/'), {
        redactPII,
        formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }],
      })
    await scrape(false)
    site['/'] = page('New').replaceAll('7654321', '1234567')
    const { changeTracking, ...rest } = await scrape(fast)
    expect(changeTracking?.changeStatus).toBe('changed')
    expect(findParts(shown([changeTracking, rest]))).toEqual([])
    expect((await scrape(fast)).changeTracking?.changeStatus).toBe('same')
  })

  it('leaves no value in what the command line prints and writes', async () => {
    const folder = await newFolder()
    await on.open(pages)
    const flags = ['--redact-pii={"mode":"fast"}', '--fetcher', 'http', '--limit', '4']
    const output = join(folder, 'pages.ndjson')
    const crawled = await runHere([
      'crawl',
      on.site.url('/'),
      '--output',
      output,
      '--database',
      join(folder, 'c.db'),
      ...flags,
    ])
    expect(crawled.stderr).not.toContain('is no flag')
    expect(crawled.code).toBe(0)
    expect(findParts(crawled.stdout + crawled.stderr)).toEqual([])
    expect(await readFile(output, 'utf8')).toContain('[EMAIL_1]')
    expect(await findInFiles(folder)).toEqual([])
  })
})
