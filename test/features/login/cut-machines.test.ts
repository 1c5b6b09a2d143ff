import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Engine } from '../../../src/index.js'
import { crawlWithCuts, openEngine } from './cut-sessions.js'
import { kinds } from './made-sites.js'

/** All sites with fifty ends of their sessions, rather than one of each refusal with ten. */
const isWhole = process.env['BARS'] === 'whole'
const MACHINES = 3
const ends = isWhole ? 50 : 10
const cuts = Array.from({ length: ends }, (_, index) => 2 * index + 2)
const pages = isWhole ? 30 : 8
const chosen = kinds.filter(({ refusal }, at) => isWhole || kinds.findIndex((kind) => kind.refusal === refusal) === at)

let folder = ''
let engines: readonly Engine[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  engines = Array.from({ length: MACHINES }, () => openEngine(folder))
})
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  await rm(folder, { recursive: true })
})

describe.each(chosen)('a site with $form, refused by $refusal, its session by $session', (kind) => {
  it(`loses no page on ${MACHINES} machines when the session that they share ends ${ends} times, and has one login for each end`, async () => {
    await crawlWithCuts(engines, kind, cuts, pages)
  }, 300_000)
})
