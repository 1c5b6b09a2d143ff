import { createRequire } from 'node:module'
import type { Frontier, Work } from './frontier.js'

type Drive = (work: Work, maxConcurrency: number) => Frontier

/**
 * Loads Crawlee on first use: half a second that a process which only holds the library need not spend.
 *
 * What loading it leaves on the process is taken away again: a file lock library, for storage that is never used here,
 * puts listeners on every signal and a wrapper around `process.emit` (signal-exit).
 */
export async function loadCrawlee(): Promise<Drive> {
  const listeners = process.listenerCount('SIGINT')
  const { driveWithCrawlee } = await import('./crawlee.js')
  // Only when this very import brought it: a host that uses it as well keeps what it has.
  if (process.listenerCount('SIGINT') > listeners) unloadSignalExit()
  return driveWithCrawlee
}

function unloadSignalExit(): void {
  const fromCore = createRequire(createRequire(import.meta.url).resolve('@crawlee/core'))
  const fromStorage = createRequire(fromCore.resolve('@crawlee/memory-storage'))
  const fromLock = createRequire(fromStorage.resolve('proper-lockfile'))
  const signalExit: { unload(): void } = fromLock('signal-exit')
  signalExit.unload()
}
