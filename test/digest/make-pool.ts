import { afterEach } from 'vitest'
import { createDigestPool, type DigestPool, type DigestPoolOptions } from '../../src/digest/workers/pool.js'

const pools: DigestPool[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

/** Creates a pool that reads every page in a thread. It is closed after the test. */
export function makePool(options: Partial<DigestPoolOptions> = {}): DigestPool {
  const pool = createDigestPool({ threads: 2, inlineBytes: 0, ...options })
  pools.push(pool)
  return pool
}
