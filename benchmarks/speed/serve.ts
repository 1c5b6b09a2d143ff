import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { generateSite } from '../../test/site/generate-site.js'

/** Pages to serve: folders under a prefix, or a generated site with this number of pages. */
export interface Served {
  readonly folders?: Readonly<Record<string, string>>
  readonly generated?: { readonly pages: number; readonly blocksFrom: string }
  /** Time until an answer. Milliseconds. @default 0 */
  readonly latencyMs?: number
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.txt': 'text/plain',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
}

const served = JSON.parse(process.argv[2] ?? '{}') as Served
const { latencyMs = 0 } = served
const pages = new Map<string, Buffer>()
if (served.generated) for (const [path, html] of generateSite(served.generated)) pages.set(path, Buffer.from(html))
const links = Object.keys(served.folders ?? {}).map((prefix) => `<li><a href="${prefix}index.html">${prefix}</a></li>`)
if (links.length > 0) pages.set('/', Buffer.from(`<!doctype html><title>Start</title><ul>${links.join('')}</ul>`))

/** Returns the page at a path, from memory after the first time, so that the disk is not measured. */
function find(path: string): Buffer | undefined {
  const known = pages.get(path)
  if (known) return known
  const prefix = Object.keys(served.folders ?? {}).find((candidate) => path.startsWith(candidate))
  if (prefix === undefined) return undefined
  const file = join(served.folders?.[prefix] ?? '', normalize(`/${path.slice(prefix.length)}`))
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  const body = readFileSync(file)
  pages.set(path, body)
  return body
}

/** Returns the path of a URL; undefined if it is not valid. */
function readPath(url: string): string | undefined {
  try {
    return decodeURI(new URL(url, 'http://host').pathname)
  } catch {
    return undefined
  }
}

const server = createServer((request, response) => {
  const path = readPath(request.url ?? '/')
  const body = path === undefined ? undefined : find(path)
  response.statusCode = body ? 200 : 404
  response.setHeader('content-type', types[extname(path ?? '')] ?? 'text/html')
  const answer = body ?? '<!doctype html><title>Not found</title><p>There is no such page.</p>'
  if (latencyMs === 0) response.end(answer)
  else setTimeout(() => response.end(answer), latencyMs)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(`http://127.0.0.1:${address?.port}/`)
})
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
