import { inflateRawSync } from 'node:zlib'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { resolvePackage } from './optional-package.js'

/** The code of a worker thread. */
export interface WorkerCode {
  /** The built file, as `imports` of package.json names it: it serves this source code built or not. */
  readonly file: '#digest-worker' | '#filter-worker'
  /** The same code in one string, deflated, in base64: a bundle leaves the file behind, but brings this module along. */
  readonly packed: () => Promise<{ readonly packed: string }>
}

/** Starts a thread. */
export type StartWorker = (options: WorkerOptions) => Worker

/**
 * Finds the code of a worker thread.
 *
 * @throws where there is neither its file nor its packed form
 */
export async function openWorkerCode({ file, packed }: WorkerCode): Promise<StartWorker> {
  const path = findFile(file)
  if (path !== undefined) return (options) => new Worker(path, options)
  const source = inflateRawSync(Buffer.from((await packed()).packed, 'base64')).toString()
  return (options) => new Worker(source, { ...options, eval: true })
}

function findFile(name: string): string | undefined {
  try {
    return resolvePackage(name)
  } catch {
    // A bundle: its package.json, if it has one, is that of another package.
    return undefined
  }
}
