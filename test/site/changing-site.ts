import { createHash } from 'node:crypto'
import { afterEach } from 'vitest'
import { createEngine, type Engine, type EngineConfig } from '../../src/index.js'
import type { Handler } from './exchange.js'
import { startSite, type Site } from './site.js'

/** A page of a site that can be rewritten. */
export interface ChangingPage {
  readonly links: readonly string[]
  readonly text?: string
}

export interface ChangingSiteOptions {
  /** Whether pages have ETags, and answer 304. @default true */
  readonly hasValidators?: boolean
  /** Paths that stand in a sitemap. @default there is none */
  readonly sitemap?: readonly string[]
  /** What the sitemap gives as the date of a page. @default a minute of its own in 2020 */
  readonly lastmod?: (path: string) => string
  /** How much there is in each page's head that nobody reads. Characters. @default 0 */
  readonly padding?: number
}

/** A site and an engine, closed after each test, or before when another is to be opened. */
export interface ChangingSite {
  site: Site
  engine: Engine
  close(): Promise<void>
}

/** What the server says beside a page's own headers, about. */
const STATUS_BYTES = 120

export const pathOf = (url: string): string => new URL(url).pathname

export function useChangingSite(): ChangingSite {
  const on = {
    async close() {
      await on.engine.close()
      await on.site.close()
    },
  } as ChangingSite
  afterEach(() => on.close())
  return on
}

/** Words that no two pages have in common. */
const writeWords = (path: string): string =>
  Array.from({ length: 40 }, (_, index) =>
    createHash('sha1').update(`${path} ${index}`).digest('hex').slice(0, 6).replace(/\d/g, 'o'),
  ).join(' ')

/** Opens a site of these pages, linked as given; what is linked and not given is a page without links. */
export async function openChangingSite(
  on: ChangingSite,
  links: Readonly<Record<string, readonly string[]>>,
  options: ChangingSiteOptions = {},
  config: EngineConfig = {},
) {
  const { hasValidators = true, sitemap, padding = 0 } = options
  const lastmod = options.lastmod ?? ((path) => new Date(Date.UTC(2020, 1, 2) + path.length * 61_000).toISOString())
  const pages = new Map<string, ChangingPage>()
  for (const path of [...Object.values(links).flat(), ...(sitemap ?? [])]) pages.set(path, { links: [] })
  for (const [path, linked] of Object.entries(links)) pages.set(path, { links: linked })
  /** Files that are no pages, such as pictures, by path. They have ETags. */
  const files = new Map<string, string | Buffer>()
  /** Paths that were asked for. */
  const asked: string[] = []
  const sent = { bytes: 0 }
  /** Statuses of the next answers, by path; 0 for a closed connection. */
  const failures = new Map<string, number[]>()
  const clock = { now: Date.parse('2026-11-20T10:00:00Z') }

  const answer: Handler = ({ request, response, url }) => {
    const send = (status: number, headers: Record<string, string>, body = ''): void => {
      sent.bytes += STATUS_BYTES + Buffer.byteLength(body) + JSON.stringify(headers).length
      response.writeHead(status, headers).end(body)
    }
    if (url.pathname === '/sitemap.xml' && sitemap) {
      const entries = sitemap.map(
        (path) => `<url><loc>${on.site.url(path)}</loc><lastmod>${lastmod(path)}</lastmod></url>`,
      )
      return send(200, { 'content-type': 'application/xml' }, `<urlset>${entries.join('')}</urlset>`)
    }
    asked.push(url.pathname)
    const failure = failures.get(url.pathname)?.shift()
    if (failure === 0) return void response.destroy()
    if (failure !== undefined) return send(failure, { 'content-type': 'text/html' }, '<p>Come back later.</p>')
    const file = files.get(url.pathname)
    if (file !== undefined) {
      const etag = `"${createHash('sha1').update(file).digest('hex')}"`
      const isKnown = request.headers['if-none-match'] === etag
      // What a file is, its bytes tell.
      response.writeHead(isKnown ? 304 : 200, { 'content-type': 'application/octet-stream', etag })
      return void response.end(isKnown ? undefined : file)
    }
    const page = pages.get(url.pathname)
    if (!page) return send(404, { 'content-type': 'text/html' }, '<title>404</title><p>There is no such page.</p>')
    const anchors = page.links.map((href) => `<a href="${href}">to ${href}</a>`).join(' ')
    const text = page.text ?? ''
    const body =
      `<!doctype html><title>${url.pathname}</title><style>${' '.repeat(padding)}</style><main><h1>Page ${url.pathname}</h1>` +
      `<p>${text} ${writeWords(url.pathname)}</p><p>${anchors}</p></main>`
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`
    const headers = { 'content-type': 'text/html', ...(hasValidators && { etag }) }
    return request.headers['if-none-match'] === etag ? send(304, headers) : send(200, headers, body)
  }
  on.site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
  on.engine = createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    retry: { backoffMs: 1 },
    now: () => clock.now,
    ...config,
  })
  return { site: on.site, engine: on.engine, pages, files, asked, failures, sent, clock, start: on.site.url('/') }
}
