import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchPage } from '../../../src/kernel/fetch/fetch.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import type { FetchPlan } from '../../../src/kernel/fetch/fetcher.js'
import { openFetcher } from './open-fetcher.js'

const read = (name: string): Buffer => readFileSync(new URL(`../../site/tls/${name}`, import.meta.url))
const server = createSecureServer({ key: read('key.pem'), cert: read('certificate.pem'), allowHTTP1: false })
let url = ''
beforeAll(async () => {
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
})
afterAll(() => void server.close())

const plan: FetchPlan = { headers: {}, skipTlsVerification: true, timeoutMs: 10_000 }
const { signal } = new AbortController()

it('a page of a server that speaks HTTP/2 alone is loaded in the browser', async () => {
  await using http = openFetcher()
  const page: FetchedPage = {
    url,
    redirects: [],
    statusCode: 200,
    headers: {},
    body: Buffer.from('<p>A page</p>'),
    fetcher: 'browser',
    fetchedAtMs: 0,
  }
  const renderer = { name: 'browser', stopWarnings: [], fetch: async () => page, close: async () => undefined }
  const fetchers = { http: http.fetcher, renderer }
  const fetched = await fetchPage({ url, sourceURL: url }, plan, fetchers, signal)
  expect(fetched).toMatchObject({ fetcher: 'browser', fetcherReason: 'the server speaks no HTTP/1.1' })
})

it('the error of a server that speaks HTTP/2 alone says what can load its pages', async () => {
  await using http = openFetcher()
  await expect(fetchPage({ url, sourceURL: url }, plan, { http: http.fetcher }, signal)).rejects.toMatchObject({
    code: 'SCRAPE_SSL_ERROR',
    message: expect.stringContaining('speaks no HTTP/1.1'),
  })
})
