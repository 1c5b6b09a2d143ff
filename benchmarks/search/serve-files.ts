import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join, normalize } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Serves the files of folders, each under a prefix, with a delay of each answer in milliseconds. The parent process receives the URL. */
const latencyMs = Number(process.argv[3] ?? 0)
const folders = JSON.parse(process.argv[2] ?? '{}') as Readonly<Record<string, string>>
const server = createServer((request, response) => {
  const path = decodeURI(new URL(request.url ?? '/', 'http://host').pathname)
  const prefix = Object.keys(folders).find((one) => path.startsWith(one))
  const file = prefix === undefined ? '' : join(folders[prefix] ?? '', normalize(path.slice(prefix.length)))
  void answer(file, response)
})
async function answer(file: string, response: ServerResponse): Promise<void> {
  const body = await readFile(file).catch(() => undefined)
  if (latencyMs > 0) await sleep(latencyMs)
  if (body) response.writeHead(200, { 'content-type': 'text/html' }).end(body)
  else response.writeHead(404).end()
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('disconnect', () => process.exit())
