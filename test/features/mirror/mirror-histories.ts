import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as trawl from '../../../src/index.js'
import { counting, type MadeTarget, makeTarget } from './made-targets.js'
import { type Incident, MadeSite } from './made-site.js'

/** Settings of the engines of histories. */
export const SETTINGS = {
  allowPrivateNetworks: true,
  threads: 0,
  cache: false,
  fetcher: 'http',
  retry: { maxRetries: 1, backoffMs: 1 },
} as const

/** Nights of a history, before the one at its end on which nothing goes wrong. */
const NIGHTS = 4

/** A mirror of a made site. */
interface Mirrored {
  readonly made: MadeSite
  readonly target: MadeTarget
  readonly path: string
  /** True for jobs in a file, which a later process goes on with. */
  readonly isDurable?: boolean
}

async function sync({ made, target, path, isDurable = false }: Mirrored, incident: Incident) {
  const ledger = isDurable ? { ledger: trawl.sqlite(join(path, 'ledger.db')) } : {}
  await using engine = trawl.createEngine({ ...SETTINGS, ...ledger, snapshots: join(path, 'snapshots') })
  const counted = counting(await makeTarget(target, trawl, path))
  const limit = incident === 'limit' ? { limit: 3 } : {}
  const request = { url: made.start, sitemap: 'skip', ...limit } as const
  const control = new AbortController()
  if (incident === 'cancel') setTimeout(() => control.abort(), made.below(40))
  const mirror = engine.mirror(request, counted, { maxRemoved: 1 })
  const summary = await mirror.sync({ signal: control.signal }).catch((error: unknown) => {
    if (incident !== 'cancel') throw error
  })
  const check = await mirror.verify()
  return { summary, changes: counted.changes, check }
}

/** Mirrors the site as it is into a new target. */
async function readFresh(made: MadeSite, target: MadeTarget): Promise<Record<string, string>> {
  const path = await mkdtemp(join(tmpdir(), 'trawl-test-fresh-'))
  try {
    await sync({ made, target, path }, 'none')
    return await target.read(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

/** Mirrors once more, and compares what the mirror has with a new one; a further time, nothing is left to do. */
async function expectFresh(mirrored: Mirrored): Promise<void> {
  const { made, target, path, isDurable } = mirrored
  made.touchPictures()
  // It ends a crawl that was cut off, which has read some pages before the last change.
  if (isDurable === true) await sync(mirrored, 'none')
  expect((await sync(mirrored, 'none')).summary?.gaps).toEqual([])
  expect(await target.read(path)).toEqual(await readFresh(made, target))
  expect((await sync(mirrored, 'none')).changes).toEqual([])
}

async function withSite(seed: number, act: (made: MadeSite, path: string) => Promise<void>): Promise<void> {
  const made = await MadeSite.start(seed)
  const path = await mkdtemp(join(tmpdir(), 'trawl-test-history-'))
  try {
    await act(made, path)
  } finally {
    await made.site.close()
    await rm(path, { recursive: true, force: true })
  }
}

/** Runs a history of a site and its mirror, with nights on which something goes wrong. */
export const runHistory = (seed: number, target: MadeTarget): Promise<void> =>
  withSite(seed, async (made, path) => {
    const mirrored = { made, target, path }
    for (let night = 0; night < NIGHTS; night += 1) {
      const incident = night === 0 ? 'none' : made.breakOff()
      const { summary, changes, check } = await sync(mirrored, incident)
      expect(check.faults, `after ${incident}`).toEqual([])
      const isWhole = summary !== undefined && summary.gaps.length === 0
      if (!isWhole && target.hasPages)
        for (const change of changes.filter((one) => one.startsWith('delete')))
          expect(made.statusOf(change.slice('delete '.length)), `${change} after ${incident}`).toBeGreaterThanOrEqual(
            400,
          )
      expect(new Set(changes).size, 'nothing twice').toBe(changes.length)
      made.failing.clear()
      made.change()
    }
    await expectFresh(mirrored)
  })

/** Moments of a run at which a process is killed. */
const MOMENTS = ['before', 'between', 'after', 'time'] as const

/** Runs a history whose nights end with the death of the process that mirrors. @returns how many died */
export async function runKills(seed: number, target: MadeTarget, nights: number): Promise<number> {
  let deaths = 0
  await withSite(seed, async (made, path) => {
    const mirrored = { made, target, path, isDurable: seed % 2 === 0 }
    for (let night = 0; night < nights; night += 1) {
      const moment = MOMENTS[made.below(MOMENTS.length)] ?? 'before'
      const died = await syncAndDie(mirrored, moment, moment === 'time' ? made.below(150) : 1 + made.below(12))
      if (died) deaths += 1
      if (made.below(2) === 0) made.change()
    }
    await expectFresh(mirrored)
  })
  return deaths
}

/** Mirrors in a process of its own, which is killed at a moment. @returns false if its run ended before */
async function syncAndDie({ made, target, path, isDurable }: Mirrored, moment: string, at: number): Promise<boolean> {
  await mkdir(path, { recursive: true })
  const script = `
    import fs from 'node:fs'
    import * as lib from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
    const [path, url] = process.argv.slice(1)
    const die = () => process.kill(process.pid, 'SIGKILL')
    const moment = ${JSON.stringify(moment)}
    let left = ${at}
    const ledger = ${isDurable === true} ? { ledger: lib.sqlite(path + '/ledger.db') } : {}
    const engine = lib.createEngine({ ...${JSON.stringify(SETTINGS)}, ...ledger, snapshots: path + '/snapshots' })
    const target = ${target.code}
    const mirror = engine.mirror({ url, sitemap: 'skip' }, {
      name: target.name,
      unit: target.unit,
      async open(parts) {
        const opened = await target.open(parts)
        const { record } = opened
        const save = record.save.bind(record)
        record.save = async (change) => {
          if (moment === 'between' && (left -= 1) <= 0) die()
          await save(change)
        }
        const write = opened.write.bind(opened)
        opened.write = async (step) => {
          if (moment === 'before' && (left -= 1) <= 0) die()
          const saved = await write(step)
          if (moment === 'after' && (left -= 1) <= 0) die()
          return saved
        }
        return opened
      },
    }, { maxRemoved: 1 })
    if (moment === 'time') setTimeout(die, left)
    await mirror.sync()
    await engine.close()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path, made.start], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(code ?? 0).toBe(0)
  return signal === 'SIGKILL'
}
