import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as trawl from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'
import { madeTargets, makeTarget } from './made-targets.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-needs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it.each(madeTargets)('a $kind refuses formats without its own, before anything of it changes', async (made) => {
  const { engine, start } = await openChangingSite(on, { '/': ['/a'] })
  const target = await makeTarget(made, trawl, folder)
  await engine.mirror({ url: start }, target).sync()
  const before = await made.read(folder)
  const needs = target.needs ?? (target.unit === 'chunk' ? 'chunks' : undefined)
  for (const formats of [['links'], ['html', 'links'], []] as const) {
    const sync = engine.mirror({ url: start, scrapeOptions: { formats: [...formats] } }, target).sync()
    if (needs === undefined) await sync
    else await expect(sync).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining(needs) })
  }
  if (needs !== undefined) expect(await made.read(folder)).toEqual(before)
})

it('options that are undefined are as ones that are absent', async () => {
  const { engine, start, sent } = await openChangingSite(on, { '/': ['/a'] }, { padding: 50_000 })
  const request = { url: start, since: undefined, limit: undefined, scrapeOptions: { formats: undefined } }
  const mirror = engine.mirror(request, trawl.mirrorTo(join(folder, 'out')), { maxRemoved: undefined })
  expect(await mirror.sync({ signal: undefined })).toMatchObject({ new: 2, gaps: [] })
  sent.bytes = 0
  expect(await mirror.sync()).toMatchObject({ unchanged: 2, gaps: [] })
  // Its pages were not sent again: `since` is `last`.
  expect(sent.bytes).toBeLessThan(50_000)
})

it('a mirror whose record ends with the engine says so', async () => {
  const { engine, start } = await openChangingSite(on, { '/': [] })
  const target = trawl.mirrorWith(() => undefined, { name: 'function' })
  const { warnings } = await engine.mirror({ url: start }, target).sync()
  expect(warnings).toEqual([expect.stringContaining('known to this engine only')])
  expect((await engine.mirror({ url: start }, trawl.mirrorTo(join(folder, 'own'))).sync()).warnings).toBeUndefined()
})
