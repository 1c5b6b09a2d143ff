import { expect, it, vi } from 'vitest'
import type * as workerThread from '../../../src/base/runtime/worker-thread.js'
import { usePools } from './use-pools.js'
import { digestPlan } from './plans.js'
import { never, page } from './pool-pages.js'

const makePool = usePools()

const starts = vi.hoisted(() => ({ count: 0 }))
vi.mock('../../../src/base/runtime/worker-thread.js', async (load) => {
  const real = await load<typeof workerThread>()
  const openWorkerCode: typeof workerThread.openWorkerCode = (code) => {
    const start = real.openWorkerCode(code) as workerThread.StartWorker
    return (options) => {
      starts.count += 1
      if (starts.count > 1) throw new Error('the machine has no threads left')
      return start(options)
    }
  }
  return { ...real, openWorkerCode }
})

it('pages are read by the threads that there are where no more can be started, and it is not tried again', async () => {
  const pool = makePool({ threads: 4 })
  const long = page('<p>word '.repeat(3000))
  const made = await Promise.all(Array.from({ length: 40 }, () => pool.digest(long, digestPlan(), never)))
  expect(made.flatMap(({ warnings }) => warnings)).toEqual([])
  expect(starts.count).toBe(2)
})
