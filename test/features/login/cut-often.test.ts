import { afterAll, describe, it } from 'vitest'
import { crawlWithCuts, openEngine } from './cut-sessions.js'
import { kinds } from './made-sites.js'

const engine = openEngine()
afterAll(() => engine.close())

const cuts = Array.from({ length: 50 }, (_, index) => index + 1)

describe.each(kinds)('a site with $form, refused by $refusal, its session by $session', (kind) => {
  it('loses no page when its session ends after each of fifty pages', async () => {
    await crawlWithCuts(engine, kind, cuts, 55)
  })
})
