import { mkdir, readFile, rm } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { Document as LangChainDocument } from '@langchain/core/documents'
import { Document as LlamaIndexDocument } from '@llamaindex/core/schema'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Exchange, sendPage } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'
import { BUCKET, credentials, REGION, startS3 } from '../base/store/s3-server.js'
import { blocks, writeModules } from './doc-code.js'
import { startDocSite } from './doc-site.js'

/** The recipes are files of their own in this folder, which is removed at the end. */
const folder = new URL('.loaders/', import.meta.url)
/** Makes vectors that are alike for texts with the same words. */
const embed = async (texts: readonly string[]): Promise<number[][]> =>
  texts.map((text) => {
    const counts = Array.from({ length: 256 }, () => 0.001)
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
      const at = Array.from(word).reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 256, 7)
      counts[at] = (counts[at] ?? 0) + 1
    }
    return counts
  })

/** The functions of the recipe for pgvector. */
interface PgvectorLoader {
  loadSite(url: string, pool: Pool, embedder: typeof embed): Promise<void>
  findChunks(question: string, pool: Pool, embedder: typeof embed): Promise<{ url: string; markdown: string }[]>
}

/** The function of the recipe for changes, and what it needs of a store. */
interface ChangesLoader {
  loadChanges(url: string, run: string, store: ChangeStore): Promise<void>
}

/** A store of chunks, to which the connection breaks after each `room` changes. */
class ChangeStore {
  room = Infinity
  /** Texts of the pages, by path. */
  readonly texts = new Map<string, string>()
  readonly #last = new Map<string, number>()
  #changes: string[] = []

  async replace(url: string, chunks: readonly { markdown: string }[], place: ChangePlace): Promise<void> {
    this.#commit(`replace ${new URL(url).pathname}`, place)
    this.texts.set(new URL(url).pathname, chunks.map(({ markdown }) => markdown).join('\n'))
  }

  async remove(url: string, place: ChangePlace): Promise<void> {
    this.#commit(`remove ${new URL(url).pathname}`, place)
    this.texts.delete(new URL(url).pathname)
  }

  async keepOnly(urls: ReadonlySet<string>): Promise<void> {
    const paths = new Set([...urls].map((url) => new URL(url).pathname))
    for (const path of this.texts.keys()) if (!paths.has(path)) this.texts.delete(path)
  }

  async findLast(jobId: string): Promise<number | undefined> {
    return this.#last.get(jobId)
  }

  takeChanges(): string[] {
    const changes = this.#changes.toSorted()
    this.#changes = []
    return changes
  }

  /** Commits a change. When there is no more room, the program is gone before it learns that the change was committed. */
  #commit(change: string, { jobId, deliveryId }: ChangePlace): void {
    this.#changes.push(change)
    this.#last.set(jobId, deliveryId)
    this.room -= 1
    if (this.room <= 0) throw new Error('killed')
  }
}

interface ChangePlace {
  readonly jobId: string
  readonly deliveryId: number
}

