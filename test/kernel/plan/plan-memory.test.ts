import { totalmem } from 'node:os'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { readMemoryLimit, planMemory } from '../../../src/kernel/plan/plan-memory.js'
import { planEngine } from '../../../src/kernel/plan/plan-engine.js'

const MIB = 1024 * 1024

afterEach(() => vi.restoreAllMocks())

const limit = (bytes: number) => vi.spyOn(process, 'constrainedMemory').mockReturnValue(bytes)

describe('the memory of a container', () => {
  it.each([
    ['none', 0, undefined],
    ['one without a limit (cgroup 1)', 2 ** 63, undefined],
    ['all of the machine', totalmem(), undefined],
    ['a small one', 256 * MIB, 256 * MIB],
  ])('is read: %s', (_, bytes, expected) => {
    limit(bytes)
    expect(readMemoryLimit()).toBe(expected)
  })

  it('changes nothing where there is enough of it', () => {
    for (const bytes of [undefined, 768 * MIB, 64 * 1024 * MIB]) {
      const { maxConcurrency, maxLent, memory } = planEngine({}, planMemory(bytes))
      expect({ maxConcurrency, maxLent }).toEqual({ maxConcurrency: 10, maxLent: 60 })
      expect(memory).toMatchObject({ threads: { maxHeapMib: 512, maxFileHeapMib: 1024, maxYoungMib: 36 } })
    }
  })

  it('bounds threads, pages at once and caches, the more the smaller it is', () => {
    const [small, smaller] = [512, 256].map((mib) => planEngine({}, planMemory(mib * MIB)))
    expect(small).toMatchObject({ threads: 1, spareThread: false, maxConcurrency: 10, maxLent: 8 })
    expect(smaller).toMatchObject({ threads: 1, spareThread: false, maxConcurrency: 4, maxLent: 4 })
    // A thread, and as much again for the host and what lies outside of heaps.
    for (const [plan, mib] of [
      [small, 512],
      [smaller, 256],
    ] as const)
      expect(plan?.memory.threads.maxHeapMib).toBeLessThan(mib / 2)
  })

  it('leaves alone what the caller sets', () => {
    const memory = planMemory(256 * MIB)
    expect(planEngine({ maxConcurrency: 50, threads: 3 }, memory)).toMatchObject({ maxConcurrency: 50, threads: 3 })
  })

  it('is said in the log', async () => {
    limit(256 * MIB)
    const lines: string[] = []
    const log = (_: object, message: string) => void lines.push(message)
    const logger = { trace: log, debug: log, info: log, warn: log, error: log }
    await createEngine({ logger }).close()
    expect(lines).toEqual([expect.stringMatching(/^The container has 256 MiB: fewer pages at once, one thread/)])
  })
})
