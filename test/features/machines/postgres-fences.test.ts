import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JobStore, StoredJob } from '../../../src/kernel/ledger/job-store.js'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { openPostgres } from '../../../src/features/machines/shared/open-postgres.js'
import type { PgTiming } from '../../../src/features/machines/postgres/statement.js'
import { at, candidate, done, end } from '../../contracts/ledger-rows.js'
import {
  missing,
  type Network,
  type PostgresServer,
  startNetwork,
  startPostgres,
} from '../../base/store/postgres-server.js'
import { storedJob } from '../../kernel/ledger/stored-job.js'

const rules = { limit: Infinity, holdLevelMs: 0 }
/** Time for anything that happens soon on a machine that has nothing else to do. Milliseconds. */
const LONG_MS = 60_000
const PATIENT: PgTiming = { connectMs: 20_000, statementMs: 20_000, closingMs: LONG_MS, patienceMs: LONG_MS }
/** A silent server counts as lost soon. */
const QUICK: PgTiming = { ...PATIENT, connectMs: 2000, statementMs: 800 }
/** Gives a lost connection up at once. */
const IMPATIENT: PgTiming = { ...PATIENT, patienceMs: 50 }
const STOP = { state: 'completed', completedAtMs: 50, expiresAtMs: 9e12, stoppedBy: 'requests' } as const
const ENDED = { state: 'completed', completedAtMs: 50, expiresAtMs: 9e12 } as const

async function changed(store: JobStore, change: (store: JobStore) => void): Promise<void> {
  change(store)
  await store.written?.('own')
}

