import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const types = { '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png' }
const folder = fileURLToPath(new URL('docs/', import.meta.url))

/** Serves the documentation site that lies beside this file, on a free port of this machine. */
export async function serveDocs() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const file = join(folder, normalize(decodeURIComponent(pathname)))
    if (existsSync(file) && statSync(file).isDirectory()) {
      if (!pathname.endsWith('/')) return response.writeHead(301, { location: `${pathname}/` }).end()
      return send(join(file, 'index.html'))
    }
    return send(file)

    function send(path) {
      if (!path.startsWith(folder) || !existsSync(path)) {
        return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404 Not Found</h1>')
      }
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
      return createReadStream(path).pipe(response)
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
