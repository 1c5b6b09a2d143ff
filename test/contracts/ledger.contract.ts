import { expect, it } from 'vitest'
import type { JobLedger, Ledger, LedgerRules } from '../../src/kernel/ledger/ledger.js'
import { type Doc, candidate, at, attempt, end, done, failed, refusal } from './ledger-rows.js'

/** The contract of every ledger, whatever its storage. */
export function ledgerContract(make: () => Ledger): void {
  const open = (rules: Partial<LedgerRules> = {}): Promise<JobLedger<Doc>> =>
    make().open<Doc>('job', { limit: Infinity, holdLevelMs: 0, ...rules })

  it('gives a URL one row, however often it is admitted', async () => {
    const ledger = await open()
    expect(await ledger.admit([candidate('a'), candidate('b'), candidate('a')], 5)).toHaveLength(2)
    expect(await ledger.admit([candidate('a', { depth: 9 })], 6)).toEqual([])
    expect(await ledger.row('a')).toMatchObject({ key: 'a', depth: 0, outcome: 'queued', foundAtMs: 5 })
    expect((await ledger.rows()).map((row) => row.key)).toEqual(['a', 'b'])
  })

  it('records a refused candidate as skipped, with its reason, and never leases it', async () => {
    const ledger = await open()
    await ledger.admit([candidate('a', { refused: { reason: 'FILE_TYPE', message: '.zip' } })], 5)
    expect(await ledger.row('a')).toMatchObject({
      outcome: 'skipped',
      refusal: { reason: 'FILE_TYPE', message: '.zip' },
      endedAtMs: 5,
    })
    expect(await ledger.ready(at(9))).toBe(false)
    expect(await ledger.lease(at(9))).toBeUndefined()
  })

  it('queues a row refused before any attempt, when it is found again without a refusal', async () => {
    const ledger = await open()
    const refused = { reason: 'DISCOVERY_DEPTH', message: 'too deep' } as const
    await ledger.admit([candidate('a', { depth: 3, refused }), candidate('b')], 0)
    const [row] = await ledger.admit([candidate('a', { depth: 1, foundOn: 'http://site.test/b' })], 4)
    expect(row).toMatchObject({ outcome: 'queued', depth: 1, foundOn: 'http://site.test/b' })
    expect(row).not.toHaveProperty('refusal')
    await ledger.lease(at(5))
    await ledger.end('b', { outcome: 'skipped', refusal: refused }, end)
    expect(await ledger.admit([candidate('b')], 6)).toEqual([])
    expect(await ledger.counts()).toMatchObject({ queued: 1, skipped: 1 })
  })

  it('marks a URL of a sitemap when another page links to it, refused or not', async () => {
    const ledger = await open()
    const sitemap = { via: 'sitemap', foundOn: 'http://site.test/sitemap.xml' } as const
    await ledger.admit([candidate('a', sitemap), candidate('b', sitemap), candidate('c', sitemap), candidate('d')], 0)
    const page = { foundOn: 'http://site.test/b', place: [9, 9] } as const
    await ledger.admit(
      [candidate('a', page), candidate('b', page), candidate('c', { ...page, refused: refusal }), candidate('d', page)],
      1,
    )
    expect((await ledger.rows()).map(({ linked }) => linked)).toEqual([true, undefined, true, undefined])
  })

  it('does not count `linksOnly` rows towards the limit', async () => {
    const ledger = await open({ limit: 1 })
    await ledger.admit([candidate('a', { linksOnly: true }), candidate('b'), candidate('c')], 0)
    expect(await ledger.lease(at(0))).toMatchObject({ key: 'a', linksOnly: true })
    expect(await ledger.lease(at(0))).toMatchObject({ key: 'b' })
    expect(await ledger.lease(at(0))).toBeUndefined()
  })

  it('lets a URL be claimed once by a page that was reached under another URL, unless it was attempted', async () => {
    const ledger = await open()
    const refused = { reason: 'DUPLICATE', message: 'scraped as another' } as const
    const claim = (key: string) => ledger.claim({ ...candidate(key), refused }, 3)
    expect(await claim('a')).toMatchObject({ outcome: 'added', row: { outcome: 'skipped', refusal: refused } })
    expect(await claim('a')).toMatchObject({ outcome: 'taken' })
    await ledger.admit([candidate('b', { refused: refusal }), candidate('c')], 4)
    expect(await claim('b')).toMatchObject({ outcome: 'claimed', row: { refusal: refused } })
    expect(await claim('b')).toMatchObject({ outcome: 'taken' })
    expect(await claim('c')).toMatchObject({ outcome: 'taken', row: { outcome: 'queued' } })
    expect(await ledger.counts()).toMatchObject({ skipped: 2, queued: 1, skippedByReason: { DUPLICATE: 2 } })
    // Its page is scraped as another: a link found later does not queue it.
    expect(await ledger.admit([candidate('a'), candidate('b')], 5)).toEqual([])
    expect(await ledger.counts()).toMatchObject({ skipped: 2, queued: 1 })
  })

  it('leases the smallest depth first, and within a depth the oldest row first', async () => {
    const ledger = await open()
    await ledger.admit([candidate('deep', { depth: 2 }), candidate('b', { depth: 1 }), candidate('c', { depth: 1 })], 0)
    await ledger.admit([candidate('top', { depth: 0 })], 1)
    const keys = []
    for (let row = await ledger.lease(at(2)); row; row = await ledger.lease(at(2))) keys.push(row.key)
    expect(keys).toEqual(['top', 'b', 'c', 'deep'])
  })

  it("leases rows in order of `place` alone with `order: 'place'`, whatever their depth", async () => {
    const ledger = await open({ order: 'place', holdLevelMs: Infinity })
    const below = candidate('below', { depth: 2, place: [5, 0] })
    await ledger.admit([candidate('a', { depth: 0, place: [3, 0] }), below, candidate('b', { place: [4, 0] })], 0)
    // Found again on a longer path, in an earlier position.
    await ledger.admit([candidate('b', { depth: 7, place: [2, 0] })], 0)
    const keys = []
    for (let row = await ledger.lease(at(0)); row; row = await ledger.lease(at(0))) keys.push(row.key)
    expect(keys).toEqual(['b', 'a', 'below'])
  })

  it('leases no row of a depth until the smaller depths have ended, with `holdLevelMs`', async () => {
    const ledger = await open({ holdLevelMs: Infinity })
    await ledger.admit([candidate('a'), candidate('b'), candidate('below', { depth: 1 })], 0)
    await ledger.lease(at(0))
    await ledger.lease(at(0))
    expect(await ledger.ready(at(0))).toBe(false)
    await ledger.end('a', done('a'), end)
    await ledger.retry('b', attempt({ retryAtMs: 50 }))
    expect(await ledger.lease(at(10))).toBeUndefined()
    expect(await ledger.lease(at(50))).toMatchObject({ key: 'b' })
    await ledger.end('b', failed, end)
    expect(await ledger.lease(at(50))).toMatchObject({ key: 'below' })
  })

  it('leases deeper rows while a row is active for longer than `holdLevelMs` or waits for a retry', async () => {
    const ledger = await open({ holdLevelMs: 100 })
    await ledger.admit([candidate('a'), candidate('b'), candidate('c', { depth: 1 }), candidate('d', { depth: 1 })], 0)
    await ledger.lease(at(0))
    await ledger.lease(at(50))
    await ledger.retry('b', attempt({ retryAtMs: 9999 }))
    expect(await ledger.lease(at(99))).toBeUndefined()
    expect(await ledger.lease(at(100))).toMatchObject({ key: 'c' })
  })

  it('leases deeper rows while the only active rows are in `readKeys`', async () => {
    const ledger = await open({ holdLevelMs: Infinity })
    await ledger.admit([candidate('a'), candidate('b'), candidate('below', { depth: 1 })], 0)
    await ledger.lease(at(0))
    await ledger.lease(at(0))
    const reading = (...keys: string[]) => ({ ...at(0), readKeys: new Set(keys) })
    expect(await ledger.ready(reading('a'))).toBe(false)
    expect(await ledger.ready(reading('a', 'b'))).toBe(true)
    expect(await ledger.lease(reading('a', 'b'))).toMatchObject({ key: 'below' })
    expect(await ledger.counts()).toMatchObject({ active: 3 })
  })

  it('leases rows in order of `place`, whichever was admitted first, and moves one that is found earlier', async () => {
    const ledger = await open()
    await ledger.admit([candidate('c', { place: [2, 0] }), candidate('b', { place: [1, 5] })], 0)
    await ledger.admit([candidate('last'), candidate('a', { place: [1, 2] }), candidate('x', { place: [9, 9] })], 0)
    await ledger.admit([candidate('x', { place: [0, 7], foundOn: 'http://site.test/first', anchor: 'X' })], 0)
    const taken = []
    for (let row = await ledger.lease(at(1)); row; row = await ledger.lease(at(1))) taken.push([row.key, row.order])
    expect(taken).toEqual([
      ['x', 0],
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['last', 4],
    ])
    expect(await ledger.row('x')).toMatchObject({ foundOn: 'http://site.test/first', anchor: 'X' })
  })

  it('puts a row back as if it had not been leased', async () => {
    const ledger = await open({ limit: 1 })
    await ledger.admit([candidate('a', { place: [0, 0] }), candidate('b', { place: [0, 1] })], 0)
    await ledger.lease(at(0))
    await ledger.putBack('a')
    expect(await ledger.row('a')).toMatchObject({ outcome: 'queued', attempts: [] })
    expect(await ledger.lease(at(0))).toMatchObject({ key: 'a' })
    await ledger.retry('a', attempt({ retryAtMs: 5 }))
    await ledger.lease(at(5))
    await ledger.putBack('a')
    expect(await ledger.lease(at(5))).toMatchObject({ key: 'a', attempts: [{ retryAtMs: 5 }] })
    expect(await ledger.counts()).toMatchObject({ active: 1, queued: 1 })
  })

  it('skips rows of held sites, and rows deeper than `maxDepth`', async () => {
    const ledger = await open()
    const on = (host: string, key: string, depth = 0) => candidate(key, { url: `http://${host}/${key}`, depth })
    await ledger.admit([on('a.test', '1'), on('www.a.test', '2'), on('b.test', '3'), on('c.test', '4', 1)], 0)
    const heldSites = new Set(['a.test'])
    expect(await ledger.lease(at(0, { heldSites }))).toMatchObject({ key: '3' })
    expect(await ledger.ready(at(0, { heldSites, maxDepth: 0 }))).toBe(false)
    expect(await ledger.lease(at(0, { heldSites }))).toMatchObject({ key: '4' })
    expect(await ledger.lease(at(0))).toMatchObject({ key: '1' })
    await ledger.retry('1', attempt({ retryAtMs: 5 }))
    expect(await ledger.ready(at(9, { heldSites }))).toBe(false)
  })

  it('leases rows of slow sites after all others', async () => {
    const ledger = await open()
    const on = (host: string, key: string) => candidate(key, { url: `http://${host}/${key}` })
    await ledger.admit([on('a.test', '1'), on('a.test', '2'), on('b.test', '3')], 0)
    const slowSites = new Set(['a.test'])
    expect(await ledger.lease(at(0, { slowSites }))).toMatchObject({ key: '3' })
    expect(await ledger.lease(at(0, { slowSites }))).toMatchObject({ key: '1' })
    expect(await ledger.lease(at(0, { slowSites, heldSites: slowSites }))).toBeUndefined()
  })

  it('leases a row that failed slowly after the others of its depth', async () => {
    const ledger = await open()
    await ledger.admit([candidate('a'), candidate('b'), candidate('c', { depth: 1 })], 0)
    await ledger.lease(at(0))
    await ledger.retry('a', attempt({ startedAtMs: 0, endedAtMs: 2000, retryAtMs: 2500 }))
    const keys = []
    for (let row = await ledger.lease(at(3000)); row; row = await ledger.lease(at(3000))) {
      keys.push(row.key)
      await ledger.end(row.key, done(row.key), end)
    }
    expect(keys).toEqual(['b', 'a', 'c'])
  })

  it('never leases more rows than the limit allows, and replaces failed ones', async () => {
    const ledger = await open({ limit: 2 })
    await ledger.admit(
      ['a', 'b', 'c', 'd'].map((key) => candidate(key)),
      0,
    )
    expect(await ledger.lease(at(0))).toMatchObject({ key: 'a' })
    expect(await ledger.lease(at(0))).toMatchObject({ key: 'b' })
    expect(await ledger.lease(at(0))).toBeUndefined()
    await ledger.end('a', failed, end)
    expect(await ledger.lease(at(0))).toMatchObject({ key: 'c' })
    await ledger.end('b', done('b'), end)
    await ledger.end('c', { outcome: 'skipped', refusal }, end)
    expect(await ledger.lease(at(0))).toMatchObject({ key: 'd' })
    await ledger.end('d', done('d'), end)
    expect(await ledger.ready(at(0))).toBe(false)
  })

  it('leases a row again only when its retry is due', async () => {
    const ledger = await open()
    await ledger.admit([candidate('a')], 0)
    await ledger.lease(at(0))
    await ledger.retry('a', attempt({ code: 'SCRAPE_TIMEOUT', retryAtMs: 100 }))
    expect(await ledger.ready(at(99))).toBe(false)
    expect(await ledger.lease(at(99))).toBeUndefined()
    expect(await ledger.ready(at(100))).toBe(true)
    expect(await ledger.lease(at(100))).toMatchObject({ key: 'a', outcome: 'active', attempts: [{ retryAtMs: 100 }] })
  })

  it('does not delay a retry when the clock was set back', async () => {
    const ledger = await open()
    await ledger.admit([candidate('a')], 5000)
    await ledger.lease(at(5000))
    await ledger.retry('a', attempt({ startedAtMs: 5000, endedAtMs: 5001, retryAtMs: 5100 }))
    expect(await ledger.lease(at(1000))).toMatchObject({ key: 'a' })
  })

  it('refuses to end a row that is not leased', async () => {
    const ledger = await open()
    await ledger.admit([candidate('a')], 0)
    await expect(ledger.end('a', done('a'), end)).rejects.toThrow(/not active/)
    await expect(ledger.retry('x', attempt())).rejects.toThrow(/not active/)
  })

  it('keeps documents in order of discovery for pages, and in order of completion for readers', async () => {
    const ledger = await open()
    await ledger.admit(
      ['a', 'b', 'c'].map((key) => candidate(key)),
      0,
    )
    for (let i = 0; i < 3; i++) await ledger.lease(at(0))
    for (const key of ['c', 'a', 'b']) await ledger.end(key, done(key), end)
    const names = (found: readonly { document: Doc }[]) => found.map(({ document }) => document.name)
    expect(names(await ledger.documents({ skip: 0, limit: 2 }))).toEqual(['a', 'b'])
    expect(names(await ledger.documents({ skip: 2, limit: 2 }))).toEqual(['c'])
    expect(names(await ledger.completed(0, 9))).toEqual(['c', 'a', 'b'])
    expect(names(await ledger.completed(1, 1))).toEqual(['a'])
  })

  it('stores two documents for a page that a batch lists twice, each in its position', async () => {
    const ledger = await open()
    const sources = (...orders: number[]) => orders.map((order) => ({ order, url: `spelling ${order}` }))
    await ledger.admit([candidate('a', { sources: sources(0, 2) }), candidate('b', { sources: sources(1) })], 0)
    expect(await ledger.counts()).toMatchObject({ queued: 3 })
    await ledger.lease(at(0))
    await ledger.lease(at(0))
    await ledger.end('b', done('b'), end)
    await ledger.end('a', { outcome: 'done', documents: [{ name: 'a0' }, { name: 'a2' }], bytes: 5 }, end)
    const found = await ledger.documents({ skip: 0, limit: 9 })
    expect(found.map(({ document }) => document.name)).toEqual(['a0', 'b', 'a2'])
    expect(await ledger.counts()).toMatchObject({ queued: 0, active: 0, done: 3, failed: 0, skipped: 0 })
  })

  it('skips all queued rows, including those that wait for a retry, and no active ones', async () => {
    const ledger = await open()
    await ledger.admit(
      ['a', 'b', 'c'].map((key) => candidate(key)),
      0,
    )
    await ledger.lease(at(0))
    await ledger.lease(at(0))
    await ledger.retry('a', attempt({ retryAtMs: 1e6 }))
    const skipped = await ledger.skipQueued(async () => refusal, 7)
    expect(skipped.map((row) => row.key).toSorted()).toEqual(['a', 'c'])
    expect(await ledger.row('b')).toMatchObject({ outcome: 'active' })
    expect(await ledger.row('c')).toMatchObject({ outcome: 'skipped', refusal, endedAtMs: 7 })
    expect(await ledger.lease(at(2e6))).toBeUndefined()
  })
}
