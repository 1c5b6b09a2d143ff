import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/index.js'
import {
  DELETE_OWN,
  EXCHANGE_AS_OWNER,
  EXCHANGE_AS_WORKER,
  FREE_TASKS,
} from '../../../src/features/machines/tasks/task-statements.js'
import { missing, type PostgresServer, startPostgres } from '../../base/store/postgres-server.js'

/** The part of the client of `pg` that is used here. */
interface Client {
  connect(): Promise<void>
  query(text: string, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  end(): Promise<void>
}

const [OWNER, WORKER] = [1, 2]

describe.skipIf(missing !== undefined)(
  `statements over several tasks${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    let server: PostgresServer
    let clients: Client[] = []
    const open = async (): Promise<Client> => {
      const { Client: PgClient } = createRequire(import.meta.url)('pg') as { Client: new (url: string) => Client }
      const client = new PgClient(server.url())
      await client.connect()
      await client.query('SET search_path TO trawl')
      clients.push(client)
      return client
    }
    beforeAll(async () => {
      server = await startPostgres()
      const ledger = postgres({ connectionString: server.url() })
      await ledger.jobStore?.listInterrupted()
      await ledger.close()
    }, 60_000)
    afterEach(async () => {
      await Promise.all(clients.map((client) => client.end()))
      clients = []
    })
    afterAll(() => server.close(), 30_000)

    /** Waits until this number of statements waits for a lock. */
    const untilWaiting = async (count: number): Promise<void> => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' HAVING count(*) >= ${count}`
      while ((await server.query(waiting)).length === 0) await sleep(10)
    }

    /** Runs two statements, the second of which waits behind the first one for a task that is free after both have begun. */
    async function runBoth(
      first: readonly [string, readonly unknown[]],
      second: readonly [string, readonly unknown[]],
    ): Promise<void> {
      const [holder, one, two] = [await open(), await open(), await open()]
      await holder.query('TRUNCATE tasks')
      await holder.query(`INSERT INTO tasks (owner, number, version, job, lease_ms, worker, until, payload)
      SELECT ${OWNER}, number, 'v', 'job', 60000, CASE WHEN number < 9 THEN ${WORKER} END, now() + interval '1 hour', ''
      FROM generate_series(1, 9) AS number`)
      await holder.query('BEGIN')
      await holder.query('SELECT 1 FROM tasks WHERE number = 1 FOR UPDATE')
      const firstEnd = one.query(...first)
      await untilWaiting(1)
      const secondEnd = two.query(...second)
      await untilWaiting(2)
      await holder.query('COMMIT')
      await Promise.all([firstEnd, secondEnd])
    }

    const namesOf = (...numbers: number[]) => numbers.map((number) => ({ owner: OWNER, number }))
    const drop = (...numbers: number[]) => [EXCHANGE_AS_OWNER, [OWNER, '[]', numbers.join(), 'channel', 16]] as const
    const give = (answered: readonly object[], returned: readonly object[] = [], places = 0) => {
      const answers = answered.map((name) => ({ ...name, answer: 'answer' }))
      const lists = [JSON.stringify(answers), JSON.stringify(returned)]
      return [EXCHANGE_AS_WORKER, [WORKER, ...lists, 'v', places, 'channel_', 'channel']] as const
    }

    it.each([
      ['answers in another order', give(namesOf(8, 7, 6, 5, 4, 3, 2, 1))],
      ['tasks given back in another order', give([], namesOf(8, 7, 6, 5, 4, 3, 2, 1))],
      ['answers and tasks given back', give(namesOf(4), namesOf(1))],
      ['answers, and a task that the worker takes', give(namesOf(1), [], 1)],
    ])(
      'do not wait for each other: the owner drops tasks, the worker gives %s',
      async (_, given) => {
        await runBoth(drop(1, 2, 3, 4, 5, 6, 7, 8, 9), given)
        expect(await server.query('SELECT number FROM trawl.tasks')).toEqual([])
        await runBoth([DELETE_OWN, [OWNER]], given)
        expect(await server.query('SELECT number FROM trawl.tasks')).toEqual([])
      },
      30_000,
    )

    it('give answers that wait for a lock, and none for a task that was dropped meanwhile', async () => {
      await runBoth(drop(1), give(namesOf(3, 1, 2), namesOf(4), 3))
      const left = await server.query('SELECT number::integer, worker, answer FROM trawl.tasks ORDER BY number')
      expect(left.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
      expect(left.slice(0, 3)).toEqual([
        { number: 2, worker: WORKER, answer: 'answer' },
        { number: 3, worker: WORKER, answer: 'answer' },
        { number: 4, worker: null, answer: null },
      ])
      // The one that was free before; one that is given back is handed out by the next statement.
      expect(left.at(-1)).toEqual({ number: 9, worker: WORKER, answer: null })
    }, 30_000)

    it('free the tasks of a worker that is gone, which is no loss when the server has just started', async () => {
      const client = await open()
      await client.query('TRUNCATE tasks')
      await client.query(`INSERT INTO tasks (owner, number, version, job, lease_ms, worker, payload)
      VALUES (${OWNER}, 1, 'v', 'job', 1000, ${WORKER}, '')`)
      const free = async (statement: string): Promise<unknown> => {
        await client.query(statement, [OWNER, 'v', 'channel'])
        return (await client.query('SELECT worker, losses FROM tasks')).rows
      }
      // The server of this file may have been started minutes ago.
      expect(await free(FREE_TASKS.replace("interval '1 min'", "interval '1 hour'"))).toEqual([
        { worker: null, losses: 0 },
      ])
      await client.query(`UPDATE tasks SET worker = ${WORKER}`)
      expect(await free(FREE_TASKS.replace("interval '1 min'", "interval '0 s'"))).toEqual([
        { worker: null, losses: 1 },
      ])
    }, 30_000)
  },
)
