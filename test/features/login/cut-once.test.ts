import { afterAll, describe, it } from 'vitest'
import { adoptEndedSession, crawlInVain, crawlOddSite, crawlWithCuts, openEngine } from './cut-sessions.js'
import { kinds } from './made-sites.js'
import { oddKinds } from './odd-sites.js'

const engine = openEngine()
afterAll(() => engine.close())

// All of them, with fifty ends, are in `cut-often.test.ts`.
describe.each(kinds)('a site with $form, refused by $refusal, its session by $session', (kind) => {
  it('loses no page when its session ends', async () => {
    await crawlWithCuts([engine], kind, [2], 5)
  })

  it('is sent a wrong password twice at most, and shows no page', async () => {
    await crawlInVain(engine, kind)
  })

  it('shows no login to a machine that has taken over a session which has ended', async () => {
    await adoptEndedSession(kind)
  })
})

describe.each(oddKinds)('a site with %s', (kind) => {
  it('loses no page when its session ends', async () => {
    await crawlOddSite(kind, [2, 5, 6, 11], 12)
  })

  it('shows no login to a machine that has taken over a session which has ended', async () => {
    await adoptEndedSession(kind)
  })
})
