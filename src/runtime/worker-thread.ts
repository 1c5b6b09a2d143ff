import { inflateRawSync } from 'node:zlib'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { resolvePackage } from './optional-package.js'

/** Code of a worker thread. */
export interface WorkerCode {
  /** Name of the built file in `imports` of package.json. */
  readonly file: '#digest-worker' | '#filter-worker'
  /** The same code deflated and in base64: a bundle does not include the file, but it includes this module. */
  readonly packed: () => Promise<{ readonly packed: string }>
}

/** Starts a thread. */
export type StartWorker = (options: WorkerOptions) => Worker

/**
 * Finds the code of a worker thread.
 *
 * @throws Error where neither its file nor its packed form exists
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
    // In a bundle, package.json is absent or that of another package.
    return undefined
  }
}
