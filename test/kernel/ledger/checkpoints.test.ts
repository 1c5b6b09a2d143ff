import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import { findSqlite, numberOf } from '../../../src/base/sqlite/driver.js'
import { SqliteFile } from '../../../src/kernel/ledger/sqlite/sqlite-file.js'
import { useSqliteFiles } from './use-sqlite-files.js'

const { newFile } = useSqliteFiles()

const CHECKPOINT = 4_000_000
const connect = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })
const writer = { fail: (error: unknown): void => expect.fail(String(error)) }
const built = (file: string): string => new URL(`../../../.build/${file}`, import.meta.url).href
const logOf = (path: string): number => (existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0)

/** Stores groups of rows, each of 40 KB, and measures the largest size of the write-ahead log. */
async function store(file: SqliteFile, groups: number, from = 0): Promise<number> {
  file.statement('CREATE TABLE IF NOT EXISTS kept (number INTEGER PRIMARY KEY, body BLOB)').run()
  const insert = file.statement('INSERT INTO kept VALUES (?, ?)')
  let largest = 0
  for (let group = from; group < from + groups; group++) {
    for (let row = 0; row < 10; row++) {
      const number = group * 10 + row
      file.write(writer, {}, () => insert.run(number, Buffer.alloc(4000, number)))
    }
    await file.flushed(writer)
    largest = Math.max(largest, logOf(file.path))
    // Others have to get on as well.
    await sleep(1)
  }
  return largest
}

const countIn = (path: string): [number, unknown] => {
  const database = connect(path)
  const count = numberOf(database.prepare('SELECT count(*) AS count FROM kept').get() ?? {}, 'count')
  const { integrity_check: state } = database.prepare('SELECT * FROM pragma_integrity_check').get() ?? {}
  database.close()
  return [count, state]
}

/** Code of a process that writes. */
const WRITE = `
  const { SqliteFile } = await import(${JSON.stringify(built('kernel/ledger/sqlite/sqlite-file.js'))})
  const file = new SqliteFile(process.argv[1], { checkpointBytes: Number(process.argv[2]) })
  file.statement('CREATE TABLE IF NOT EXISTS kept (number INTEGER PRIMARY KEY, body BLOB)').run()
  const insert = file.statement('INSERT INTO kept VALUES (?, ?)')
  const { last } = file.statement('SELECT coalesce(max(number), -1) AS last FROM kept').get()
  for (let number = last + 1; ; number++) {
    file.write({ fail() {} }, {}, () => insert.run(number, Buffer.alloc(20_000, number)))
    await file.flushed()
    process.stdout.write(number + '\\n')
  }`

