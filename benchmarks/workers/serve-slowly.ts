import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { makePage } from '../ledger/make-page.js'

/** A site to serve: generated pages below `/p/`, and a folder below `/doc/`. */
export interface SlowSite {
  /** Number of generated pages. */
  readonly pages: number
  readonly folder?: string
  /** Delay of each response. Milliseconds. */
  readonly latencyMs: number
}

const { pages, folder, latencyMs } = JSON.parse(process.argv[2] ?? '{}') as SlowSite
const files = new Map<string, Buffer | undefined>()

/** Returns a file of the folder, from memory after the first time. */
function readFile(path: string): Buffer | undefined {
  if (!files.has(path)) {
    const file = join(folder ?? '', normalize(`/${path}`))
    files.set(path, statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined)
  }
  return files.get(path)
}

function find(path: string): string | Buffer | undefined {
  const page = Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? NaN)
  if (page < pages) return makePage(page, pages)
  return folder !== undefined && path.startsWith('/doc/') ? readFile(path.slice('/doc/'.length)) : undefined
}

const server = createServer((request, response) => {
  const body = find(decodeURI(new URL(request.url ?? '/', 'http://host').pathname))
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.statusCode = body === undefined ? 404 : 200
  setTimeout(() => response.end(body ?? '<!doctype html><title>Not found</title>'), latencyMs)
})
// Connections that wait longer than the site between two pages would be closed under the request.
server.keepAliveTimeout = 60_000

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(`http://127.0.0.1:${address?.port}`)
})
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
