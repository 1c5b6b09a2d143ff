import { expect, it } from 'vitest'
import { compilePathPattern } from '../../../src/base/text/path-pattern.js'
import { LinkJudge } from '../../../src/kernel/job/discovery/judge-links.js'
import type { ScrapedPage } from '../../../src/kernel/page/pipeline.js'
import { yieldIfHeld } from '../../../src/base/concurrency/yield-turn.js'
import { countTurns } from '../../base/concurrency/count-turns.js'
import { scopePlan } from '../frontier/scope-plan.js'

const scope = scopePlan({
  start: 'https://site.test/',
  includePaths: Array.from({ length: 40 }, (_, n) => compilePathPattern(`^/none/.*${n}$|x.*y.*z.*${n}$`)),
  crawlEntireDomain: true,
})

it('judges the links of a page in slices, however long each takes', async () => {
  const links = Array.from({ length: 2000 }, (_, n) => ({
    url: `https://site.test/${n}/${'xyz'.repeat(2500)}`,
    text: '',
  }))
  const page = { linkHeader: undefined, links, document: { metadata: { url: scope.start } } } as unknown as ScrapedPage
  const row = { url: scope.start, depth: 0, order: 0 }
  const { result: judged, turns } = await countTurns(async () => {
    let count = 0
    for (const some of new LinkJudge().judge(row, page, { scope, obeyMeta: false })) {
      count += some.length
      await yieldIfHeld()
    }
    return count
  })
  expect(judged).toBe(2000)
  // In slices of 250 links, however long each takes, they would be judged in four turns of the event loop.
  expect(turns).toBeGreaterThan(15)
})
