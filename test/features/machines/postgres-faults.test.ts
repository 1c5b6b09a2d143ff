import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/index.js'
import type { JobStore } from '../../../src/kernel/ledger/job-store.js'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { PgDatabase } from '../../../src/features/machines/postgres/database.js'
import { openPostgres, describeTarget } from '../../../src/features/machines/shared/open-postgres.js'
import type { PostgresLedgerOptions } from '../../../src/features/machines/postgres/postgres-options.js'
import type { PgTiming } from '../../../src/features/machines/postgres/statement.js'
import { settingsRule } from '../../../src/base/postgres/connection-settings.js'
import { newGroup, toStatement } from '../../../src/features/machines/postgres/write-group.js'
import { at, candidate, done, end } from '../../contracts/ledger-rows.js'
import { missing, type PostgresServer, startNetwork, startPostgres } from '../../base/store/postgres-server.js'
import { storedJob } from '../../kernel/ledger/stored-job.js'

const rules = { limit: Infinity, holdLevelMs: 0 }
/** Time for anything that happens soon on a machine that has nothing else to do. Milliseconds. */
const LONG_MS = 60_000
const PATIENT: PgTiming = { connectMs: 20_000, statementMs: 20_000, closingMs: LONG_MS, patienceMs: LONG_MS }
/** Statements that wait for a lock end soon. */
const QUICK: PgTiming = { ...PATIENT, statementMs: 800 }

