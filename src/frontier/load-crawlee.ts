import type { Frontier, Work } from './frontier.js'

type Drive = (work: Work, maxConcurrency: number) => Frontier

/**
 * Loads Crawlee on first use. The build leaves out the parts of it that would stay on the process: a lock of files, for
 * storage that is never used here, puts listeners on every signal (signal-exit).
 */
export async function loadCrawlee(): Promise<Drive> {
  const { driveWithCrawlee } = await import('./crawlee.js')
  return driveWithCrawlee
}
