import { expect, it } from 'vitest'
import { madeTargets } from './made-targets.js'
import { runHistory, runKills } from './mirror-histories.js'

/** All histories, each in all targets, are run by `BARS=whole` in some hours; otherwise few, in targets by turns. */
const IS_WHOLE = process.env['BARS'] === 'whole'
const HISTORIES = IS_WHOLE ? 200 : 20
/** Processes that are killed, four in each history. */
const KILLS = HISTORIES
/** Names of the targets that get all histories: all, unless `TARGETS` names some. */
const NAMED = process.env['TARGETS']?.split(',')
const CHOSEN = madeTargets.filter(({ kind }) => NAMED?.includes(kind) ?? true)
/** Time for the histories of a test. */
const TIMEOUT = IS_WHOLE ? 7_200_000 : 900_000
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

interface History {
  readonly seed: number
  readonly target: (typeof madeTargets)[number]
}

/** Lists histories: each in all targets, or in targets by turns. @param turn number of seeds that one target gets in a row */
const listHistories = (first: number, count: number, turn = 1): History[] =>
  Array.from({ length: count }, (_, at) => first + at).flatMap((seed) => {
    const at = Math.floor(seed / turn) % CHOSEN.length
    return (IS_WHOLE ? CHOSEN : CHOSEN.slice(at, at + 1)).map((target) => ({ seed, target }))
  })

const inHistory = (history: History, act: (history: History) => Promise<void>) => (): Promise<void> =>
  act(history).catch((error: unknown) => {
    throw new Error(`history ${history.seed} in a ${history.target.kind}: ${String(error)}`, { cause: error })
  })

it('a mirror has what a new one has after many histories of sites', { timeout: TIMEOUT }, async () => {
  const histories = listHistories(1000, HISTORIES)
  expect(histories.length).toBeGreaterThan(0)
  await runAll(histories.map((history) => inHistory(history, ({ seed, target }) => runHistory(seed, target))))
})

it('a mirror has what a new one has after many deaths of its process', { timeout: TIMEOUT }, async () => {
  const deaths = new Map<string, number>()
  const histories = listHistories(2000, KILLS / NIGHTS, 2)
  const kill = async ({ seed, target }: History): Promise<void> => {
    const died = await runKills(seed, target, NIGHTS)
    const kind = IS_WHOLE ? target.kind : 'any'
    deaths.set(kind, (deaths.get(kind) ?? 0) + died)
  }
  await runAll(histories.map((history) => inHistory(history, kill)))
  expect(deaths.size).toBe(IS_WHOLE ? CHOSEN.length : 1)
  for (const [kind, died] of deaths) expect(died, kind).toBeGreaterThan(KILLS / 3)
})
