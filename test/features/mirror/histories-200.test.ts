import { expect, it } from 'vitest'
import { madeTargets } from './made-targets.js'
import { runHistory, runKills } from './mirror-histories.js'

/** All histories, which take more than ten minutes, are run by `BARS=whole`. */
const HISTORIES = process.env['BARS'] === 'whole' ? 200 : 20
/** Processes that are killed, four in each history. */
const KILLS = HISTORIES
const NIGHTS = 4
/** Histories at once: most of their time they wait for the disk. */
const AT_ONCE = 4

/** Runs tasks, some at once. */
async function runAll(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const left = tasks.values()
  const run = async (): Promise<void> => {
    for (const task of left) await task()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}

const targetOf = (seed: number): (typeof madeTargets)[number] => {
  const target = madeTargets[seed % madeTargets.length]
  if (!target) throw new Error('there is no target')
  return target
}

const inHistory = (seed: number, act: () => Promise<void>) => (): Promise<void> =>
  act().catch((error: unknown) => {
    throw new Error(`history ${seed} in a ${targetOf(seed).kind}: ${String(error)}`, { cause: error })
  })

it('a mirror has what a new one has after many histories of sites', { timeout: 900_000 }, async () => {
  const seeds = Array.from({ length: HISTORIES }, (_, at) => 1000 + at)
  await runAll(seeds.map((seed) => inHistory(seed, () => runHistory(seed, targetOf(seed)))))
})

it('a mirror has what a new one has after many deaths of its process', { timeout: 900_000 }, async () => {
  let deaths = 0
  const seeds = Array.from({ length: KILLS / NIGHTS }, (_, at) => 2000 + at)
  const kill = async (seed: number): Promise<void> => {
    const died = await runKills(seed, targetOf(Math.floor(seed / 2)), NIGHTS)
    deaths += died
  }
  await runAll(seeds.map((seed) => inHistory(seed, () => kill(seed))))
  expect(deaths).toBeGreaterThan(KILLS / 3)
})
