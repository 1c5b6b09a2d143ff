import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { sqlite } from '../../../src/kernel/ledger/ledgers/index.js'
import { rowLimits } from '../../../src/kernel/ledger/rows/row-limits.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { ledgerContract } from '../../contracts/ledger.contract.js'
import { ledgerCountersContract } from '../../contracts/ledger-counters.contract.js'
import { ledgerDocumentsContract } from '../../contracts/ledger-documents.contract.js'
import { ledgerLimitsContract } from '../../contracts/ledger-limits.contract.js'
import { ledgerReportsContract } from '../../contracts/ledger-reports.contract.js'
import { ledgerRestartContract } from '../../contracts/ledger-restart.contract.js'
import { at, candidate, done, end } from '../../contracts/ledger-rows.js'
import { useSqliteFiles } from './use-sqlite-files.js'
import { storedJob } from './stored-job.js'

const { folder, newFile, openSqlite: open } = useSqliteFiles()

const shared = sqlite(newFile())
afterAll(() => shared.close())
/** Drops the tables that later versions added. */
const DROP_NEWER = ['reports', 'abridged', 'feature_tables'].map((table) => `DROP TABLE ${table};`).join('')

let jobs = 0

/** A ledger that adds a job of its own for each ledger opened in the shared file. */
const make = (): Ledger => ({
  ...shared,
  async open(_, given) {
    const id = `job ${jobs++}`
    await shared.jobStore?.add(storedJob(id))
    return shared.open(id, given)
  },
})

const rules = { limit: Infinity, holdLevelMs: 0 }

describe('the SQLite ledger', () => {
  ledgerContract(make)
  ledgerCountersContract(make)
  ledgerDocumentsContract(make)
  ledgerLimitsContract(make)
  ledgerReportsContract(make)
  ledgerRestartContract(() => {
    const file = newFile()
    return () => open(file)
  })
})

describe('an SQLite ledger file that is opened again', () => {
  it('restores abridged rows, and deletes them with the job', async () => {
    const file = newFile()
    const before = open(file)
    await before.jobStore.add(storedJob('job'))
    const ledger = await before.open('job', { limit: 1, holdLevelMs: 0 })
    const kept = 1 + rowLimits.reserve
    await ledger.admit(
      Array.from({ length: kept + 5 }, (_, n) => candidate(`k${n}`, { depth: 2 })),
      5000,
    )
    const counts = await ledger.counts()
    await before.close()
    const after = open(file)
    const again = await after.open('job', { limit: 1, holdLevelMs: 0 })
    expect(await again.counts()).toEqual(counts)
    expect(counts).toMatchObject({ queued: kept, abridged: 5, skippedByReason: { LIMIT: 5 } })
    expect(await again.row(`k${kept + 4}`)).toMatchObject({ depth: 2, foundAtMs: 5000, abridged: true })
    await again.lease(at(6000))
    expect(await again.admit([candidate(`k${kept + 4}`)], 6000)).toHaveLength(1)
    await after.close()
    const last = open(file)
    expect(await (await last.open('job', rules)).counts()).toMatchObject({ abridged: 4 })
    await last.close()
  })

  it('remembers which documents were acknowledged', async () => {
    const file = newFile()
    const before = open(file)
    await before.jobStore.add(storedJob('job'))
    const ledger = await before.open<{ name: string }>('job', rules)
    await ledger.admit([candidate('a'), candidate('b')], 0)
    for (const key of ['a', 'b']) {
      await ledger.lease(at(0))
      await ledger.end(key, done(key), end)
    }
    await ledger.acknowledge(0, false)
    await before.close()
    const after = await open(file).open<{ name: string }>('job', rules)
    expect(await after.completed(0, 9, true)).toMatchObject([{ sequence: 1, document: { name: 'b' } }])
  })

  it('is migrated from the second version, with the used budget of its jobs', async () => {
    const file = newFile()
    const before = open(file)
    await before.jobStore.add(storedJob('job'))
    await before.close()
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
    database.exec(DROP_NEWER)
    database.exec('ALTER TABLE jobs DROP COLUMN reports; ALTER TABLE jobs DROP COLUMN generated')
    database.exec('PRAGMA user_version = 2')
    database.close()
    const { jobStore } = open(file)
    expect(await jobStore.listInterrupted()).toEqual([storedJob('job')])
    jobStore.change('job', { generated: '{"limit":3}' })
    jobStore.change('job', { warnings: ['late'] })
    expect(await jobStore.acquire('job')).toEqual(storedJob('job', { generated: '{"limit":3}', warnings: ['late'] }))
  })

  it('is refused when a later version of trawl wrote it, or when it is no database', async () => {
    const file = newFile()
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(open(file).jobStore.listInterrupted()).rejects.toThrow(/later version.*99/)
    const other = newFile()
    await writeFile(other, 'This is a text of more than a hundred characters, and no database at all. '.repeat(20))
    await expect(open(other).jobStore.listInterrupted()).rejects.toThrow(
      expect.objectContaining({ code: 'LEDGER_ERROR' }),
    )
    await expect(open(join(folder, 'no', 'such', 'folder.db')).jobStore.listInterrupted()).rejects.toThrow(
      /folder\.db cannot be used: its folder does not exist: create it first/,
    )
  })

  it('is whole in its one file once it is closed', async () => {
    const [file, copy] = [newFile(), newFile()]
    const { jobStore, close } = open(file)
    await jobStore.add(storedJob('job'))
    jobStore.release('job')
    await close()
    await copyFile(file, copy)
    expect(await open(copy).jobStore.acquire('job')).toEqual(storedJob('job'))
  })

  it('is migrated from the first version, with its jobs', async () => {
    const file = newFile()
    const before = open(file)
    await before.jobStore.add(storedJob('job'))
    await before.close()
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
    database.exec(DROP_NEWER)
    for (const column of ['used', 'budget', 'stopped_by', 'generated', 'reports'])
      database.exec(`ALTER TABLE jobs DROP COLUMN ${column}`)
    database.exec('PRAGMA user_version = 1')
    database.close()
    const after = open(file)
    expect(await after.jobStore.acquire('job')).toEqual(storedJob('job'))
    after.jobStore.change('job', { state: 'completed', completedAtMs: 5, expiresAtMs: 9, stoppedBy: 'bytes' })
    expect(await after.jobStore.acquire('job')).toMatchObject({ stoppedBy: 'bytes' })
  })

  it('is created readable by its user only', async () => {
    const file = newFile()
    await open(file).jobStore.add(storedJob('job'))
    const names = (await readdir(folder)).filter((name) => join(folder, name).startsWith(file))
    expect(names.length).toBeGreaterThan(1)
    for (const name of names) expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600])
  })
})

