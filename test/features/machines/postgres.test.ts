import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/index.js'
import type { JobStore } from '../../../src/kernel/ledger/job-store.js'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { sharedOf } from '../../../src/kernel/ledger/shared-jobs.js'
import { rowLimits } from '../../../src/kernel/ledger/rows/row-limits.js'
import { ledgerContract } from '../../contracts/ledger.contract.js'
import { ledgerCountersContract } from '../../contracts/ledger-counters.contract.js'
import { ledgerDocumentsContract } from '../../contracts/ledger-documents.contract.js'
import { ledgerLimitsContract } from '../../contracts/ledger-limits.contract.js'
import { ledgerReportsContract } from '../../contracts/ledger-reports.contract.js'
import { ledgerRestartContract } from '../../contracts/ledger-restart.contract.js'
import { at, candidate, done, end } from '../../contracts/ledger-rows.js'
import { missing, type PostgresServer, startPostgres } from '../../base/store/postgres-server.js'
import { storedJob } from '../../kernel/ledger/stored-job.js'

const rules = { limit: Infinity, holdLevelMs: 0 }

describe.skipIf(missing !== undefined)(`the PostgreSQL ledger${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let shared: Ledger
  let opened: Ledger[] = []
  let schemas = 0
  let jobs = 0

  beforeAll(async () => {
    server = await startPostgres()
    shared = postgres({ connectionString: server.url(), schema: 'contract' })
  }, 120_000)
  afterAll(async () => {
    await shared.close()
    await server.close()
  }, 60_000)
  afterEach(async () => {
    await Promise.all(opened.map((ledger) => ledger.close()))
    opened = []
  })

  const newSchema = (): string => `s ${schemas++}`
  /** A ledger of a schema, with its job store. */
  function open(schema: string): Ledger & { jobStore: JobStore } {
    const ledger = postgres({ connectionString: server.url(), schema })
    opened.push(ledger)
    const { jobStore } = ledger
    if (!jobStore) throw new Error('it has no jobStore')
    return { ...ledger, jobStore }
  }

  /** A ledger that adds a job of its own for each ledger opened in the shared schema. */
  const make = (): Ledger => ({
    ...shared,
    async open(_, given) {
      const id = `job ${jobs++}`
      await shared.jobStore?.add(storedJob(id))
      return shared.open(id, given)
    },
  })

  describe('under the contract of every ledger', () => {
    ledgerContract(make)
    ledgerCountersContract(make)
    ledgerDocumentsContract(make)
    ledgerLimitsContract(make)
    ledgerReportsContract(make)
    ledgerRestartContract(() => {
      const schema = newSchema()
      return () => open(schema)
    })
  })

  it('restores abridged rows and reports, and deletes everything of an expired job', async () => {
    const schema = newSchema()
    const before = open(schema)
    await before.jobStore.add(storedJob('job', { reports: true }))
    const ledger = await before.open<{ name: string }>('job', { limit: 1, holdLevelMs: 0 })
    const kept = 1 + rowLimits.reserve
    await ledger.admit(
      Array.from({ length: kept + 5 }, (_, n) => candidate(`k${n}`, { depth: 2 })),
      5000,
    )
    await ledger.outbox('reporter').post('started', 1)
    expect(await ledger.outbox('reporter').lease(1)).toMatchObject({ number: 0, event: 'started' })
    await ledger.outbox('reporter').delivered(0)
    await ledger.lease(at(0))
    await ledger.end('k0', done('k0'), { ...end, reports: { features: ['reporter'], dueAtMs: 5 }, note: 'n' })
    const counts = await ledger.counts()
    await before.close()
    const after = open(schema)
    expect(await after.jobStore.acquire('job')).toMatchObject({ reports: true })
    const again = await after.open('job', { limit: 1, holdLevelMs: 0 })
    expect(await again.counts()).toEqual(counts)
    expect(counts).toMatchObject({ abridged: 5, skippedByReason: { LIMIT: 5 } })
    expect(await again.outbox('reporter').undelivered()).toEqual([
      {
        number: 1,
        feature: 'reporter',
        event: 'page',
        page: { key: 'k0', at: 0, sequence: 0 },
        attempts: 0,
        dueAtMs: 5,
      },
    ])
    await again.outbox('reporter').post('completed', 9)
    after.jobStore.change('job', { state: 'completed', completedAtMs: 1, expiresAtMs: 10_000, reports: false })
    await after.jobStore.written?.('job')
    after.jobStore.forgetExpired(9999)
    expect(await after.jobStore.acquire('job')).toBeDefined()
    after.jobStore.forgetExpired(20_000)
    expect(await after.jobStore.acquire('job')).toBeUndefined()
    const rest = ['jobs', 'pages', 'notes', 'documents', 'reports', 'abridged', 'forgotten'].map(
      (table) => `(SELECT count(*) FROM "${schema}".${table})`,
    )
    await expect
      .poll(async () => Number((await server.query(`SELECT ${rest.join(' + ')} AS rows`))[0]?.['rows']), {
        timeout: 60_000,
      })
      .toBe(0)
  })

  it('keeps large documents outside of the row, and reads them one by one by size', async () => {
    const schema = newSchema()
    const ledger = open(schema)
    await ledger.jobStore.add(storedJob('job'))
    const rows = await ledger.open<{ name: string }>('job', rules)
    const large = Array.from({ length: 200_000 }, (_, n) => (n * 7919).toString(36)).join(' ')
    await rows.admit([candidate('a'), candidate('b')], 0)
    for (const key of ['a', 'b']) {
      await rows.lease(at(0))
      await rows.end(key, { outcome: 'done', documents: [{ name: large + key }], bytes: large.length }, end)
    }
    const read = await rows.documents({ skip: 0, limit: 9, maxBytes: 1000 })
    expect(read.map(({ document }) => document.name === `${large}a`)).toEqual([true])
    const [size] = await server.query(
      `SELECT pg_relation_size('"${schema}".documents') AS row, pg_table_size('"${schema}".documents') AS whole`,
    )
    expect(Number(size?.['row'])).toBeLessThan(20_000)
    expect(Number(size?.['whole'])).toBeGreaterThan(500_000)
  })

  it('gives each job to one engine until it is released', async () => {
    const schema = newSchema()
    const [one, other] = [open(schema), open(schema)]
    await one.jobStore.add(storedJob('a', { idempotencyKey: 'key \0' }))
    expect(await one.jobStore.acquire('a')).toEqual(storedJob('a', { idempotencyKey: 'key \0' }))
    expect(await other.jobStore.acquire('a')).toBe('held')
    expect(await other.jobStore.listInterrupted()).toEqual([])
    expect(await other.jobStore.findByKey('key \0')).toBe('a')
    await expect(other.jobStore.add(storedJob('b', { idempotencyKey: 'key \0' }))).rejects.toThrow(
      expect.objectContaining({ code: 'JOB_HELD' }),
    )
    one.jobStore.release('a')
    await one.jobStore.written?.('a')
    expect(await other.jobStore.listInterrupted()).toMatchObject([{ id: 'a' }])
    expect(await other.jobStore.acquire('a')).toMatchObject({ id: 'a' })
    expect(await one.jobStore.acquire('a')).toBe('held')
    expect(await one.jobStore.acquire('x')).toBeUndefined()
  })

  it('gives a job to the next engine as soon as its own one has closed, or was killed', async () => {
    const schema = newSchema()
    const [one, other] = [open(schema), open(schema)]
    await one.jobStore.add(storedJob('a'))
    expect(await other.jobStore.acquire('a')).toBe('held')
    await one.close()
    expect(await other.jobStore.acquire('a')).toMatchObject({ id: 'a' })

    const module = new URL('../../../dist/index.js', import.meta.url).href
    const script = `
      import { postgres } from ${JSON.stringify(module)}
      const ledger = postgres({ connectionString: process.argv[1], schema: process.argv[2] })
      await ledger.jobStore.add(${JSON.stringify(storedJob('b'))})
      process.stdout.write('.')
      setInterval(() => ledger.jobStore, 1000)`
    const args = ['--input-type=module', '-e', script, server.url(), schema]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    expect(await other.jobStore.acquire('b')).toBe('held')
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => other.jobStore.acquire('b'), { timeout: 60_000 }).toMatchObject({ id: 'b' })
  }, 120_000)

  it('gives a job to one of many engines that ask for it at once', async () => {
    const schema = newSchema()
    const [first, ...others] = Array.from({ length: 5 }, () => open(schema))
    await first?.jobStore.add(storedJob('a'))
    first?.jobStore.release('a')
    await first?.jobStore.written?.('a')
    for (const { jobStore } of others) await jobStore.listInterrupted()
    // The row is locked, so that all of them wait for it.
    const locked = server.query(
      `BEGIN; SELECT FROM "${schema}".jobs FOR UPDATE; SELECT pg_sleep(0.3); UPDATE "${schema}".jobs SET owner = NULL; COMMIT`,
    )
    const results = await Promise.all(others.map(({ jobStore }) => jobStore.acquire('a')))
    await locked
    expect(results.filter((result) => result === 'held')).toHaveLength(3)
  })

  it('restarts a stopped job for one engine, with its used budget', async () => {
    const schema = newSchema()
    const [one, other] = [open(schema), open(schema)]
    await one.jobStore.add(storedJob('job'))
    const rows = await one.open('job', rules)
    const used = { bytes: 5000, requests: 7, browserSeconds: 1.5, modelTokens: 3, modelCost: 0.25, seconds: 60 }
    rows.recordUse({ ...used, requests: 6 })
    rows.recordUse(used)
    const stop = { state: 'completed', completedAtMs: 50, expiresAtMs: 99, stoppedBy: 'requests' } as const
    one.jobStore.change('job', { budget: { requests: 7 }, warnings: ['careful \0'] })
    await one.jobStore.written?.('job')
    one.jobStore.change('job', { ...stop, error: 'UNKNOWN_ERROR: \0' })
    await one.jobStore.written?.('job')
    expect(await other.jobStore.acquire('job')).toEqual(
      storedJob('job', {
        ...stop,
        used,
        budget: { requests: 7 },
        warnings: ['careful \0'],
        error: 'UNKNOWN_ERROR: \0',
      }),
    )
    expect(await one.jobStore.restart('job', 49)).toBe(false)
    expect(await other.jobStore.restart('job', 50)).toBe(true)
    expect(await one.jobStore.restart('job', 50)).toBe(false)
    expect(await one.jobStore.acquire('job')).toBe('held')
    expect(await one.jobStore.restart('unknown', 50)).toBe(false)
  })

  it('lists the ended jobs with reports left, for engines that may send them', async () => {
    const schema = newSchema()
    const [one, other] = [open(schema), open(schema)]
    await one.jobStore.add(storedJob('a', { reports: true }))
    one.jobStore.change('a', { state: 'completed', completedAtMs: 5, expiresAtMs: 9 })
    await one.jobStore.written?.('a')
    expect(await other.jobStore.listUnreported()).toEqual([])
    expect(await other.jobStore.acquire('a')).toMatchObject({ reports: false })
    await one.close()
    expect(await other.jobStore.listUnreported()).toEqual(['a'])
    expect(await other.jobStore.acquire('a')).toMatchObject({ reports: true })
    other.jobStore.change('a', { reports: false })
    await other.jobStore.written?.('a')
    expect(await other.jobStore.listUnreported()).toEqual([])
  })

  it('reads only the documents and rows that are asked for, also when the server knows that there are many', async () => {
    const schema = newSchema()
    const writing = open(schema)
    await writing.jobStore.add(storedJob('job'))
    const written = await writing.open('job', rules)
    const keys = Array.from({ length: 400 }, (_, n) => `k${n}`)
    await written.admit(
      keys.map((key) => candidate(key)),
      0,
    )
    while (await written.lease(at(0)));
    await Promise.all(keys.map((key) => written.end(key, done(key), end)))
    await writing.close()
    await server.query(`ANALYZE "${schema}".documents, "${schema}".pages`)
    const reading = open(schema)
    const job = await reading.open('job', rules)
    const [parts, size] = [12, 16]
    for (let part = 0; part < parts; part += 1) {
      expect(await job.completed(part * size, size)).toHaveLength(size)
      expect(await job.documents({ skip: part * size, limit: size })).toHaveLength(size)
    }
    const remote = await sharedOf(reading)?.open('job')
    for (const key of keys.slice(0, parts)) expect(await remote?.row(key)).toMatchObject({ key, outcome: 'done' })
    // A session counts its reads at its end.
    await reading.close()
    const sql = `SELECT seq_tup_read::integer AS scanned, idx_tup_fetch::integer AS fetched
      FROM pg_stat_user_tables WHERE schemaname = '${schema}'`
    const count = async (table: string) => (await server.query(`${sql} AND relname = '${table}'`))[0] ?? {}
    await expect.poll(async () => (await count('documents'))['fetched']).toBeGreaterThanOrEqual(2 * parts * size)
    const [documents, pages] = [await count('documents'), await count('pages')]
    expect([documents['scanned'], pages['scanned']]).toEqual([0, 0])
    // Each document is found by its position and then read; in order of discovery, those before it are counted.
    expect(documents['fetched']).toBeLessThan(parts * size * (2 + 2 + parts))
    // All rows are written, then read when the job is opened.
    expect(pages['fetched']).toBeLessThan(4 * keys.length)
  }, 20_000)

  it('makes its schema once, whoever begins, and refuses one of a later version', async () => {
    const schema = newSchema()
    const module = new URL('../../../dist/index.js', import.meta.url).href
    const script = `
      import { postgres } from ${JSON.stringify(module)}
      const ledger = postgres({ connectionString: process.argv[1], schema: process.argv[2] })
      process.stdout.write(JSON.stringify((await ledger.jobStore.listInterrupted())))
      await ledger.close()`
    const said = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, server.url(), schema])
        let text = ''
        child.stdout.on('data', (data) => (text += String(data)))
        child.stderr.on('data', (data) => (text += String(data)))
        await once(child, 'close')
        return text
      }),
    )
    expect(said).toEqual(['[]', '[]', '[]'])
    await server.query(`UPDATE "${schema}".schema_version SET version = 99`)
    await expect(open(schema).jobStore.listInterrupted()).rejects.toThrow(/later version of trawl: it has version 99/)
  }, 120_000)
})
