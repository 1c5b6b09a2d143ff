import { expect, it } from 'vitest'
import { learnHistories } from '../../../src/features/watch/end-check.js'
import { createTimetable } from '../../../src/features/watch/timetable.js'
import type { UnitHistory } from '../../../src/features/watch/watch-state.js'
import { draw } from './made-pages.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 365 * DAY
const PAGES = 40

/** The times at which a page changes in a year, as a Poisson process. */
function makeChanges(meanMs: number, random: () => number): number[] {
  const times: number[] = []
  for (let at = 0; at < YEAR;) {
    at += -Math.log(1 - random()) * meanMs
    times.push(at)
  }
  return times
}

interface Visits {
  readonly count: number
  readonly delays: readonly number[]
}

/** Visits a page for a year; `next` says when again. */
function visit(changes: readonly number[], next: (atMs: number, hasChanged: boolean) => number): Visits {
  const delays: number[] = []
  let [count, seen, at] = [0, 0, 0]
  while (at < YEAR) {
    count += 1
    const before = seen
    for (; (changes[seen] ?? Infinity) <= at; seen++) delays.push(at - (changes[seen] ?? at))
    at = next(at, seen > before)
  }
  return { count, delays }
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

it("`every: 'auto'` needs at least 60 % fewer requests than a fixed interval of the same median delay", async () => {
  const random = draw(20261122)
  // From twice a day to once in 200 days: most pages seldom change, as on the web.
  const pages = Array.from({ length: PAGES }, (_, index) =>
    makeChanges(DAY * 0.5 * 400 ** (index / (PAGES - 1)), random),
  )
  const url = 'https://example.com/'
  const plan = {
    name: 'auto',
    urls: [url],
    crawls: [],
    schedule: { kind: 'auto', minMs: HOUR, maxMs: 30 * DAY },
  } as never
  const timetable = await createTimetable(plan)
  const learnt = pages.map((changes) => {
    let histories: Readonly<Record<string, UnitHistory>> = {}
    return visit(changes, (atMs, hasChanged) => {
      const facts = {
        url,
        target: 'page',
        check: 1,
        status: hasChanged ? 'changed' : 'same',
        isMeaningful: hasChanged,
      } as const
      const state = { histories, due: { [url]: 0 } } as never
      histories = learnHistories(state, { number: 1, startedAtMs: atMs } as never, [facts])
      return timetable.next(url, atMs, atMs, histories[url]) ?? Infinity
    })
  })
  const requests = learnt.reduce((sum, { count }) => sum + count, 0)
  const delay = medianOf(learnt.flatMap(({ delays }) => delays))
  // The longest fixed interval that is as quick.
  const tryFixed = (everyMs: number): Visits[] => pages.map((changes) => visit(changes, (atMs) => atMs + everyMs))
  let fixed = HOUR / 4
  while (medianOf(tryFixed(fixed * 1.02).flatMap(({ delays }) => delays)) <= delay) fixed *= 1.02
  const fixedRequests = tryFixed(fixed).reduce((sum, { count }) => sum + count, 0)
  const saved = 1 - requests / fixedRequests
  const figures = `${requests} requests against ${fixedRequests}, median delay ${(delay / HOUR).toFixed(1)} h`
  expect(saved, figures).toBeGreaterThanOrEqual(0.6)
})
