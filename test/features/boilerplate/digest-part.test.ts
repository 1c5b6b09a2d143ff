import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { memoryStore } from '../../../src/base/store/stores/index.js'
import { digest, type DigestPlan } from '../../../src/content/digest/digest.js'
import { cacheDigests } from '../../../src/content/digest/digest-cache.js'
import { NO_CODE } from '../../../src/content/digest/digest-part.js'
import { type LearntBlocks, type PackedBlocks, unpackBlocks } from '../../../src/features/boilerplate/repeated-block.js'
import { digestParts as parts } from '../../../src/features/digest-parts.js'
import { digestPlan } from '../../content/digest/plans.js'
import { fetchedPage } from '../../contracts/cache.contract.js'

const { signal } = new AbortController()
const body = readFileSync(new URL('../../site/docs/guides/deploy.html', import.meta.url))
const page = fetchedPage({ url: 'http://site.test/site/docs/guides/deploy.html', body })

const learn = (reason: string, ...hashes: number[]): LearntBlocks => ({ reason, hashes: Float64Array.from(hashes) })
const planOf = (...learnt: LearntBlocks[]): DigestPlan => ({
  ...digestPlan(),
  drop: { feature: 'boilerplate', learnt },
})
const digestOf = (plan: DigestPlan) => digest(page, plan, { parts })

it('a cached digest depends on the learnt blocks that occur on the page, and on no others', async () => {
  const make = vi.fn(async (_: unknown, plan: DigestPlan) => digestOf(plan))
  const kept = cacheDigests(make, memoryStore(), { ...NO_CODE, parts: async () => parts })
  const { hashes } = unpackBlocks(digestOf(planOf()).tells as PackedBlocks)
  const [first = 0, second = 0] = hashes.filter((hash) => hash > 0)
  const plans = [
    planOf(),
    planOf(learn('elsewhere', 12345, 678)),
    planOf(learn('on 5 of 6 pages', first)),
    planOf(learn('on 7 of 9 pages', first, 999)),
    planOf(learn('on 5 of 6 pages', first, second)),
    planOf(learn('on 3 of 4 pages', second), learn('on 7 of 7 pages', first)),
  ]
  for (const plan of plans) expect(await kept(page, plan, signal)).toEqual(digestOf(plan))
  for (const plan of plans.slice(0, 4)) expect(await kept(page, plan, signal)).toEqual(digestOf(plan))
  expect(make.mock.calls.length).toBeLessThanOrEqual(4)
})
