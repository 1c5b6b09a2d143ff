import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/index.js'
import { missing, type PostgresServer, startPostgres } from '../../base/store/postgres-server.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const suffix = missing === undefined ? '' : `: ${missing}`
describe.skipIf(missing !== undefined)(`\`job.each()\` with the ledger \`postgres()\`${suffix}`, () => {
  const on = useChangingSite()
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(() => server.close(), 30_000)

  it('commits what the function writes with the acknowledgement, and gives the change again where it failed', async () => {
    await server.query('CREATE TABLE log (op TEXT, key TEXT)')
    const ledger = postgres({ connectionString: server.url(), schema: 'each' })
    const { start, pages, engine } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, { ledger })
    const crawl = () => engine.crawl({ url: start, since: 'last', mirror: 'docs' })
    const first = await crawl().each(({ op, key }, tx) => tx?.run('INSERT INTO log VALUES ($1, $2)', op, key))
    expect(first).toMatchObject({ new: 3 })
    pages.set('/a', { links: [], text: 'New.' })
    let late: Parameters<Parameters<ReturnType<typeof crawl>['each']>[0]>[1]
    const failing = crawl().each(async ({ op, key }, tx) => {
      late = tx
      await tx?.run('INSERT INTO log VALUES ($1, $2)', op, key)
      throw new Error('the function fails')
    })
    await expect(failing).rejects.toThrow(/^the function fails$/)
    await expect(late?.run('DELETE FROM log')).rejects.toThrow('the transaction has ended')
    expect(await server.query('SELECT * FROM log')).toHaveLength(3)
    const wrong = crawl().each((_, tx) => tx?.run('INSERT INTO nothing VALUES (1)'))
    await expect(wrong).rejects.toThrow('nothing')
    // Its own transaction, which others do not see before it is committed.
    const counts: unknown[] = []
    const again = await crawl().each(async ({ op, key }, tx) => {
      await tx?.run('INSERT INTO log VALUES ($1, $2)', op, key)
      counts.push(...((await tx?.all('SELECT count(*)::int AS n FROM log')) ?? []))
      await sleep(1)
      counts.push(...(await server.query('SELECT count(*)::int AS n FROM log')))
    })
    expect(again).toMatchObject({ changed: 1, new: 0 })
    expect(counts).toEqual([{ n: 4 }, { n: 3 }])
    expect(await server.query('SELECT * FROM log')).toHaveLength(4)
  })
})
