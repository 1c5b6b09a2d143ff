import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openFetcher } from './open-fetcher.js'

const TEXT = '<p>A page</p>'
const length = `Content-Length: ${TEXT.length}\r\n`

/** A server that answers each request with the same bytes, and leaves the connection open. */
async function serve(answer: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

describe('the length of a response', () => {
  it.each([304, 204])('is no promise of a body with status %i', async (status) => {
    await using server = await serve(`HTTP/1.1 ${status} X\r\nETag: "1"\r\n${length}\r\n`)
    await using http = openFetcher()
    for (let requests = 0; requests < 2; requests++) {
      const page = await http.get(server.url)
      expect([page.statusCode, page.body.length]).toEqual([status, 0])
    }
  })

  it('may not have two values', async () => {
    const lines = `Content-Length: 5\r\n${length}`
    await using server = await serve(`HTTP/1.1 200 OK\r\n${lines}\r\n${TEXT}`)
    await using http = openFetcher()
    await expect(http.get(server.url)).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })
})
