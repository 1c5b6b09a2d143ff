import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const PAGES = 4000
/** Numbers of a page: 16 KiB. */
const LENGTH = 2048
/** Pages in work at once. */
const CONCURRENCY = 10

/**
 * Works on many pages, ten at once, and counts the bytes that they leave in the old generation.
 *
 * @param begin makes something that lives on refer to a page, and returns the function that ends that
 */
export async function countKept(begin: (page: object, number: number) => () => unknown): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const work: (() => unknown)[] = []
  const start = (number: number): void =>
    void work.push(
      begin(
        Array.from({ length: LENGTH }, () => number),
        number,
      ),
    )
  for (let number = 0; number < CONCURRENCY; number += 1) start(number)
  // What is in work now is moved to the old generation.
  collect()
  const before = oldBytes()
  let kept = 0
  for (let number = CONCURRENCY; number < PAGES; number += 1) {
    work.shift()?.()
    start(number)
    if (number % CONCURRENCY > 0) continue
    await new Promise(setImmediate)
    kept = Math.max(kept, oldBytes() - before)
  }
  for (const end of work) end()
  return kept
}

const oldBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === 'old_space' || name === 'large_object_space')
    .reduce((sum, { space_used_size: used }) => sum + used, 0)
