import { mkdtemp, rm } from 'node:fs/promises'
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

/** Nights of a history, and the one at its end on which nothing goes wrong. */
const NIGHTS = 4

interface Night {
  readonly made: MadeSite
  readonly target: MadeTarget
  readonly path: string
}

async function sync({ made, target, path }: Night, incident: Incident) {
  await using engine = trawl.createEngine({ ...SETTINGS, snapshots: join(path, 'snapshots') })
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
export async function readFresh(made: MadeSite, target: MadeTarget): Promise<Record<string, string>> {
  const path = await mkdtemp(join(tmpdir(), 'trawl-test-fresh-'))
  try {
    await sync({ made, target, path }, 'none')
    return await target.read(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

/** Runs a history of a site and its mirror, and compares what the mirror has at the end with a new one. */
export async function runHistory(seed: number, target: MadeTarget): Promise<void> {
  const made = await MadeSite.start(seed)
  const path = await mkdtemp(join(tmpdir(), 'trawl-test-history-'))
  try {
    for (let night = 0; night < NIGHTS; night += 1) {
      const incident = night === 0 ? 'none' : made.breakOff()
      const { summary, changes, check } = await sync({ made, target, path }, incident)
      expect(check.faults, `after ${incident}`).toEqual([])
      if (
        incident !== 'none' &&
        (summary?.gaps.length ?? 1) > 0 &&
        !target.kind.includes('chunk') &&
        target.kind !== 'vector store'
      )
        for (const change of changes.filter((one) => one.startsWith('delete')))
          expect(made.statusOf(change.slice('delete '.length)), `${change} after ${incident}`).toBeGreaterThanOrEqual(
            400,
          )
      if (incident === 'none') expect(new Set(changes).size, 'nothing twice').toBe(changes.length)
      made.failing.clear()
      made.change()
    }
    const last = await sync({ made, target, path }, 'none')
    expect(last.summary?.gaps).toEqual([])
    expect(await target.read(path)).toEqual(await readFresh(made, target))
    expect((await sync({ made, target, path }, 'none')).changes).toEqual([])
  } finally {
    await made.site.close()
    await rm(path, { recursive: true, force: true })
  }
}
