import type { Engine, JobOverview } from '../../index.js'

/** Jobs read at once. */
const PAGE_SIZE = 1000

/** Reads all jobs of the ledger of an engine, newest first. @throws TrawlError `LEDGER_ERROR` */
export async function readJobs(engine: Engine): Promise<readonly JobOverview[]> {
  const jobs: JobOverview[] = []
  for (;;) {
    const some = await engine.listJobs({ skip: jobs.length, limit: PAGE_SIZE })
    jobs.push(...some)
    if (some.length < PAGE_SIZE) return jobs
  }
}
