import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import * as trawl from '../../../src/index.js'
import { mirrorTargetContract } from './mirror-target.contract.js'
import { madeTargets, makeTarget } from './made-targets.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-targets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each(madeTargets)('a $kind', (target) => {
  const pathOf = (place: string): string => join(folder, target.kind.replaceAll(' ', '-'), place)
  mirrorTargetContract({
    make: (place) => makeTarget(target, trawl, pathOf(place)),
    read: (place) => target.read(pathOf(place)),
  })
})
