import { afterEach } from 'vitest'
import { createDigestPool, type DigestPool, type DigestPoolOptions } from '../../../src/content/digest/workers/pool.js'

export type MakePool = (options?: Partial<DigestPoolOptions>) => DigestPool

/** Gives a function that creates pools, which read every page in a thread. They are closed after each test. */
export function usePools(): MakePool {
  const pools: DigestPool[] = []
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })
  return (options = {}) => {
    const pool = createDigestPool({ threads: 2, inlineBytes: 0, ...options })
    pools.push(pool)
    return pool
  }
}
