import { afterAll, describe, it } from 'vitest'
import { crawlWithCuts, openEngine } from './cut-sessions.js'
import { kinds } from './made-sites.js'

const engine = openEngine()
afterAll(() => engine.close())

// All of them, with fifty ends, are in `cut-often.test.ts`.
describe.each(kinds)('a site with $form, refused by $refusal, its session by $session', (kind) => {
  it('loses no page when its session ends', async () => {
    await crawlWithCuts(engine, kind, [2], 5)
  })
})
