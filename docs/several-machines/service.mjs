// A service that starts crawls and tells how they stand. Workers scrape their pages.
import { createServer } from 'node:http'
import process from 'node:process'
import { createEngine, postgres } from 'trawl'

const engine = createEngine({
  // The password is in PGPASSWORD.
  ledger: postgres({ connectionString: process.env.DATABASE_URL }),
  // Of all machines together: without it, workers would find nothing to do in a crawl of one site.
  maxConcurrencyPerSite: 40,
  // The jobs of processes that have ended, if no worker has continued them.
  resume: true,
})

const routes = new Map([
  [
    'POST /crawl',
    async ({ url, limit = '100' }) => {
      const job = engine.crawl({ url, limit: Number(limit) })
      // From now on, any engine finds it.
      await job.prepared()
      return { id: job.id }
    },
  ],
  // Of any engine: workers may run the job.
  ['GET /crawl', async ({ id = '', skip = '0' }) => (await engine.job(id))?.status({ skip: Number(skip), limit: 20 })],
  ['DELETE /crawl', async ({ id = '' }) => (await engine.job(id))?.cancel()],
  ['GET /health', () => engine.health()],
])

async function answer({ method, url }) {
  const { pathname, searchParams } = new URL(url, 'http://service')
  const route = routes.get(`${method} ${pathname}`)
  try {
    const body = await route?.(Object.fromEntries(searchParams))
    if (body === undefined) return [404, { error: 'not found' }]
    return [body.ledger?.error === undefined ? 200 : 503, body]
  } catch (error) {
    return [error.status ?? 500, { error: error.message, code: error.code }]
  }
}

async function respond(request, response) {
  const [status, body] = await answer(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const server = createServer((request, response) => void respond(request, response))
server.listen(3002, process.env.HOST ?? '127.0.0.1')

// Finishes the pages under way and gives the jobs back: a worker continues them, or the next process.
process.once('SIGTERM', () => {
  server.close()
  void engine.close()
})
