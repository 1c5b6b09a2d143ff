import { createServer } from 'node:http'
import { makePage } from './make-page.js'

const pages = Number(process.argv[2])

const server = createServer((request, response) => {
  const page = Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? NaN)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (page < pages) response.end(makePage(page, pages))
  else response.writeHead(404).end('<!doctype html><title>Not found</title>')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(`http://127.0.0.1:${address?.port}/p/0`)
})
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
