import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Document, EngineConfig } from '../../../src/index.js'
import { page, pathOf } from '../../kernel/job/crawl-site.js'
import type { RequestGate } from './request-gate.js'

const PAGES = 63
/** Time between two looks at a value that no longer changes. Milliseconds. */
const STEADY_MS = 300
/** Time for anything that happens soon on a machine that has nothing else to do. Milliseconds. */
export const LONG_MS = 60_000
type Answer = { response: { end(body: string): void } }

/** Creates a tree of pages that take a moment each. */
export const createSlowTree = (gate?: RequestGate): Record<string, (answer: Answer) => Promise<void>> =>
  Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => {
      const links = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
      const html = page(...links, '/')
      const answer = async ({ response }: Answer): Promise<void> => {
        await gate?.pass()
        await sleep(25)
        response.end(html)
      }
      return [at === 0 ? '/' : `/${at}`, answer] as const
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

/** Waits until a value is the same twice, with some time in between. */
export async function untilSteady(read: () => number | Promise<number>): Promise<number> {
  let last = await read()
  await expect
    .poll(
      async () => {
        const before = last
        last = await read()
        return last === before
      },
      { interval: STEADY_MS, timeout: LONG_MS },
    )
    .toBe(true)
  return last
}

export const sorted = (facts: readonly unknown[]): string[] => facts.map((fact) => JSON.stringify(fact)).toSorted()
