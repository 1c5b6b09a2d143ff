import dns from 'node:dns'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { choosePages, readFolder } from '../../../benchmarks/digest/choose-pages.js'
import { createEngine, type EngineConfig, replay } from '../../../src/index.js'
import { compareWords, wordsOf } from '../../bars/compare-words.js'
import { documentationSites } from '../../bars/documentation-sites.js'
import { generateSite } from '../../site/generate-site.js'
import { type Site, startSite } from '../../site/site.js'

/** `npm run test:bars` takes all, or as many as `BARS_PAGES` says; without it, a part of them. */
const isWhole = process.env['BARS'] === 'whole'
const PAGES = Number(process.env['BARS_PAGES'] ?? (isWhole ? 300 : 6))
const MADE_SITES = isWhole ? 14 : 1
const PAGES_OF_SITE = isWhole ? Math.ceil(PAGES / 5) : 8
/** Share of the words of a page, in their order, that a replay in the browser has as well. */
const MIN_TEXT = 0.98

/** A site that is crawled from its start, or whose pages are scraped. */
interface ArchivedSite {
  readonly name: string
  readonly pages: Readonly<Record<string, string>>
  readonly isCrawled: boolean
}

async function listSites(): Promise<ArchivedSite[]> {
  const made = Array.from({ length: MADE_SITES }, (_, at) => ({
    name: `a made site of documentation, ${at + 1}`,
    pages: Object.fromEntries(generateSite({ pages: PAGES_OF_SITE, seed: at + 1 })),
    isCrawled: true,
  }))
  const own = documentationSites
    .filter(({ folder }) => existsSync(join(folder, 'index.html')))
    .map(({ name, folder }) => {
      const pages = readFolder(folder, PAGES_OF_SITE).map(({ url, html }) => [new URL(url).pathname, html] as const)
      const links = pages.map(([path]) => `<li><a href="${path}">${path}</a>`).join('')
      return {
        name,
        pages: { '/': `<title>${name}</title><ul>${links}</ul>`, ...Object.fromEntries(pages) },
        isCrawled: true,
      }
    })
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const { pages, name } = await choosePages(root, PAGES)
  const real = Object.fromEntries(pages.map(({ html }, at) => [`/page/${at}.html`, html]))
  return [...made, ...own, { name, pages: real, isCrawled: false }]
}

let folder = ''
const opened: { readonly archived: ArchivedSite; readonly site: Site }[] = []
const table: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-archived-sites-'))
  for (const archived of await listSites()) {
    const pages = Object.entries(archived.pages).map(([path, html]) => [encodeURI(path), html] as const)
    opened.push({ archived, site: await startSite({ pages: Object.fromEntries(pages) }) })
  }
}, 600_000)
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  if (isWhole) console.log(table.join('\n'))
  await Promise.all(opened.map(({ site }) => site.close()))
  await rm(folder, { recursive: true })
})

// One page after the other: which of two pages of one text is left out depends on which is read first.
const base: EngineConfig = {
  allowPrivateNetworks: true,
  cache: false,
  threads: 0,
  retry: { maxRetries: 0 },
  maxConcurrency: 1,
}

/** Reads a site. @returns its documents by their URL, without what is new in each run */
async function readSite(
  config: EngineConfig,
  { archived, site }: (typeof opened)[number],
): Promise<Map<string, string>> {
  await using engine = createEngine({ ...base, ...config })
  // Over HTTP alone: a replay offers its pages to a browser as well.
  const scrapeOptions = { formats: ['markdown', 'html', 'rawHtml', 'links'], fastMode: true } as const
  const job = archived.isCrawled
    ? engine.crawl({ url: site.url('/'), limit: 1000, scrapeOptions })
    : engine.batchScrape({ urls: Object.keys(archived.pages).map((path) => site.url(path)), ...scrapeOptions })
  const found = new Map<string, string>()
  for await (const { metadata, ...document } of job) {
    const { scrapeId: _id, ...facts } = metadata
    found.set(metadata.sourceURL, JSON.stringify({ ...document, metadata: facts }))
  }
  return found
}

/** Counts what asks for the network: names that are looked up, and sockets that are opened. */
function watchNetwork(): () => number {
  const spies = [vi.spyOn(Socket.prototype, 'connect'), vi.spyOn(dns, 'lookup'), vi.spyOn(dns.promises, 'lookup')]
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

test(
  'documents of archived sites are the same bytes without the network, and no socket is opened',
  { timeout: 3_600_000 },
  async () => {
    for (const [at, one] of opened.entries()) {
      const archive = join(folder, `${at}.warc.gz`)
      const recorded = await readSite({ archive }, one)
      expect(recorded.size, one.archived.name).toBeGreaterThan(3)
      const requests = one.site.requests.length
      const countAsked = watchNetwork()
      const replayed = await readSite({ fetcher: replay(archive) }, one)
      const differing = [...recorded].filter(([url, document]) => replayed.get(url) !== document).map(([url]) => url)
      expect(differing, one.archived.name).toEqual([])
      expect(replayed.size).toBe(recorded.size)
      expect([countAsked(), one.site.requests.length - requests], one.archived.name).toEqual([0, 0])
      vi.restoreAllMocks()
      table.push(`${one.archived.name}: ${recorded.size} documents the same, 0 sockets`)
    }
  },
)

test(
  'texts of archived pages in a browser are those of their sites, which are asked for nothing',
  { timeout: 3_600_000 },
  async () => {
    const urls = opened.flatMap(({ archived, site }) => {
      const paths = Object.keys(archived.pages).filter((path) => path.endsWith('.html'))
      return paths.slice(0, archived.isCrawled ? 1 : PAGES).map((path) => site.url(path))
    })
    const archive = join(folder, 'browser.warc.gz')
    const read = async (config: EngineConfig): Promise<Map<string, string>> => {
      await using engine = createEngine({ ...base, ...config })
      const found = new Map<string, string>()
      // A page that is waited for is loaded in a browser.
      for await (const { metadata, markdown } of engine.batchScrape({ urls, waitFor: 50, onlyMainContent: false }))
        found.set(metadata.sourceURL, markdown)
      return found
    }
    const recorded = await read({ archive })
    expect(recorded.size).toBeGreaterThan(urls.length * 0.9)
    const asked = () => opened.reduce((sum, { site }) => sum + site.requests.length, 0)
    const before = asked()
    const lookups = vi.spyOn(dns, 'lookup')
    const replayed = await read({ fetcher: replay(archive) })
    expect(asked() - before).toBe(0)
    expect(lookups.mock.calls.filter(([host]) => !/^(?:localhost|127\.)/.test(host))).toEqual([])
    const shares = [...recorded].map(([url, text]) => ({
      url,
      share: compareWords(wordsOf(text), wordsOf(replayed.get(url) ?? '')).order,
    }))
    const worst = shares.filter(
      ({ share }, at) => share < MIN_TEXT && wordsOf([...recorded.values()][at] ?? '').length > 0,
    )
    table.push(
      `in a browser: ${shares.length} pages, least ${Math.min(...shares.map(({ share }) => share)).toFixed(3)}`,
    )
    expect(worst).toEqual([])
  },
)
