import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytes, pageUrl } from '../parse/pages.js'
import { usePools } from './use-pools.js'
import { digestPlan } from './plans.js'

const makePool = usePools()

const never = new AbortController().signal
const ordinary = { url: pageUrl, body: bytes('<h1>Hello</h1>'), contentType: 'text/html; charset=utf-8' }

describe('preparing a pool', () => {
  const started: unknown[] = []
  const count = (worker: unknown): void => void started.push(worker)
  beforeEach(() => {
    started.length = 0
    process.on('worker', count)
  })
  afterEach(() => void process.off('worker', count))

  it('starts one thread, which the first page uses', async () => {
    const pool = makePool()
    pool.prepare()
    pool.prepare()
    await expect.poll(() => started.length).toBe(1)
    await pool.digest(ordinary, digestPlan(), never)
    expect(started).toHaveLength(1)
  })

  it('ends with the pool, although no page came', async () => {
    const pool = makePool()
    pool.prepare()
    await pool.close()
    expect((started[0] as Worker | undefined)?.threadId ?? -1).toBe(-1)
  })

  it('starts nothing in a pool that is closed or has no threads', async () => {
    const none = makePool({ threads: 0 })
    none.prepare()
    await none.digest(ordinary, digestPlan(), never)
    const closed = makePool()
    await closed.close()
    closed.prepare()
    expect(started).toEqual([])
  })
})
