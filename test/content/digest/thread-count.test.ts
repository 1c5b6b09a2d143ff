import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ThreadCount } from '../../../src/content/digest/workers/thread-count.js'
import { usePools } from './use-pools.js'
import { digestPlan } from './plans.js'
import { never, page } from './pool-pages.js'

const makePool = usePools()

afterEach(() => {
  vi.restoreAllMocks()
})

let [active, idle] = [0, 0]

/** Says for which share of the time between two readings the host's thread is at work. */
function loadHost(share: number): void {
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
    active += share
    idle += 1 - share
    return { active, idle, utilization: active / (active + idle) }
  })
}

describe('the number of threads', () => {
  /** Creates a count of two threads and a spare one, which has been needed for nine seconds. It decides after each. */
  function count(): { pass(host: number, threads: number): number } {
    const counted = countFromStart()
    for (let second = 1; second < 10; second += 1) expect(counted.pass(0.5, 2)).toBe(2)
    return counted
  }

  /** Creates a count of two threads and a spare one, which decides after each second. */
  function countFromStart(): { pass(host: number, threads: number): number } {
    let nowMs = 0
    let busyMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    loadHost(0)
    const threads = new ThreadCount({ threads: 2, spareThread: true })
    return {
      pass(host, busy) {
        loadHost(host)
        nowMs += 1000
        busyMs += busy * 1000
        threads.update(busyMs)
        return threads.now
      },
    }
  }

  it.each([
    ['grows while the threads are busy and the host is not', 0.5, 2, 3],
    ['does not grow while the host is busy', 0.62, 2, 2],
    ['does not grow while the threads are not', 0.5, 1.7, 2],
  ])('%s', (_what, host, busy, expected) => {
    expect(count().pass(host, busy)).toBe(expected)
  })

  it.each([
    ['stays larger while the host has some time left', 0.65, 3, 3],
    ['stays larger while fewer threads could hardly do the work', 0.5, 1.3, 3],
    ['falls when the host is busy', 0.75, 3, 2],
    ['falls when fewer threads can do the work', 0.5, 1.1, 2],
  ])('%s', (_what, host, busy, expected) => {
    const { pass } = count()
    pass(0.5, 2)
    expect(pass(host, busy)).toBe(expected)
  })

  it('does not grow while other threads of the process use the cores', () => {
    const { pass } = count()
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 2.8e6, system: 0 })
    expect(pass(0.5, 2)).toBe(2)
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 2.6e6, system: 0 })
    expect(pass(0.5, 2)).toBe(3)
  })

  it('grows after ten seconds of need, which need not follow each other', () => {
    const { pass } = countFromStart()
    const needed = [true, true, false, true, false, true, true, true, true, false, true, true]
    for (const isNeeded of needed) expect(pass(isNeeded ? 0.5 : 0.8, 2)).toBe(2)
    expect(pass(0.5, 2)).toBe(3)
  })

  it('grows again at once after the host was busy, and after ten seconds when the threads were not', () => {
    const { pass } = count()
    pass(0.5, 2)
    expect(pass(0.75, 3)).toBe(2)
    expect(pass(0.5, 2)).toBe(3)
    expect(pass(0.5, 1.1)).toBe(2)
    for (let second = 1; second < 10; second += 1) expect(pass(0.5, 2)).toBe(2)
    expect(pass(0.5, 2)).toBe(3)
  })

  it('stays where the work of the host is not measured', () => {
    vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ active: 0, idle: 0, utilization: 0 })
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const threads = new ThreadCount({ threads: 1, spareThread: true })
    vi.spyOn(performance, 'now').mockReturnValue(1000)
    expect(threads.update(1000)).toBe(false)
  })

  it('is decided at most once in a second', () => {
    vi.spyOn(performance, 'now').mockReturnValue(0)
    loadHost(0.1)
    const threads = new ThreadCount({ threads: 1, spareThread: true })
    vi.spyOn(performance, 'now').mockReturnValue(999)
    expect(threads.update(999)).toBe(false)
    for (let second = 1; second < 10; second += 1) {
      vi.spyOn(performance, 'now').mockReturnValue(second * 1000)
      expect(threads.update(second * 1000)).toBe(false)
      expect(threads.update(second * 1000)).toBe(false)
    }
    vi.spyOn(performance, 'now').mockReturnValue(10_000)
    expect(threads.update(10_000)).toBe(true)
  })

  it('stays where there is no spare thread', () => {
    const threads = new ThreadCount({ threads: 1 })
    loadHost(0.1)
    vi.spyOn(performance, 'now').mockReturnValue(1e9)
    expect(threads.update(1e9)).toBe(false)
    expect(threads.now).toBe(1)
  })
})

describe('a pool with a spare thread', () => {
  /** A thread takes longer to read this page than the test takes to send it. */
  const long = page('<p>word '.repeat(3000))

  /** Reads pages, four at once, until the condition holds or so many were read. @returns the threads, and the pages */
  async function readUntil(isEnough: (threads: number) => boolean, most: number) {
    const post = vi.spyOn(Worker.prototype, 'postMessage').mockClear()
    const pool = makePool({ threads: 1, spareThread: true, timeoutMs: 60_000 })
    const threads = (): number => new Set(post.mock.contexts).size
    let pages = 0
    const read = async (): Promise<void> => {
      while (pages < most && !isEnough(threads())) {
        pages += 1
        await pool.digest(long, digestPlan(), never)
      }
    }
    await Promise.all([read(), read(), read(), read()])
    return { threads: threads(), pages }
  }

  it('uses it when its thread always has pages, unless the host is busy', async () => {
    const now = performance.now.bind(performance)
    // Ten seconds of need pass in one.
    vi.spyOn(performance, 'now').mockImplementation(() => now() * 10)
    loadHost(0.3)
    const free = await readUntil((threads) => threads === 2, 1e6)
    expect(free.threads).toBe(2)
    loadHost(0.9)
    expect(await readUntil(() => false, 2 * free.pages)).toEqual({ threads: 1, pages: 2 * free.pages })
  })
})
