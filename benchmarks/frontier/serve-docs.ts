import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { generateSite } from '../../test/site/generate-site.js'

/** Pages to serve: folders under a prefix, or a generated site with this number of pages. */
export interface ServedDocs {
  readonly folders: Readonly<Record<string, string>>
  /** Delay of each response, in milliseconds. @default 0 */
  readonly latencyMs?: number
  readonly generated?: { readonly pages: number; readonly blocksFrom: string }
}

const { folders, latencyMs = 0, generated } = JSON.parse(process.argv[2] ?? '{}') as ServedDocs
/** Search indexes of documentation, which crawls with a goal ask for. */
const SEARCH_INDEX = /search[-_]?index[\w.-]*\.js(?:on)?$/
/** Types of files that are no pages of HTML. */
const TYPES: Readonly<Record<string, string>> = { txt: 'text/plain', js: 'text/javascript', json: 'application/json' }
const pages = new Map<string, Buffer>()
if (generated) for (const [path, html] of generateSite(generated)) pages.set(path, Buffer.from(html))
for (const [prefix, folder] of Object.entries(folders)) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, normalize(name))
    if ((/\.(html|txt)$/.test(name) || SEARCH_INDEX.test(name)) && statSync(file).isFile())
      pages.set(`${prefix}${name}`, readFileSync(file))
  }
}
// Computed before robots.txt and the sitemap are added, which are not pages.
const named = [...pages.keys()].filter((path) => path.endsWith('.html'))
if (!generated) {
  const links = Object.keys(folders).map((prefix) => `<li><a href="${prefix}index.html">${prefix}</a></li>`)
  pages.set('/', Buffer.from(`<!doctype html><title>Start</title><ul>${links.join('')}</ul>`))
}

let requests = 0
const server = createServer((request, response) => {
  requests += 1
  const path = decodeURI(new URL(request.url ?? '/', 'http://host').pathname)
  const body = pages.get(path)
  response.statusCode = body ? 200 : 404
  response.setHeader('content-type', TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'text/html')
  const content = body ?? '<!doctype html><title>Not found</title><p>There is no such page.</p>'
  if (latencyMs === 0) response.end(content)
  else setTimeout(() => response.end(content), latencyMs)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const rules = Array.from({ length: 50 }, (_, nth) => `Disallow: /private-${nth}/*/edit$`)
  pages.set('/robots.txt', Buffer.from(['User-agent: *', ...rules, `Sitemap: ${origin}/sitemap.xml`].join('\n')))
  const urls = named.map((path) => `<url><loc>${origin}${encodeURI(path)}</loc><lastmod>2026-01-02</lastmod></url>`)
  pages.set(
    '/sitemap.xml',
    Buffer.from(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>`),
  )
  process.send?.(`${origin}/`)
})
// Any message of the parent asks for the number of requests so far.
process.on('message', () => process.send?.(requests))
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
