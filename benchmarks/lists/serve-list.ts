import { createServer } from 'node:http'

/** A list that is served in pages, for a benchmark. */
export interface ServedList {
  readonly pages: number
  readonly rowsPerPage: number
}

const { pages, rowsPerPage } = JSON.parse(process.argv[2] ?? '{}') as ServedList

const listRow = (id: number): string => `
<li class="product">
  <a class="product__link" href="/products/${id}"><img loading="lazy" src="/images/${id}.jpg" alt=""><h3 class="product__title">Lantern ${id} of brass from the harbour</h3></a>
  <p class="product__text">It burns for ${(id % 40) + 8} hours, and was found in the attic of house ${id % 97}.</p>
  <p><span class="price">€ ${(12.5 + id).toFixed(2)}</span> <time datetime="2024-03-${String((id % 28) + 1).padStart(2, '0')}">March ${(id % 28) + 1}</time></p>
</li>`

function printPage(page: number): string {
  const rows = Array.from({ length: rowsPerPage }, (_, at) => listRow((page - 1) * rowsPerPage + at))
  const next = page < pages ? `<a rel="next" href="?page=${page + 1}">Next</a>` : ''
  return `<!doctype html><html lang="en"><head><title>Lanterns, page ${page}</title></head><body>
<header><nav><a href="/">Home</a> <a href="/about">About</a></nav></header>
<main><h1>Lanterns</h1><ul class="products">${rows.join('')}</ul><nav class="pagination">${next}</nav></main>
<footer><p>Lanterns of the harbour</p></footer></body></html>`
}

const bodies = new Map(Array.from({ length: pages }, (_, at) => [String(at + 1), printPage(at + 1)]))
let requests = 0
const server = createServer(({ url = '/' }, response) => {
  requests += 1
  const body = bodies.get(new URL(url, 'http://host').searchParams.get('page') ?? '1')
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(body ?? '<!doctype html><title>Not found</title><p>There is no such page.</p>')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/lanterns`)
})
// Any message of the parent asks for the number of requests so far.
process.on('message', () => process.send?.(requests))
process.on('disconnect', () => process.exit())
