import { expect, it } from 'vitest'
import { FairSemaphore } from '../../../src/base/concurrency/fair-semaphore.js'

const never = new AbortController().signal

/** Waits for a permit of each name, and notes the names that have one. */
function acquireAll(semaphore: FairSemaphore, names: string[]): { held: string[]; release(name: string): void } {
  const held: string[] = []
  const releases = new Map<string, () => void>()
  for (const name of names) {
    void semaphore.acquire(name, never).then((release) => {
      releases.set(name, release)
      return held.push(name)
    })
  }
  return { held, release: (name) => releases.get(name)?.() }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('gives added permits to callers that wait, and no more', async () => {
  const semaphore = new FairSemaphore(1)
  const { held } = acquireAll(semaphore, ['a', 'b', 'c', 'd'])
  await settle()
  expect(held).toEqual(['a'])
  semaphore.resize(3)
  await settle()
  expect(held).toEqual(['a', 'b', 'c'])
})

it('keeps added permits for callers that come later', async () => {
  const semaphore = new FairSemaphore(1)
  semaphore.resize(2)
  const { held } = acquireAll(semaphore, ['a', 'b', 'c'])
  await settle()
  expect(held).toEqual(['a', 'b'])
})

it('gives no permit after it got smaller until few enough are held', async () => {
  const semaphore = new FairSemaphore(3)
  const { held, release } = acquireAll(semaphore, ['a', 'b', 'c', 'd'])
  await settle()
  semaphore.resize(1)
  release('a')
  release('b')
  await settle()
  expect(held).toEqual(['a', 'b', 'c'])
  release('c')
  await settle()
  expect(held).toEqual(['a', 'b', 'c', 'd'])
})
