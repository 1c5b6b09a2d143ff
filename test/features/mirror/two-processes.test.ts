import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'vitest'
import { mirrorTo, sqliteTable } from '../../../src/index.js'
import { useChangingSite } from '../../site/changing-site.js'
import { expectOneAtATime } from './two-processes.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-two-processes-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['folder', () => mirrorTo(join(folder, 'out'))],
  ['table of pages', () => sqliteTable(join(folder, 'out.db'))],
  ['table of chunks', () => sqliteTable(join(folder, 'out.db'), { unit: 'chunk' })],
])('a %s is filled by one process at a time: the one that began first stops', (_, make) => expectOneAtATime(on, make))
