import type { WorkPool, WorkSource } from './work-pool.js'

type Drive = (work: WorkSource, maxConcurrency: number) => WorkPool

/**
 * Loads Crawlee on first use. The build leaves out its file locks, which are for storage that is not used here and
 * install listeners on every signal (signal-exit).
 */
export async function loadCrawlee(): Promise<Drive> {
  const { driveWithCrawlee } = await import('./crawlee.js')
  return driveWithCrawlee
}
