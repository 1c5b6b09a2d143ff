// What `npm start` runs: crawls the documentation site that lies beside this file, or the site of any URL given.
import { spawn } from 'node:child_process'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const types = { '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png' }
const folder = fileURLToPath(new URL('docs/', import.meta.url))

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

const [given, ...flags] = process.argv.slice(2)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = given ?? `http://127.0.0.1:${server.address().port}/`
const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const child = spawn(process.execPath, [cli, 'crawl', url, '--output', 'trawl-out/', ...flags], { stdio: 'inherit' })
// Ctrl-C reaches the child by itself: it finishes cleanly, and this process ends with it.
process.on('SIGINT', () => undefined)
child.on('exit', (code) => {
  server.close()
  process.exitCode = code ?? 1
})
