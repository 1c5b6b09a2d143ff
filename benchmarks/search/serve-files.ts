import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'

/** Serves the files of folders, each under a prefix. The parent process receives the URL. */
const folders = JSON.parse(process.argv[2] ?? '{}') as Readonly<Record<string, string>>
const server = createServer((request, response) => {
  const path = decodeURI(new URL(request.url ?? '/', 'http://host').pathname)
  const prefix = Object.keys(folders).find((one) => path.startsWith(one))
  const file = prefix === undefined ? '' : join(folders[prefix] ?? '', normalize(path.slice(prefix.length)))
  readFile(file).then(
    (body) => response.writeHead(200, { 'content-type': 'text/html' }).end(body),
    () => response.writeHead(404).end(),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('disconnect', () => process.exit())
