import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { type Exchange, htmlPage, sendPage } from './exchange.js'

const contentTypes: Readonly<Record<string, string>> = {
  // A folder's pages name their own charset.
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.pdf': 'application/pdf',
  '.gz': 'application/gzip',
}

/** Serves a file of a folder: `index.html` for a folder, a redirect where its slash is missing, 404 for the rest. */
export async function serveFolder(exchange: Exchange, folder: string, path: string): Promise<void> {
  const file = normalize(join(folder, decodeURIComponent(path)))
  const found =
    file.startsWith(normalize(folder + sep)) || file === normalize(folder) ? await describe(file) : undefined
  if (found === 'folder' && !exchange.url.pathname.endsWith('/')) {
    const location = `${exchange.url.pathname}/${exchange.url.search}`
    return sendPage(exchange, htmlPage('Moved'), 301, { location })
  }
  const served = found === 'folder' ? join(file, 'index.html') : file
  if (found === undefined || (await describe(served)) !== 'file')
    return sendPage(exchange, htmlPage('404 Not Found'), 404)
  const type = contentTypes[extname(served).toLowerCase()] ?? 'application/octet-stream'
  exchange.response.writeHead(200, { 'content-type': type }).end(await readFile(served))
}

async function describe(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    const stats = await stat(path)
    return stats.isDirectory() ? 'folder' : 'file'
  } catch {
    // Not there is an answer.
    return undefined
  }
}
