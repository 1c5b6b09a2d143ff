import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Links of a page. */
const FANOUT = 20

/** Serves a site of many pages, each with an ETag, in a process of its own. */
const pages = Number(process.argv[2])
const server = createServer((request, response) => {
  const number = request.url === '/' ? 0 : Number(/^\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? NaN)
  if (!(number < pages)) {
    response.writeHead(404).end()
    return
  }
  const headers = { 'content-type': 'text/html', etag: `"${number}"` }
  if (request.headers['if-none-match'] === headers.etag) {
    response.writeHead(304, headers).end()
    return
  }
  const links = Array.from({ length: FANOUT }, (_, at) => number * FANOUT + at + 1)
    .filter((linked) => linked < pages)
    .map((linked) => `<li><a href="/p${linked}">Page ${linked}</a>`)
  const text = `<p>What stands on page ${number}. ${`Words of page ${number} that differ. `.repeat(20)}</p>`.repeat(5)
  response.writeHead(200, headers)
  response.end(
    `<!doctype html><title>Page ${number}</title><main><h1>Page ${number}</h1>${text}<ul>${links.join('')}</ul>`,
  )
})
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
