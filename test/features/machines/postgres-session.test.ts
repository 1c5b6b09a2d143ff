import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type PgClient, PgConnectionError } from '../../../src/base/postgres/pg-driver.js'
import { PgDatabase } from '../../../src/features/machines/postgres/database.js'
import { PgSession } from '../../../src/features/machines/postgres/session.js'
import type { PgTiming } from '../../../src/features/machines/postgres/statement.js'
import { describeTarget, openPostgres } from '../../../src/features/machines/shared/open-postgres.js'
import { PgWriteQueue } from '../../../src/features/machines/postgres/write-queue.js'
import { missing } from '../../base/store/postgres-server.js'
import { storedJob } from '../../kernel/ledger/stored-job.js'

/** Time for anything that happens soon on a machine that has nothing else to do. Milliseconds. */
const LONG_MS = 60_000
const PATIENT: PgTiming = { connectMs: 20_000, statementMs: 20_000, closingMs: LONG_MS, patienceMs: LONG_MS }

/** A server that ends each connection at once. */
interface RefusingServer {
  /** Settings of connections to it. */
  readonly pool: object
  /** Number of connections. */
  readonly tries: number
  close(): Promise<void>
}

async function startRefusing(): Promise<RefusingServer> {
  let tries = 0
  const refusing = createServer((socket) => {
    tries += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  return {
    pool: { host: '127.0.0.1', port: (refusing.address() as AddressInfo).port, user: 'trawl', database: 'postgres' },
    get tries() {
      return tries
    },
    close: () => new Promise((resolve) => void refusing.close(() => resolve())),
  }
}

const title = `a PostgreSQL server that refuses connections${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, () => {
  it('is not tried again for a job that was not added because the server was never reached', async () => {
    const refusing = await startRefusing()
    const ledger = openPostgres({ pool: refusing.pool }, PATIENT)
    await expect(ledger.jobStore?.add(storedJob('job'))).rejects.toMatchObject({ code: 'LEDGER_ERROR' })
    await sleep(300)
    expect(refusing.tries).toBe(1)
    await ledger.close()
    await refusing.close()
  })

  it('is not tried again by what does not wait for it', async () => {
    const refusing = await startRefusing()
    const target = describeTarget({ pool: refusing.pool })
    const database = new PgDatabase(target, PATIENT)
    const text = 'SELECT'
    await expect(database.run('control', [])).rejects.toMatchObject({ code: 'LEDGER_ERROR' })
    await expect(database.runInBackground('tasks', { text, values: [] }, 0)).rejects.toMatchObject({
      code: 'LEDGER_ERROR',
    })
    expect(refusing.tries).toBe(1)
    await database.close()
    await refusing.close()
  })

  it('is tried again with growing delays for a statement that must take place', async () => {
    const refusing = await startRefusing()
    const target = describeTarget({ pool: refusing.pool })
    const database = new PgDatabase(target, PATIENT)
    const queue = new PgWriteQueue(database)
    const repaired = queue.repair('writer', { text: 'SELECT', values: [] })
    await sleep(1000)
    // At once, and after 100, 300 and 700 ms; a few more on a busy machine.
    expect(refusing.tries).toBeLessThan(10)
    await expect.poll(() => refusing.tries).toBeGreaterThan(1)
    await queue.close()
    await database.close()
    await repaired
    await refusing.close()
  })
})

describe('a session with a server that is silent', () => {
  it('gives up its attempt to connect when it is abandoned, and makes no further one', async () => {
    let tries = 0
    const create = (): PgClient => {
      tries += 1
      let fail = (): void => undefined
      const connected = new Promise<never>((_, reject) => {
        fail = () => reject(new PgConnectionError('the connection was closed'))
      })
      // The time limit of an attempt.
      const timer = setTimeout(() => fail(), 2000)
      const destroy = (): void => {
        clearTimeout(timer)
        fail()
      }
      const client = { connect: () => connected, on: () => undefined, connection: { stream: { destroy } } }
      return client as unknown as PgClient
    }
    const prepare = async (): Promise<void> => undefined
    const session = new PgSession({ create, settings: {}, timing: PATIENT, staysConnected: false, prepare })
    const asked = ['a', 'b', 'c'].map((text) =>
      session.run({ statements: [{ text, values: [] }], patienceMs: LONG_MS }),
    )
    await expect.poll(() => tries).toBe(1)
    session.abandon()
    const ends = await Promise.allSettled(asked)
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(tries).toBe(1)
  })
})

/** A client whose statements are answered by `query`, and that can be lost. */
function fakeClient(query: () => Promise<{ rows: [] }>) {
  const listeners: (() => void)[] = []
  const client = {
    connect: async () => undefined,
    query,
    end: async () => undefined,
    unref: () => undefined,
    on: (event: string, listener: () => void) => void (event === 'end' && listeners.push(listener)),
  }
  return { client: client as unknown as PgClient, lose: () => listeners.forEach((listener) => listener()) }
}

describe('a session in a hurry', () => {
  const statements = [{ text: 'SELECT', values: [] }]
  const prepare = async (): Promise<void> => undefined
  const open = (create: () => PgClient): PgSession =>
    new PgSession({ create, settings: {}, timing: PATIENT, staysConnected: false, prepare })

  it('connects again for a statement when the connection was lost long ago, while there was none', async () => {
    let connects = 0
    const { client, lose } = fakeClient(async () => ({ rows: [] }))
    const session = open(() => {
      connects += 1
      return client
    })
    await session.run({ statements, patienceMs: LONG_MS })
    session.hurry(100)
    lose()
    await sleep(200)
    expect(await session.run({ statements, patienceMs: LONG_MS })).toEqual([[]])
    expect(connects).toBe(2)
  })

  it('repeats a statement that the server has ended for another one', async () => {
    let isEnded = true
    const { client } = fakeClient(async () => {
      if (!isEnded) return { rows: [] }
      isEnded = false
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    })
    const session = open(() => client)
    session.hurry(300)
    await sleep(400)
    expect(await session.run({ statements, patienceMs: LONG_MS })).toEqual([[]])
  })

  it('waits for a lost connection once for all statements', async () => {
    const { client, lose } = fakeClient(async () => ({ rows: [] }))
    let isAway = false
    const session = open(() => {
      if (isAway) throw new PgConnectionError('the network is cut')
      return client
    })
    await session.run({ statements, patienceMs: LONG_MS })
    isAway = true
    lose()
    session.hurry(1000)
    const since = performance.now()
    const asked = Array.from({ length: 20 }, () => session.run({ statements, patienceMs: LONG_MS }))
    const ends = await Promise.allSettled(asked)
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
    expect(performance.now() - since).toBeLessThan(10_000)
  })
})