/** Has a process write rows of 20 KB until one number is told, and kills it. @returns the last number that it told */
async function writeAndKill(
  path: string,
  { checkpointBytes, after, told = -1 }: { checkpointBytes: number; after: number; told?: number },
): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITE, path, String(checkpointBytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let rest = ''
  for await (const text of child.stdout) {
    const lines = (rest + String(text)).split('\n')
    rest = lines.pop() ?? ''
    told = Number(lines.at(-1) ?? told)
    if (told > after) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return told
}

/** Waits until the log of a file has been copied and is empty. */
async function emptied(path: string): Promise<void> {
  while (logOf(path) > 0) await sleep(5)
}

describe('the write-ahead log', () => {
  it('is copied by a thread of its own, and begins anew', async () => {
    const file = new SqliteFile(newFile(), { checkpointBytes: CHECKPOINT })
    const largest = await store(file, 800)
    // At four times the size SQLite would copy it on this thread.
    expect(largest).toBeLessThan(4 * CHECKPOINT)
    expect(statSync(file.path).size).toBeGreaterThan(4 * CHECKPOINT)
    await file.close()
    expect(logOf(file.path)).toBe(0)
    const copy = newFile()
    copyFileSync(file.path, copy)
    expect(countIn(copy)).toEqual([8000, 'ok'])
  })

  it('is copied although others read', async () => {
    const file = new SqliteFile(newFile(), { checkpointBytes: CHECKPOINT })
    await store(file, 1)
    const reader = connect(file.path)
    reader.exec('BEGIN')
    expect(reader.prepare('SELECT count(*) AS count FROM kept').get()).toEqual({ count: 10 })
    await store(file, 200, 1)
    // It sees what it saw, and goes on.
    expect(reader.prepare('SELECT count(*) AS count FROM kept').get()).toEqual({ count: 10 })
    reader.exec('COMMIT')
    reader.close()
    expect(await store(file, 300, 201)).toBeLessThan(8 * CHECKPOINT)
    await file.close()
    expect(countIn(file.path)).toEqual([5010, 'ok'])
  })

  it('is emptied where a killed process has left it large', async () => {
    const path = newFile()
    await writeAndKill(path, { checkpointBytes: 1_000_000_000, after: 100 })
    expect(logOf(path)).toBeGreaterThan(1_000_000)
    const file = new SqliteFile(path, { checkpointBytes: 1_000_000 })
    await store(file, 1, 1000)
    await emptied(path)
    await file.close()
    expect(countIn(path)).toEqual([expect.any(Number), 'ok'])
  })

  it.skipIf(process.platform === 'win32')('is found where the path is a link', async () => {
    const [path, link] = [newFile(), newFile()]
    writeFileSync(path, '')
    symlinkSync(path, link)
    const file = new SqliteFile(link, { checkpointBytes: 200_000 })
    await store(file, 10)
    await emptied(path)
    await file.close()
  })

  it('is found where the host has changed its working directory', async () => {
    const path = newFile()
    const [elsewhere, before] = [`${path}-elsewhere`, process.cwd()]
    mkdirSync(elsewhere)
    process.chdir(dirname(path))
    try {
      const file = new SqliteFile(basename(path), { checkpointBytes: 200_000 })
      await store(file, 1)
      process.chdir(elsewhere)
      await store(file, 10, 1)
      await emptied(path)
      await file.close()
    } finally {
      process.chdir(before)
    }
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('brings no deleted file back', async () => {
    const file = new SqliteFile(newFile(), { checkpointBytes: 1 })
    const started = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker, message) {
      rmSync(file.path)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      this.postMessage(message)
    })
    try {
      await store(file, 1)
      await file.close()
    } finally {
      started.mockRestore()
    }
    expect(existsSync(file.path)).toBe(false)
  })

  it('does not hold up the end of a file whose thread has failed', async () => {
    const file = new SqliteFile(newFile(), { checkpointBytes: 200_000 })
    const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message) {
      if (message !== 'end') return
      setImmediate(() => {
        this.emit('error', new Error('out of memory'))
        void this.terminate()
      })
    })
    try {
      await store(file, 10)
      await Promise.all([file.close(), file.close()])
    } finally {
      post.mockRestore()
    }
    expect(logOf(file.path)).toBe(0)
  })

  it('is empty for everybody who waits for the end', async () => {
    const file = new SqliteFile(newFile(), { checkpointBytes: 200_000 })
    await store(file, 10)
    void file.close()
    await file.close()
    expect(logOf(file.path)).toBe(0)
  })

  it('starts no thread for a small file', async () => {
    const file = new SqliteFile(newFile(), { checkpointBytes: CHECKPOINT })
    const count = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = count()
    await store(file, 10)
    expect(count()).toBe(before)
    await file.close()
  })

  it('loses nothing of what was written when the process is killed, also during a checkpoint', async () => {
    const path = newFile()
    let told = -1
    for (let kill = 0; kill < 5; kill++) {
      told = await writeAndKill(path, { checkpointBytes: 200_000, after: told + 60 + 7 * kill, told })
      const [count, state] = countIn(path)
      expect(state).toBe('ok')
      expect(count).toBeGreaterThan(told)
    }
  })
})
