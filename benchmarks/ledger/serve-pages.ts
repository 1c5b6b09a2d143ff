import { createServer } from 'node:http'

/** Number of pages that a page links to. */
const LINKS_PER_PAGE = 10
/** Number of words of a page. */
const WORDS = 400

const pages = Number(process.argv[2])

/** Generates a page with a unique text, and links to its ten children and its parent. */
function makePage(page: number): string {
  let state = page + 1
  const words = Array.from({ length: WORDS }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state % 46_656).toString(36).padStart(3, 'a')
  })
  const paragraphs = Array.from({ length: 8 }, (_, nth) => `<p>${words.slice(nth * 50, nth * 50 + 50).join(' ')}.</p>`)
  const below = Array.from({ length: LINKS_PER_PAGE }, (_, nth) => page * LINKS_PER_PAGE + nth + 1).filter(
    (child) => child < pages,
  )
  const links = below.map((child) => `<li><a href="/p/${child}">page ${child}</a></li>`).join('')
  return `<!doctype html><title>Page ${page}</title><main><h1>Page ${page}</h1>${paragraphs.join('\n')}<ul>${links}</ul></main>`
}

const server = createServer((request, response) => {
  const page = Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? NaN)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (page < pages) response.end(makePage(page))
  else response.writeHead(404).end('<!doctype html><title>Not found</title>')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(`http://127.0.0.1:${address?.port}/p/0`)
})
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
