import type { JobHandle } from './handle/job-handle.js'

/**
 * Why no crawl can go by what a job left, as far as that is known without asking the store.
 *
 * @param job undefined when the engine does not know it, or any more
 * @param isStoreGiven whether records may be there that another engine left
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
    `job ${jobId} left no record: a crawl does with \`since\` or \`changeTracking\`, ` +
    'and always where the engine has `snapshots`'
  )
}
