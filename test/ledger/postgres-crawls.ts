import { setTimeout as sleep } from 'node:timers/promises'
import type { Document, EngineConfig } from '../../src/index.js'
import { page, pathOf } from '../job/crawl-site.js'

const PAGES = 63
type Answer = { response: { end(body: string): void } }

/** A tree of pages that take a moment each. */
export const slowTree = Object.fromEntries(
  Array.from({ length: PAGES }, (_, at) => {
    const links = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
    const html = page(...links, '/')
    return [
      at === 0 ? '/' : `/${at}`,
      async ({ response }: Answer) => {
        await sleep(25)
        response.end(html)
      },
    ]
  }),
)

/** Settings of the engines, without a ledger. */
export const settings: EngineConfig = {
  allowPrivateNetworks: true,
  threads: 0,
  fetcher: 'http',
  cache: false,
  maxConcurrency: 4,
  retry: { maxRetries: 1, backoffMs: 1 },
}

/** Facts of a document that are the same in each crawl. */
export const factsOf = ({ metadata, markdown }: Document): unknown[] => [pathOf(metadata.url), metadata.depth, markdown]

export const sorted = (facts: readonly unknown[]): string[] => facts.map((fact) => JSON.stringify(fact)).toSorted()