const title = `a job's owner${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  let server: PostgresServer
  let network: Network
  let opened: Ledger[] = []
  let schema = ''
  let schemas = 0

  beforeAll(async () => {
    server = await startPostgres()
    network = await startNetwork(server.port)
  }, 3 * LONG_MS)
  afterAll(async () => {
    await network.close()
    await server.close()
  }, LONG_MS)
  afterEach(async () => {
    await network.mend()
    await Promise.all(opened.map((ledger) => ledger.close().catch(() => undefined)))
    opened = []
  }, LONG_MS)

  const newSchema = (): void => void (schema = `fences ${schemas++}`)
  function open(port = server.port, timing = PATIENT): Ledger & { jobStore: JobStore } {
    const ledger = openPostgres({ connectionString: server.url({ port }), schema }, timing)
    opened.push(ledger)
    const { jobStore } = ledger
    if (!jobStore) throw new Error('it has no jobStore')
    return { ...ledger, jobStore }
  }
  const query = (sql: string) => server.query(`SET search_path TO "${schema}"; ${sql}`)
  /** Cuts the network, and takes the job in another engine as soon as it is free. */
  async function takeOver(other: { jobStore: JobStore }): Promise<void> {
    await network.cut()
    await expect.poll(() => other.jobStore.acquire('job'), { timeout: LONG_MS }).toMatchObject({ id: 'job' })
  }

  it.each(['finished', 'released'] as const)(
    'writes nothing of a job that was taken over and %s while it was cut off',
    async (how) => {
      newSchema()
      const [one, other] = [open(network.port), open()]
      await one.jobStore.add(storedJob('job'))
      const rows = await one.open<{ name: string }>('job', rules)
      await rows.admit([candidate('a'), candidate('b')], 0)
      await rows.lease(at(0))
      await rows.end('a', done('a'), end)
      await takeOver(other)
      const theirs = await other.open<{ name: string }>('job', rules)
      await theirs.lease(at(0))
      await theirs.end('b', done('of the other'), end)
      if (how === 'finished') other.jobStore.change('job', ENDED)
      else other.jobStore.release('job')
      await other.jobStore.written?.('job')
      const before = await query('SELECT entry FROM pages ORDER BY number')
      await rows.lease(at(0))
      const ending = expect(rows.end('b', done('of the one'), end)).rejects.toMatchObject({ code: 'JOB_HELD' })
      await network.mend()
      await ending
      expect(await query('SELECT entry FROM pages ORDER BY number')).toEqual(before)
      expect(await query('SELECT body FROM documents ORDER BY sequence')).toHaveLength(2)
    },
  )

  it('does not end a job that was taken over, and says so', async () => {
    newSchema()
    const [one, other] = [open(network.port), open()]
    await one.jobStore.add(storedJob('job'))
    await takeOver(other)
    await network.mend()
    one.jobStore.change('job', STOP)
    await expect(one.jobStore.written?.('job')).rejects.toMatchObject({ code: 'JOB_HELD' })
    expect(await query('SELECT state, stopped_by FROM jobs')).toEqual([{ state: 'scraping', stopped_by: null }])
  })

  it.each([
    ['add', 'INSERT INTO jobs', async (store: JobStore) => await store.add(storedJob('new'))],
    [
      'acquire',
      'owner = $2, generation = $4',
      async (store: JobStore) => expect(await store.acquire('job')).toMatchObject({ id: 'job' }),
    ],
    ['restart', 'stopped_by = NULL', async (store: JobStore) => expect(await store.restart('stopped', 50)).toBe(true)],
    ['change', 'changed AS', (store: JobStore) => changed(store, (own) => own.change('own', ENDED))],
    ['release', 'changed AS', (store: JobStore) => changed(store, (own) => own.release('own'))],
  ])('is asked again by %s when the answer is lost, with the same effect', async (name, text, call) => {
    newSchema()
    const [one, other] = [open(network.port), open()]
    await other.jobStore.add(storedJob('job'))
    other.jobStore.release('job')
    await other.jobStore.written?.('job')
    await one.jobStore.add(storedJob('stopped'))
    one.jobStore.change('stopped', STOP)
    await one.jobStore.written?.('stopped')
    await one.jobStore.add(storedJob('own'))
    // On new connections, statements have their text.
    await network.cut()
    await network.loseAnswer(text, 'mend')
    await network.mend()
    await call(one.jobStore)
    const rows = await query('SELECT id, state, owner IS NULL AS free FROM jobs ORDER BY id')
    const own = { id: 'own', state: 'scraping', free: false }
    const expected: Record<string, object[]> = {
      add: [{ id: 'new', state: 'scraping', free: false }],
      acquire: [{ id: 'job', state: 'scraping', free: false }],
      restart: [{ id: 'stopped', state: 'scraping', free: false }],
      change: [{ ...own, state: 'completed', free: true }],
      release: [{ ...own, free: true }],
    }
    expect(rows).toEqual(expect.arrayContaining(expected[name] ?? []))
  })

  it('gives back what it may have taken when a request was given up', async () => {
    newSchema()
    const other = open()
    const left: StoredJob[] = [storedJob('job'), storedJob('stopped')]
    for (const job of left) await other.jobStore.add(job)
    other.jobStore.release('job')
    await other.jobStore.written?.('job')
    other.jobStore.change('stopped', STOP)
    await other.jobStore.written?.('stopped')
    const lose = async (text: string, prepare: (store: JobStore) => unknown, call: (store: JobStore) => unknown) => {
      const { jobStore } = open(network.port, IMPATIENT)
      await prepare(jobStore)
      await network.loseAnswer(text, 'cut')
      await expect((async () => call(jobStore))()).rejects.toMatchObject({ code: 'LEDGER_ERROR' })
      await network.mend()
      await expect.poll(() => query('SELECT 1 FROM jobs WHERE owner IS NOT NULL'), { timeout: LONG_MS }).toHaveLength(0)
    }
    const nothing = (store: JobStore): Promise<unknown> => store.listInterrupted()
    await lose(
      'changed AS',
      (store) => store.add(storedJob('own')),
      (store) => changed(store, (own) => own.change('own', { ...ENDED, reports: true })),
    )
    await lose('owner = $2, generation = $4', nothing, (store) => store.acquire('job'))
    await lose(
      'stopped_by = NULL',
      (store) => store.acquire('stopped'),
      (store) => store.restart('stopped', 50),
    )
    await lose('INSERT INTO jobs', nothing, (store) => store.add(storedJob('new')))
    expect(await query('SELECT id FROM jobs ORDER BY id')).toEqual([{ id: 'job' }, { id: 'own' }, { id: 'stopped' }])
    expect((await other.jobStore.listInterrupted()).map(({ id }) => id)).toEqual(['job', 'stopped'])
  })

  it('ends and releases jobs without the thread of the host, also when the server is silent', async () => {
    newSchema()
    const one = open(network.port, QUICK)
    for (const id of ['a', 'b', 'c']) await one.jobStore.add(storedJob(id))
    await network.freeze()
    // A call that waits for the server fails in this network.
    one.jobStore.change('a', ENDED)
    one.jobStore.change('b', STOP)
    one.jobStore.release('c')
    await network.mend()
    await Promise.all(['a', 'b', 'c'].map(async (id) => one.jobStore.written?.(id)))
    const expected = { a: 'completed', b: 'completed', c: 'scraping' }
    const rows = await query('SELECT id, state FROM jobs WHERE owner IS NULL')
    expect(Object.fromEntries(rows.map(({ id, state }) => [id, state]))).toEqual(expected)
  })

  it('lists the jobs that it owns and does not run', async () => {
    newSchema()
    const one = open()
    await one.jobStore.add(storedJob('runs'))
    const columns = 'kind, request, missing, acknowledges, reports, state, created_at, warnings, owner'
    await query(`INSERT INTO jobs (id, ${columns}) SELECT 'lost', ${columns} FROM jobs`)
    expect(await one.jobStore.listInterrupted()).toMatchObject([{ id: 'lost' }])
    expect(await one.jobStore.acquire('lost')).toMatchObject({ id: 'lost' })
    expect(await one.jobStore.listInterrupted()).toEqual([])
  })

  it('does not end a job of which an earlier write failed', async () => {
    newSchema()
    const [one, other] = [open(), open()]
    await one.jobStore.add(storedJob('job'))
    const rows = await one.open<{ name: string }>('job', rules)
    await rows.admit([candidate('a')], 0)
    await rows.skipQueued(async () => ({ reason: 'LIMIT', message: '' }), 0)
    await query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$;
       CREATE TRIGGER failing BEFORE INSERT ON pages FOR EACH ROW EXECUTE FUNCTION fail()`,
    )
    await rows.admit([candidate('b')], 0)
    one.jobStore.change('job', ENDED)
    await expect(one.jobStore.written?.('job')).rejects.toMatchObject({ code: 'LEDGER_ERROR' })
    await expect.poll(() => other.jobStore.listInterrupted(), { timeout: LONG_MS }).toMatchObject([{ id: 'job' }])
    // The job had the error; the close of the engine is fine.
    await one.close()
  })

  it('fails one job of a group that the server refuses, and writes the others', async () => {
    newSchema()
    const one = open()
    const ledgers = []
    for (const id of ['good', 'bad', 'better']) {
      await one.jobStore.add(storedJob(id))
      const rows = await one.open<{ name: string }>(id, rules)
      await rows.admit([candidate('a')], 0)
      await rows.lease(at(0))
      ledgers.push({ id, rows })
    }
    await query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER failing BEFORE INSERT ON documents FOR EACH ROW WHEN (NEW.body LIKE '%bad%') EXECUTE FUNCTION fail()`,
    )
    const ended = await Promise.allSettled(ledgers.map(({ id, rows }) => rows.end('a', done(id), end)))
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await query('SELECT body FROM documents')).toHaveLength(2)
    await one.close()
  })

  it.each(['a group', 'a change'])('repeats %s that comes before the repeated write of its job', async (later) => {
    newSchema()
    const one = open()
    const ledgers = []
    for (const id of ['good', 'bad']) {
      await one.jobStore.add(storedJob(id))
      const rows = await one.open<{ name: string }>(id, rules)
      await rows.admit([candidate('a')], 0)
      await rows.lease(at(0))
      ledgers.push(rows)
    }
    await query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_advisory_xact_lock(42); IF NEW.body LIKE '%bad%' THEN RAISE 'refused'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER failing BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION fail()`,
    )
    const locked = await server.hold('SELECT pg_advisory_xact_lock(42)')
    const [good, bad] = ledgers
    const ended = Promise.allSettled([bad?.end('a', done('bad'), end), good?.end('a', done('good'), end)])
    // The group of both is on its way.
    const waits = `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory'`
    await expect.poll(async () => (await server.query(waits)).length, { timeout: LONG_MS }).toBe(1)
    if (later === 'a group') await good?.admit([candidate('b')], 0)
    one.jobStore.change('good', { budget: { requests: 7 } })
    await locked.end()
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    await one.jobStore.written?.('good')
    expect(await query(`SELECT budget FROM jobs WHERE id = 'good'`)).toEqual([{ budget: '{"requests":7}' }])
    expect(await query('SELECT body FROM documents')).toHaveLength(1)
    await one.close()
  })

  it('makes its schema, however long that takes', async () => {
    newSchema()
    await server.query(
      `CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.9); END $$;
       CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION slow()`,
    )
    try {
      const one = open(server.port, QUICK)
      expect(await one.jobStore.listInterrupted()).toEqual([])
    } finally {
      await server.query('DROP EVENT TRIGGER slow; DROP FUNCTION slow()')
    }
  })

  it('fails the job of an older handle of the same engine', async () => {
    newSchema()
    const one = open()
    await one.jobStore.add(storedJob('job'))
    const older = await one.open<{ name: string }>('job', rules)
    await older.admit([candidate('a')], 0)
    await older.lease(at(0))
    expect(await one.jobStore.acquire('job')).toMatchObject({ id: 'job' })
    const ending = expect(older.end('a', done('a'), end)).rejects.toMatchObject({ code: 'JOB_HELD' })
    await one.open<{ name: string }>('job', rules)
    await ending
  })
})
