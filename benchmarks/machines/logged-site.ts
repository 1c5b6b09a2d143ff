import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

/** A request that a site has answered, on its own clock. Milliseconds. */
export interface Visit {
  readonly path: string
  readonly startMs: number
  readonly endMs: number
}

/** A folder that is served as a site, with a log of its visits. */
export interface LoggedSite {
  readonly origin: string
  /** Visits since the last {@link LoggedSite.reset}, without that of robots.txt. */
  readonly visits: readonly Visit[]
  /** Maximum number of visits at the same time. */
  most(): number
  reset(): void
  close(): Promise<void>
}

/** How a site answers. */
export interface SiteBehaviour {
  readonly latencyMs: number
  /** `Crawl-delay` of its robots.txt. Milliseconds. */
  readonly crawlDelayMs?: number
}

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.txt': 'text/plain', '.css': 'text/css' }

/** Serves a folder below `/docs/`. */
export async function serveLogged(
  folder: string,
  { latencyMs, crawlDelayMs }: SiteBehaviour = { latencyMs: 0 },
): Promise<LoggedSite> {
  let visits: Visit[] = []
  let active = 0
  let most = 0
  const robots = `User-agent: *\n${crawlDelayMs === undefined ? 'Disallow:' : `Crawl-delay: ${crawlDelayMs / 1000}`}`
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    if (pathname === '/robots.txt') {
      response.setHeader('content-type', 'text/plain').end(robots)
      return
    }
    const startMs = performance.now()
    most = Math.max(most, ++active)
    const body = readPage(folder, pathname)
    setTimeout(() => {
      active -= 1
      visits.push({ path: pathname, startMs, endMs: performance.now() })
      response.statusCode = body ? 200 : 404
      response.setHeader('content-type', TYPES[extname(pathname)] ?? 'text/html')
      response.end(body ?? '<!doctype html><title>Not found</title><p>There is no such page.</p>')
    }, latencyMs)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get visits() {
      return visits
    },
    most: () => most,
    reset() {
      visits = []
      most = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function readPage(folder: string, pathname: string): Buffer | undefined {
  const path = decodeURI(pathname)
  if (!path.startsWith('/docs/')) return undefined
  const file = join(folder, normalize(path.slice('/docs'.length)))
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined
}