// The first import of a framework takes seconds.
describe('the recipes of docs/guides/loaders.md', { timeout: 120_000 }, () => {
  let site: Site
  const log = vi.spyOn(console, 'log')

  beforeAll(async () => {
    site = await startDocSite()
    await mkdir(folder, { recursive: true })
  })
  afterAll(async () => {
    log.mockRestore()
    await site.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => void log.mockImplementation(() => undefined))
  afterEach(() => log.mockReset())

  /** Runs a recipe with other strings, and returns its module. */
  async function load(name: string, replacements: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const recipe = blocks.find((block) => block.name === name)
    if (!recipe) throw new Error(`there is no recipe ${name}`)
    let { code } = recipe
    for (const [written, actual] of Object.entries(replacements)) {
      expect(code).toContain(`'${written}'`)
      code = code.replace(`'${written}'`, JSON.stringify(actual))
    }
    const options = { origin: site.origin, folder, ports: [], trawl: '../../../src/index.js' }
    await writeModules([{ ...recipe, code }], options)
    return import(new URL(name, folder).href)
  }

  /** Runs a recipe with other strings, and returns what it prints, one call after another. */
  async function run(name: string, replacements?: Readonly<Record<string, string>>): Promise<unknown[]> {
    await load(name, replacements)
    return log.mock.calls.map(([printed]: unknown[]) => printed)
  }

  const ofSite = (...paths: string[]): string[] => paths.map((path) => site.url(path)).toSorted()

  it('make documents of LangChain.js', async () => {
    const [documents] = (await run('langchain-loader.ts')) as [LangChainDocument[]]
    expect(documents.every((document) => document instanceof LangChainDocument)).toBe(true)
    expect(documents.map(({ metadata }) => String(metadata['source'])).toSorted()).toEqual(ofSite('/docs/', '/docs/a'))
    expect(documents[0]).toMatchObject({
      id: `${site.url('/docs/')}#0`,
      pageContent: expect.stringContaining('Some words that are the content.') as unknown,
      metadata: { source: site.url('/docs/'), title: 't', path: ['Page'] },
    })
  })

  it('make documents of LlamaIndex.TS', async () => {
    const [documents] = (await run('llamaindex-loader.ts')) as [LlamaIndexDocument[]]
    expect(documents.every((document) => document instanceof LlamaIndexDocument)).toBe(true)
    expect(documents.map(({ id_ }) => id_).toSorted()).toEqual(ofSite('/docs/', '/docs/a'))
    expect(documents[0]?.getText()).toContain('Some words that are the content.')
    expect(documents[0]?.metadata).toEqual({ url: site.url('/docs/'), title: 't' })
  })

  it('fill a table of pgvector, in PostgreSQL compiled to WebAssembly, and find its chunks', async () => {
    const database = await PGlite.create({ extensions: { vector } })
    const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 4 })
    await server.start()
    const pool = new Pool({ connectionString: `postgres://postgres:postgres@${server.getServerConn()}/postgres` })
    try {
      const { loadSite, findChunks } = (await load('pgvector-loader.ts')) as PgvectorLoader
      await loadSite(site.url('/docs/'), pool, embed)
      const found = await findChunks('Which words are the content?', pool, embed)
      expect(found.map(({ url }) => url).toSorted()).toEqual(ofSite('/docs/', '/docs/a'))
      expect(found[0]?.markdown).toContain('Some words that are the content.')
      const insert = 'INSERT INTO chunks (url, place, path, markdown, embedding, link) VALUES ($1, 7, $2, $3, $4, $1)'
      const [fox = []] = await embed(['the quick brown fox'])
      for (const url of [site.url('/docs/'), 'https://other.example/'])
        await pool.query(insert, [url, [], 'the quick brown fox', JSON.stringify(fox)])
      expect(await findChunks('a brown fox', pool, embed)).toMatchObject([{ markdown: 'the quick brown fox' }, {}, {}])
      // Chunks that a page no longer has are gone after the next run, and those of other pages stay.
      await loadSite(site.url('/docs/'), pool, embed)
      const { rows } = await pool.query<{ url: string; place: number }>('SELECT url, place FROM chunks')
      expect(rows.filter(({ place }) => place === 7).map(({ url }) => url)).toEqual(['https://other.example/'])
      expect(rows).toHaveLength(3)
      // A page that has no text any more has no chunks, and many models refuse an empty list.
      await pool.query(insert, [site.url('/empty/'), [], 'the quick brown fox', JSON.stringify(fox)])
      await loadSite(site.url('/empty/'), pool, (texts) => {
        expect(texts).not.toEqual([])
        return embed(texts)
      })
      const left = await pool.query<{ url: string }>('SELECT url FROM chunks WHERE url = $1', [site.url('/empty/')])
      expect(left.rows).toEqual([])
      expect(site.requests.some(({ path }) => path === '/empty/')).toBe(true)
      // The text of an error page is not the page's.
      await pool.query(insert, [site.url('/gone'), [], 'the quick brown fox', JSON.stringify(fox)])
      await loadSite(site.url('/gone'), pool, embed)
      const gone = await pool.query<{ url: string }>('SELECT url FROM chunks WHERE url = $1', [site.url('/gone')])
      expect(gone.rows).toEqual([])
    } finally {
      await pool.end()
      await server.stop()
      await database.close()
    }
  })

  it('load only what has changed, each change once, although the process dies', async () => {
    const { loadChanges } = (await load('changes-loader.ts')) as ChangesLoader
    let words = 'Some words that are the content.'
    let isGone = false
    const pages = {
      '/guide/': () =>
        `<main><h1>Guide</h1><p>The start.</p><a href="a">a</a>${isGone ? '' : '<a href="b">b</a>'}</main>`,
      '/guide/a': () => `<main><h1>A</h1><p>${words}</p></main>`,
      '/guide/b': () => (isGone ? undefined : '<main><h1>B</h1><p>A page that will be deleted.</p></main>'),
    }
    const handlers = Object.entries(pages).map(([path, write]) => {
      const answer = (exchange: Exchange) => sendPage(exchange, write() ?? 'gone', write() === undefined ? 404 : 200)
      return [path, answer] as const
    })
    await using guide = await startSite({ pages: Object.fromEntries(handlers) })
    const store = new ChangeStore()
    const loadRun = (name: string): Promise<void> => loadChanges(guide.url('/guide/'), name, store)

    store.room = 1
    await expect(loadRun('week 1')).rejects.toThrow('killed')
    store.room = Infinity
    await loadRun('week 1')
    expect(store.takeChanges()).toEqual(['replace /guide/', 'replace /guide/a', 'replace /guide/b'])
    await loadRun('week 1')
    await loadRun('week 2')
    expect(store.takeChanges()).toEqual([])

    words = 'Other words that are the content.'
    isGone = true
    store.room = 1
    await expect(loadRun('week 3')).rejects.toThrow('killed')
    store.room = Infinity
    await loadRun('week 3')
    expect(store.takeChanges()).toEqual(['remove /guide/b', 'replace /guide/', 'replace /guide/a'])
    expect(store.texts.get('/guide/a')).toContain('Other words')
  })

  it('end with a store that equals the site, where pages move, are gone, are forbidden or fail, and the loop dies', async () => {
    const { loadChanges } = (await load('changes-loader.ts')) as ChangesLoader
    const all = ['a', 'moved', 'merged', 'gone', 'unlinked', 'forbidden', 'failing']
    const states = new Map<string, { status: number; location?: string }>()
    let [linked, disallowed, text] = [all, 'nothing', 'first']
    const write = (path: string): string => {
      const links = path === '/guide/' ? linked.map((name) => `<a href="${name}">${name}</a>`) : []
      const words = `The ${text} words of ${path}, which are its content.`
      return `<main><h1>${path}</h1><p>${words}</p>${links.join(' ')}</main>`
    }
    const answer = (exchange: Exchange): void => {
      const { url, response } = exchange
      const { status = 200, location } = states.get(url.pathname) ?? {}
      if (location !== undefined) response.writeHead(301, { location }).end()
      else sendPage(exchange, status === 200 ? write(url.pathname) : 'no', status)
    }
    const paths = ['', ...all, 'new'].map((name) => [`/guide/${name}`, answer] as const)
    const robots = ({ response }: Exchange) => response.end(`User-agent: *\nDisallow: /guide/${disallowed}`)
    await using guide = await startSite({ pages: { ...Object.fromEntries(paths), '/robots.txt': robots } })
    const store = new ChangeStore()
    const loadRun = (name: string): Promise<void> => loadChanges(guide.url('/guide/'), name, store)
    const stored = (): string[] => [...store.texts.keys()].map((path) => path.slice('/guide/'.length)).toSorted()

    await loadRun('site, day 1')
    expect(stored()).toEqual(['', ...all].toSorted())
    states.set('/guide/moved', { status: 301, location: '/guide/new' })
    states.set('/guide/merged', { status: 301, location: '/guide/a' })
    states.set('/guide/gone', { status: 404 })
    states.set('/guide/unlinked', { status: 404 })
    linked = all.filter((name) => name !== 'unlinked')
    disallowed = 'forbidden'
    text = 'second'
    store.room = 2
    await expect(loadRun('site, day 2')).rejects.toThrow('killed')
    store.room = Infinity
    // The run is not continued, and its pages are not lost.
    await loadRun('site, day 3')
    expect(stored()).toEqual(['', 'a', 'failing', 'new'])
    for (const words of store.texts.values()) expect(words).toContain('second')
  })

  it('store documents in an S3 bucket, through unstorage', async () => {
    const server = await startS3({ sessionToken: undefined })
    try {
      const printed = await run('s3-loader.ts', {
        crawler: BUCKET,
        'https://minio.example.com:9000': server.endpoint,
        'us-east-1': REGION,
        'an id': credentials.accessKeyId,
        'a secret': credentials.secretAccessKey,
      })
      expect(printed).toEqual([expect.stringContaining('Some words that are the content.')])
      const keys = [...server.objects.keys()]
      expect(keys).toEqual(keys.map(() => expect.stringMatching(/^\/bucket-1\/pages\/[0-9a-f]{64}\.json$/)))
      const stored = [...server.objects.values()].map(({ body }) => JSON.parse(body.toString()) as LoadedDocument)
      expect(stored.map(({ metadata }) => metadata.url).toSorted()).toEqual(ofSite('/docs/', '/docs/a'))
    } finally {
      await server.close()
    }
  })

  it('write documents through a stream of Node', async () => {
    const file = new URL('pages.ndjson', folder)
    await run('stream-loader.ts', { 'pages.ndjson': file.pathname })
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const documents = lines.map((line) => JSON.parse(line) as LoadedDocument)
    expect(documents.map(({ metadata }) => metadata.url).toSorted()).toEqual(ofSite('/docs/', '/docs/a'))
  })

  it('write documents through a web stream', async () => {
    const lengths = await run('web-stream-loader.ts')
    expect(lengths).toHaveLength(2)
    for (const length of lengths) expect(length).toBeGreaterThan(100)
  })
})

/** The part of a stored document that is looked at. */
interface LoadedDocument {
  readonly metadata: { readonly url: string }
}