describe('the jobs of an SQLite file', () => {
  it('are owned by one process each until it releases them', async () => {
    const file = newFile()
    const [one, other] = [open(file), open(file)]
    await one.jobStore.add(storedJob('a'))
    expect(await one.jobStore.acquire('a')).toMatchObject({ id: 'a' })
    expect(await other.jobStore.acquire('a')).toBe('held')
    expect(await other.jobStore.listInterrupted()).toEqual([])
    one.jobStore.release('a')
    expect(await other.jobStore.listInterrupted()).toMatchObject([{ id: 'a' }])
    expect(await other.jobStore.acquire('a')).toMatchObject({ id: 'a' })
    expect(await one.jobStore.acquire('a')).toBe('held')
    await other.close()
    expect(await one.jobStore.acquire('a')).toMatchObject({ id: 'a' })
    expect(await one.jobStore.acquire('x')).toBeUndefined()
  })

  it('have one idempotency key each, also when two processes start them at once', async () => {
    const file = newFile()
    const [one, other] = [open(file), open(file)]
    expect([await one.jobStore.findByKey('key'), await other.jobStore.findByKey('key')]).toEqual([undefined, undefined])
    await one.jobStore.add(storedJob('a', { idempotencyKey: 'key' }))
    expect(() => other.jobStore.add(storedJob('b', { idempotencyKey: 'key' }))).toThrow(
      expect.objectContaining({ code: 'JOB_HELD', message: expect.stringContaining('has just started job a') }),
    )
    expect(await other.jobStore.acquire('b')).toBeUndefined()
    expect(await other.jobStore.findByKey('key')).toBe('a')
  })

  it('can be resumed at once when their process was killed', async () => {
    const file = newFile()
    const module = new URL('../../../dist/index.js', import.meta.url).href
    const script = `
      import { sqlite } from ${JSON.stringify(module)}
      const ledger = sqlite(process.argv[1])
      await ledger.jobStore.add(${JSON.stringify(storedJob('a'))})
      process.stdout.write('.')
      setInterval(() => ledger.jobStore, 1000)`
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], { stdio: [...stdio] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const { jobStore } = open(file)
    expect(await jobStore.acquire('a')).toBe('held')
    child.kill('SIGKILL')
    await ended
    expect(await jobStore.acquire('a')).toMatchObject({ id: 'a' })
    // Nothing is left of the dead process: the lock is that of this one.
    const marks = (await readdir(folder)).filter((name) => join(folder, name).startsWith(file) && /\.owner/.test(name))
    expect(new Set(marks.map((name) => name.replace(/-journal$/, ''))).size).toBe(1)
  })

  it('leave no lock files of dead processes, and keep those of living ones', async () => {
    const file = newFile()
    const living = open(file)
    await living.jobStore.add(storedJob('a'))
    const locks = async () => {
      const names = await readdir(folder)
      return names.filter((name) => name.startsWith(`${basename(file)}-`) && name.includes('.owner'))
    }
    const [ofLiving = ''] = await locks()
    const made = ['dead.owner', 'dead.owner-journal', 'starting.owner']
    await Promise.all(made.map((name) => writeFile(`${file}-${name}`, '')))
    const hourAgo = Date.now() / 1000 - 3600
    for (const name of [ofLiving, `${basename(file)}-dead.owner`]) await utimes(join(folder, name), hourAgo, hourAgo)
    const { jobStore } = open(file)
    await jobStore.add(storedJob('b'))
    const left = (await locks()).filter((name) => name.endsWith('.owner') || name.includes('dead'))
    expect(left).toHaveLength(3)
    expect(left).toEqual(expect.arrayContaining([ofLiving, `${basename(file)}-starting.owner`]))
    expect(await jobStore.acquire('a')).toBe('held')
  })

  it('keep their used budget, and can be restarted by one process after they were stopped', async () => {
    const file = newFile()
    const [one, other] = [open(file), open(file)]
    await one.jobStore.add(storedJob('job'))
    const rows = await one.open('job', rules)
    const used = { bytes: 5000, requests: 7, browserSeconds: 1.5, modelTokens: 3, modelCost: 0.25, seconds: 60 }
    rows.recordUse({ ...used, requests: 6 })
    rows.recordUse(used)
    const stop = { state: 'completed', completedAtMs: 50, expiresAtMs: 99, stoppedBy: 'requests' } as const
    one.jobStore.change('job', { ...stop, budget: { requests: 7 } })
    expect(await other.jobStore.acquire('job')).toEqual(storedJob('job', { ...stop, used, budget: { requests: 7 } }))
    expect(await one.jobStore.restart('job', 49)).toBe(false)
    expect(await other.jobStore.restart('job', 50)).toBe(true)
    expect(await one.jobStore.restart('job', 50)).toBe(false)
    expect(await one.jobStore.acquire('job')).toBe('held')
    expect(await other.jobStore.acquire('job')).toEqual(storedJob('job', { used, budget: { requests: 7 } }))
    expect(await one.jobStore.restart('unknown', 50)).toBe(false)
  })

  it('keep their state, and are deleted when they have expired', async () => {
    const ledger = open()
    await ledger.jobStore.add(
      storedJob('a', { idempotencyKey: 'key', missing: ['formats[0].schema'], acknowledges: true }),
    )
    await ledger.jobStore.add(storedJob('b'))
    const rows = await ledger.open<{ name: string }>('a', rules)
    await rows.admit([candidate('k')], 0)
    await rows.lease(at(0))
    await rows.end('k', done('k'), end)
    expect(await ledger.jobStore.findByKey('key')).toBe('a')
    ledger.jobStore.change('a', { warnings: ['careful'] })
    ledger.jobStore.change('a', { state: 'failed', completedAtMs: 5, expiresAtMs: 9, error: 'no' })
    expect(await ledger.jobStore.acquire('a')).toEqual({
      ...storedJob('a', { idempotencyKey: 'key', missing: ['formats[0].schema'], acknowledges: true }),
      state: 'failed',
      completedAtMs: 5,
      expiresAtMs: 9,
      error: 'no',
      warnings: ['careful'],
    })
    ledger.jobStore.forgetExpired(8)
    expect(await ledger.jobStore.acquire('a')).toBeDefined()
    ledger.jobStore.forgetExpired(9)
    expect(await ledger.jobStore.acquire('a')).toBeUndefined()
    expect(await ledger.jobStore.findByKey('key')).toBeUndefined()
    expect(await ledger.jobStore.acquire('b')).toBeDefined()
    await expect.poll(async () => (await rows.documents({ skip: 0, limit: 9 })).length).toBe(0)
  })
})