const title = `a PostgreSQL connection${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  let server: PostgresServer
  let opened: Ledger[] = []
  let schema = ''
  let schemas = 0

  beforeAll(async () => {
    server = await startPostgres()
  }, 3 * LONG_MS)
  afterAll(() => server.close(), LONG_MS)
  afterEach(async () => {
    await Promise.all(opened.map((ledger) => ledger.close().catch(() => undefined)))
    opened = []
  }, LONG_MS)

  const newSchema = (): void => void (schema = `faults ${schemas++}`)
  function open(
    options: PostgresLedgerOptions = { connectionString: server.url() },
    timing = PATIENT,
  ): Ledger & { jobStore: JobStore } {
    const ledger = openPostgres({ ...options, schema }, timing)
    opened.push(ledger)
    const { jobStore } = ledger
    if (!jobStore) throw new Error('it has no jobStore')
    return { ...ledger, jobStore }
  }
  const query = (sql: string) => server.query(`SET search_path TO "${schema}"; ${sql}`)
  const hold = (sql: string) => server.hold(`SET search_path TO "${schema}"; ${sql}`)
  /** The statements with this text that wait for a lock. */
  const listWaiting = (text: string) =>
    server.query(
      `SELECT pid, query_start FROM pg_stat_activity WHERE query LIKE '%${text}%' AND wait_event_type = 'Lock'`,
    )
  const settings = () => ({
    host: '127.0.0.1',
    port: server.port,
    user: 'trawl',
    password: 'the password',
    database: 'postgres',
  })

  it('asks a function for the password, and reads its columns with the types of `pg` itself', async () => {
    newSchema()
    const password = async (): Promise<string> => 'the password'
    const ledger = open({ pool: { ...settings(), password, types: {} } })
    expect(await ledger.jobStore.acquire('job')).toBeUndefined()
  })

  it('reads documents in order of completion by their size', async () => {
    newSchema()
    const ledger = open()
    await ledger.jobStore.add(storedJob('job'))
    const rows = await ledger.open<{ name: string }>('job', rules)
    await rows.admit(
      ['a', 'b', 'c'].map((key) => candidate(key)),
      0,
    )
    for (const key of ['a', 'b', 'c']) {
      await rows.lease(at(0))
      await rows.end(key, { outcome: 'done', documents: [{ name: key }], bytes: 2 ** 24 }, end)
    }
    const read = async (from: number) => (await rows.completed(from, 16)).map(({ document }) => document.name)
    expect(await ledger.jobStore.acquire('job\0')).toBeUndefined()
    expect(await Promise.all([0, 1, 2, 3].map(read))).toEqual([['a'], ['b'], ['c'], []])
  })

  it('finds the server by the environment, as `pg` does', async () => {
    newSchema()
    const names = {
      PGHOST: '127.0.0.1',
      PGPORT: `${server.port}`,
      PGUSER: 'trawl',
      PGPASSWORD: 'the password',
      PGDATABASE: 'postgres',
    }
    const before = { ...process.env }
    Object.assign(process.env, names)
    try {
      expect(await open({ pool: { max: 3 } }).jobStore.listInterrupted()).toEqual([])
    } finally {
      for (const name of Object.keys(names)) delete process.env[name]
      Object.assign(process.env, before)
    }
  })

  it('keeps its session where the role has limits of its own', async () => {
    newSchema()
    await server.query(`CREATE ROLE limited SUPERUSER LOGIN PASSWORD 'the password';
      ALTER ROLE limited SET idle_session_timeout = 1000; ALTER ROLE limited SET statement_timeout = 50;
      ALTER ROLE limited SET lock_timeout = 50; ALTER ROLE limited SET default_transaction_isolation = 'serializable'`)
    const one = open({ connectionString: server.url({ user: 'limited' }) })
    await one.jobStore.add(storedJob('job'))
    const rows = await one.open<{ name: string }>('job', rules)
    const pids = () => server.query(`SELECT pid FROM pg_stat_activity WHERE usename = 'limited' ORDER BY pid`)
    const before = await pids()
    const locked = await hold('SELECT FROM jobs FOR UPDATE')
    await rows.admit([candidate('a')], 0)
    await rows.lease(at(0))
    const ending = rows.end('a', done('a'), end)
    const waitsLong = async () =>
      (
        await query(`SELECT FROM pg_stat_activity WHERE usename = 'limited'
      AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '200 ms'`)
      ).length
    await expect.poll(waitsLong, { timeout: LONG_MS }).toBeGreaterThan(0)
    await locked.end()
    await ending
    // Longer than a session of the role may be idle. Less than a second would also end one that a busy machine has just opened.
    await sleep(1200)
    // One more for the documents, on first use.
    expect(await pids()).toEqual(expect.arrayContaining(before))
  })

  it('leaves no statement behind that may come after its repetition', async () => {
    newSchema()
    const one = open({ connectionString: server.url() }, QUICK)
    await one.jobStore.add(storedJob('job'))
    const rows = await one.open<{ name: string }>('job', rules)
    await rows.admit([candidate('a')], 0)
    await rows.lease(at(0))
    const locked = await hold('SELECT FROM jobs FOR UPDATE')
    const ending = rows.end('a', done('a'), end)
    const starts = new Set<string>()
    const countStarts = async (): Promise<number> => {
      const waiting = await listWaiting('new_pages')
      expect(waiting.length).toBeLessThan(2)
      for (const { query_start: start } of waiting) starts.add(String((start as Date).getTime()))
      return starts.size
    }
    // The first one has ended when its repetition comes.
    await expect.poll(countStarts, { timeout: LONG_MS }).toBeGreaterThan(1)
    await locked.end()
    await ending
  })

  it('leaves no connection behind when it is closed while it connects again', async () => {
    newSchema()
    const network = await startNetwork(server.port)
    const timing = { ...PATIENT, closingMs: 3 * LONG_MS }
    const one = open({ connectionString: server.url({ port: network.port }) }, timing)
    await one.jobStore.add(storedJob('job'))
    const locked = await hold('LOCK TABLE schema_version')
    await network.cut()
    await network.mend()
    await expect.poll(() => listWaiting('schema_version'), { timeout: LONG_MS }).toHaveLength(1)
    const closing = one.close()
    await locked.end()
    await closing
    const left = `SELECT FROM pg_stat_activity WHERE application_name = 'trawl' AND datname = current_database()`
    await expect.poll(async () => (await server.query(left)).length, { timeout: LONG_MS }).toBe(0)
    await network.close()
  })

  it('is not tried again for each question that has waited for it long enough', async () => {
    let tries = 0
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => {
      tries += 1
      sockets.add(socket)
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    newSchema()
    const timing = { ...PATIENT, connectMs: 400, patienceMs: 1 }
    const { jobStore } = open({ pool: { ...settings(), port } }, timing)
    const asked = await Promise.allSettled(['a', 'b', 'c'].map((id) => jobStore.read(id)))
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it('runs the statements of its first connection in the order of their calls', async () => {
    newSchema()
    const database = new PgDatabase(describeTarget({ connectionString: server.url(), schema }), PATIENT)
    const run = (text: string) => database.run('writer', [{ text, values: [] }])
    const calls: Promise<unknown>[] = []
    const made = { isOver: false }
    calls.push(run('CREATE TABLE calls (number serial)').finally(() => (made.isOver = true)))
    // One in each turn of the loop, so that some are given between any two answers.
    while (!made.isOver) {
      await new Promise(setImmediate)
      calls.push(run('INSERT INTO calls DEFAULT VALUES'))
    }
    const ends = await Promise.allSettled(calls)
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
    await database.close()
  })

  it('waits no longer for a lost connection than an answer may take when it reads a job of another engine', async () => {
    newSchema()
    const network = await startNetwork(server.port)
    const patienceMs = 100 * LONG_MS
    const target = { connectionString: server.url({ port: network.port }), schema }
    const ledger = openPostgres(target, { ...PATIENT, patienceMs })
    expect(await ledger.shared.find('job')).toBeUndefined()
    await network.cut()
    await expect(ledger.shared.find('job')).rejects.toMatchObject({ code: 'LEDGER_ERROR' })
    await ledger.close()
    await network.close()
  })

  it('waits a few seconds for a lost connection from `hurry()` on, also in calls under way', async () => {
    newSchema()
    const network = await startNetwork(server.port)
    const patienceMs = 100 * LONG_MS
    const { jobStore } = open({ connectionString: server.url({ port: network.port }) }, { ...PATIENT, patienceMs })
    await jobStore.add(storedJob('first'))
    await network.cut()
    const added = ['second', 'third'].map(async (id) => jobStore.add(storedJob(id)))
    jobStore.hurry?.()
    const ends = await Promise.allSettled(added)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    // One that is lost later is awaited as well.
    await network.mend()
    expect(await jobStore.read('second')).toBeUndefined()
    await network.cut()
    const read = jobStore.read('first')
    await network.mend()
    expect(await read).toMatchObject({ isHeld: true })
    await network.close()
  })

  it('writes nothing by a statement that comes late', async () => {
    newSchema()
    const one = open()
    await one.jobStore.add(storedJob('job'))
    const rows = await one.open<{ name: string }>('job', rules)
    await rows.admit([candidate('a')], 0)
    await rows.lease(at(0))
    await rows.end('a', done('a'), end)
    const before = await query('SELECT entry FROM pages')
    const [job] = await query('SELECT number, generation, writes FROM jobs')
    const database = new PgDatabase(describeTarget({ connectionString: server.url(), schema }), PATIENT)
    const group = newGroup()
    group.pages.set(0, { number: 0, key: 'a' } as never)
    const late = {
      job: Number(job?.['number']),
      generation: Number(job?.['generation']),
      write: Number(job?.['writes']),
      group,
    }
    await database.run('writer', [toStatement([late])])
    expect(await query('SELECT entry FROM pages')).toEqual(before)
    await database.run('writer', [toStatement([{ ...late, write: late.write + 1 }])])
    expect(await query('SELECT entry FROM pages')).not.toEqual(before)
    await database.close()
  })

  it('deletes all rows of an expired job, also when another engine deletes some of them', async () => {
    newSchema()
    const one = open()
    await one.jobStore.add(storedJob('job'))
    one.jobStore.change('job', { state: 'completed', completedAtMs: 1, expiresAtMs: 2 })
    await one.jobStore.written?.('job')
    await query(`INSERT INTO pages SELECT jobs.number, n, 'x' FROM jobs, generate_series(1, 2500) n`)
    const other = await hold('DELETE FROM pages WHERE number <= 500')
    one.jobStore.forgetExpired(10)
    await expect.poll(() => listWaiting('DELETE FROM pages'), { timeout: LONG_MS }).toHaveLength(1)
    await other.end()
    const left = async () =>
      (await query('SELECT (SELECT count(*) FROM pages)::int + (SELECT count(*) FROM forgotten)::int AS left'))[0]
    await expect.poll(left, { timeout: LONG_MS }).toEqual({ left: 0 })
  })
})

describe('postgres()', () => {
  it('names what is wrong with its options', () => {
    expect(() => postgres({})).toThrow(/one of `connectionString` and `pool` is needed/)
    expect(() => postgres({ connectionString: 'postgres://x', pool: {} })).toThrow(/one of/)
    expect(() => postgres({ pool: [] })).toThrow(/a `Pool` of the package `pg`/)
    expect(() => postgres({ connectionString: 'postgres://x', schema: '' })).toThrow(/the name of a schema/)
    expect(() => postgres({ connectionString: 'postgres://x', schema: 'x'.repeat(64) })).toThrow(/63 bytes/)
  })
})

describe('the settings of a PostgreSQL connection', () => {
  it('do not show the password in messages', () => {
    const label = (connectionString: string): string => describeTarget({ connectionString }).label
    expect(label('postgres://user:secret@host:5432/database?sslmode=require')).toBe('postgres://host:5432/database')
    for (const password of ['se/cret', 'se#cret', 'se?cret', 'se@cret', '/@?#cret', '1#cret']) {
      expect(label(`postgres://user:${password}@host/database`)).not.toMatch(/cret/)
    }
    expect(label('postgres://host/database?user=a&password=x@secret')).toBe('in PostgreSQL')
    expect(label('postgres://host/database')).toBe('postgres://host/database')
    expect(label('/var/run/postgresql database')).toBe('in PostgreSQL')
  })

  it.skipIf(missing !== undefined)('have the hidden parts of a pool: its password and the key of TLS', () => {
    const { Pool } = createRequire(import.meta.url)('pg') as { Pool: new (settings: object) => object }
    const pool = new Pool({ host: 'host', password: 'secret', ssl: { key: 'the key', ca: 'the authority' } })
    expect(settingsRule.accepts(pool)).toBe(true)
    const { settings } = describeTarget({ pool })
    expect(structuredClone(settings)).toMatchObject({
      password: 'secret',
      ssl: { key: 'the key', ca: 'the authority' },
    })
  })
})
