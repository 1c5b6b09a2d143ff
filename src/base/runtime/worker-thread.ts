import { inflateRawSync } from 'node:zlib'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { resolvePackage } from './optional-package.js'

/** Code of a worker thread. */
export interface WorkerCode {
  /** Name of the built file in `imports` of package.json. */
  readonly file: '#digest-worker' | '#filter-worker' | '#search-worker'
  /** The same code deflated and in base64: a bundle does not include the file, but it includes this module. */
  readonly packed: () => Promise<{ readonly packed: string }>
}

/** Starts a thread. */
export type StartWorker = (options: WorkerOptions) => Worker

/**
 * Finds the code of a worker thread: its file at once, its packed form later.
 *
 * @throws Error where neither exists
 */
export function openWorkerCode({ file, packed }: WorkerCode): StartWorker | Promise<StartWorker> {
  const path = findFile(file)
  return path === undefined ? openPacked(packed) : (options) => new Worker(path, options)
}

async function openPacked(load: WorkerCode['packed']): Promise<StartWorker> {
  const source = unpack((await load()).packed)
  return (options) => startLines(source, options)
}

/** Starts a thread whose few lines of code are a text. */
export const startLines = (code: string, options: WorkerOptions): Worker => new Worker(code, { ...options, eval: true })

const unpack = (packed: string): string => inflateRawSync(Buffer.from(packed, 'base64')).toString()

function findFile(name: string): string | undefined {
  try {
    return resolvePackage(name)
  } catch {
    // In a bundle, package.json is absent or that of another package.
    return undefined
  }
}
