import {
  createEngine,
  type Document,
  type Engine,
  type EngineConfig,
  type Feature,
  type FetcherRequest,
} from '../../../src/index.js'

/** Pages of the fake site, by path: HTML, or an answer. */
export type Pages = Readonly<Record<string, string | object>>

/** The fake site `https://shop.test`, which keeps what it is asked. */
export function fakeSite(pages: Pages) {
  const requests: FetcherRequest[] = []
  const feature: Feature = {
    name: 'site',
    fetcher: {
      handles: (url) => url.startsWith('https://shop.test/'),
      fetch: (request) => {
        const { pathname } = new URL(request.url)
        if (pathname !== '/robots.txt') requests.push(request)
        const page = pages[pathname] ?? { status: 404 }
        return typeof page === 'string' ? { headers: { 'content-type': 'text/html' }, body: page } : page
      },
    },
  }
  return { feature, requests, paths: () => requests.map(({ url }) => new URL(url).pathname) }
}

const config = { threads: 0, cache: false, retry: { maxRetries: 0 } } as const

/** Makes an engine with features that may be anything. */
export const openWith = (features: readonly object[], more: EngineConfig = {}): Engine =>
  createEngine({ ...config, ...more, features: features as readonly Feature[] })

/** Reads a job to its end. */
export async function readAll(job: AsyncIterable<Document>): Promise<Document[]> {
  const documents: Document[] = []
  for await (const document of job) documents.push(document)
  return documents
}

/** Waits for ever. */
export const hang = (): Promise<never> => new Promise(() => undefined)

const revocable = Proxy.revocable(new Error('no'), {})
revocable.revoke()

/** A value that throws whatever is asked of it. */
export const revoked: Error = revocable.proxy
