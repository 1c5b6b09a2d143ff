import { startLines } from '../runtime/worker-thread.js'

/** Time from one checkpoint to the next: while somebody reads an old state, none has an end. Milliseconds. */
const PAUSE_MS = 250

/**
 * Code of the thread. The first step copies the log while others write to it. The second copies what came since, which is little, and
 * empties the log, whose size so says what it holds: others cannot write meanwhile, as while any process writes, and it waits for nobody.
 * The connection is open for one checkpoint only. What fails is tried again by the next one.
 */
const CODE = `
  const { existsSync } = require('node:fs')
  const { parentPort, workerData: { library, file } } = require('node:worker_threads')
  parentPort.on('message', (ask) => {
    if (ask === 'end') return parentPort.close()
    try {
      // SQLite would create a file that was deleted meanwhile, and delete the log of the former.
      if (!existsSync(file)) throw new Error('it was deleted')
      const loaded = require(library)
      const database = new (loaded.DatabaseSync ?? loaded)(file)
      try {
        database.exec('PRAGMA busy_timeout = 0')
        database.exec('PRAGMA wal_checkpoint(PASSIVE)')
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        database.close()
      }
    } catch {}
    parentPort.postMessage('done')
  })
`

/**
 * Copies the write-ahead log of a file to the file itself, in a thread of its own: where the thread that writes does so, it is held up by
 * the disk, for 70 to 300 ms each time. The thread starts with the first checkpoint, and does not keep the process alive.
 */
export class CheckpointThread {
  readonly #library: string
  readonly #file: string
  #worker: ReturnType<typeof startLines> | undefined
  #isBusy = false
  /** End of the last checkpoint, on the clock of `performance.now()`. */
  #endedMs = -Infinity

  /** @param library as `locateSqlite` returns it @param file path that stays true when the host changes its working directory */
  constructor(library: string, file: string) {
    this.#library = library
    this.#file = file
  }

  /** Begins a checkpoint, unless one is under way, or has just ended. */
  begin(): void {
    if (this.#isBusy || performance.now() - this.#endedMs < PAUSE_MS) return
    this.#isBusy = true
    this.#worker ??= this.#start()
    this.#worker?.postMessage('begin')
  }

  /** Waits for the checkpoint under way, and ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#isBusy = true
    if (!worker || worker.threadId === -1) return
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage('end')
    // A thread that fails ends as well.
    await new Promise((resolve) => worker.once('exit', resolve))
  }

  /** Starts the thread. Where a host allows none, the file does without: SQLite makes its own checkpoints, only later. */
  #start(): ReturnType<typeof startLines> | undefined {
    try {
      const worker = startLines(CODE, {
        workerData: { library: this.#library, file: this.#file },
        // `node:sqlite` warns that it is experimental, which its user was told by the first connection.
        execArgv: ['--no-warnings'],
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
      })
      worker.unref()
      worker.on('message', () => {
        this.#isBusy = false
        this.#endedMs = performance.now()
      })
      // It stays busy: what has failed to start is not tried again.
      worker.on('error', () => (this.#isBusy = true))
      return worker
    } catch {
      return undefined
    }
  }
}
