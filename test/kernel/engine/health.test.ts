import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEngine, memoryLedger, sqlite } from '../../../src/index.js'
import { SqliteFile } from '../../../src/kernel/ledger/sqlite/sqlite-file.js'
import { useSqliteFiles } from '../ledger/use-sqlite-files.js'
import { storedJob } from '../ledger/stored-job.js'

const { folder, newFile, openSqlite } = useSqliteFiles()

it('tells of an engine in memory that it runs, and nothing that it cannot know', async () => {
  const engine = createEngine({ ledger: memoryLedger() })
  expect(await engine.health()).toEqual({
    asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    ledger: { reachable: true, waitingWrites: 0, lagMs: 0 },
    jobs: { running: 0, dropped: 0 },
  })
  await engine.close()
  await expect(engine.health()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
})

it('counts the interrupted jobs of a file, and measures a request', async () => {
  const file = newFile()
  const other = openSqlite(file)
  for (const id of ['left', 'held', 'ended']) await other.jobStore.add(storedJob(id))
  other.jobStore.release('left')
  other.jobStore.change('ended', { state: 'completed' })
  const engine = createEngine({ ledger: sqlite(file) })
  expect(await engine.health()).toMatchObject({
    ledger: { reachable: true, roundTripMs: expect.any(Number), waitingWrites: 0, lagMs: 0 },
    jobs: { running: 0, interrupted: 1 },
  })
  await engine.close()
})

it('tells why a ledger cannot be used, without an error', async () => {
  const engine = createEngine({ ledger: sqlite(join(folder, 'none', 'jobs.db')) })
  const { ledger, jobs } = await engine.health()
  expect([ledger, jobs]).toEqual([
    { reachable: false, error: expect.stringContaining('jobs.db cannot be used'), waitingWrites: 0, lagMs: 0 },
    { running: 0 },
  ])
  await engine.close()
})

it('counts the writes that wait, from the first one on', async () => {
  const file = new SqliteFile(newFile())
  expect(file.readLag()).toEqual({ waitingWrites: 0, lagMs: 0 })
  const writer = { fail: () => undefined }
  file.write(writer, {}, () => undefined)
  file.write(writer, {}, () => undefined)
  const { waitingWrites, lagMs } = file.readLag()
  expect([waitingWrites, lagMs >= 0]).toEqual([2, true])
  await file.flushed()
  expect(file.readLag()).toEqual({ waitingWrites: 0, lagMs: 0 })
  await file.close()
})
