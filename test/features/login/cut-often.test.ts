import { afterAll, describe, it } from 'vitest'
import { crawlOddSite, crawlWithCuts, openEngine } from './cut-sessions.js'
import { kinds } from './made-sites.js'
import { oddKinds } from './odd-sites.js'

const engine = openEngine()
afterAll(() => engine.close())

// The page that a login leads to is one of them.
const cuts = Array.from({ length: 50 }, (_, index) => 2 * index + 2)

describe.each(kinds)('a site with $form, refused by $refusal, its session by $session', (kind) => {
  it('loses no page when its session ends fifty times, after every second page', async () => {
    await crawlWithCuts([engine], kind, cuts, 55)
  })
})

describe.each(oddKinds)('a site with %s', (kind) => {
  it('loses no page when its session ends fifty times, after every second page', async () => {
    await crawlOddSite(kind, cuts, 55)
  }, 300_000)
})
