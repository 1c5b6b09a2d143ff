import type { JobHandle } from '../../kernel/job/handle/job-handle.js'

/**
 * Checks whether a crawl can compare with an earlier job (`since`), without reading the snapshot store.
 *
 * @param job undefined when the engine does not have it in memory
 * @param isStoreGiven true when records of other engines may exist
 * @returns the reason why it cannot; undefined when it can
 */
export function validateSince(jobId: string, job: JobHandle | undefined, isStoreGiven: boolean): string | undefined {
  if (!job) {
    if (isStoreGiven) return undefined
    return `this engine knows no job ${jobId}; the records of other engines' crawls are found with \`snapshots\` alone`
  }
  if (job.kind !== 'crawl') return `job ${jobId} is a batch: only a crawl leaves a record`
  if (job.state === 'scraping') return `job ${jobId} still runs: its record is written at its end`
  if (job.leavesRecord) return undefined
  return (
    `job ${jobId} left no record: a crawl leaves one with \`since\` or \`changeTracking\`, ` +
    'and always when the engine has `snapshots`'
  )
}
