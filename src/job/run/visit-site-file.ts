import type { GetSiteFile } from '../../frontier/site-file.js'
import type { FetchPlan, UsageMeter } from '../../fetch/fetcher.js'
import { siteOf } from '../../url.js'
import type { JobTools } from '../job-tools.js'
import type { JobScheduler } from './job-scheduler.js'
import { refuseClosed } from '../attempt/refuse-closed.js'

/** Brings files of sites in as politely as pages. */
export const createSiteVisits =
  (
    pace: JobScheduler,
    tools: Pick<JobTools, 'getFile' | 'now' | 'politeness'>,
    plan: () => FetchPlan,
    meter: UsageMeter,
  ): GetSiteFile =>
  async (url, signal) => {
    const site = siteOf(new URL(url))
    await pace.awaitEntry(site, signal)
    const startedAtMs = tools.now()
    let statusCode: number | undefined
    try {
      refuseClosed(url, tools)
      const file = await tools.getFile(url, plan(), signal, meter)
      ;({ statusCode } = file)
      return file
    } finally {
      pace.leaveSite(site, { latencyMs: tools.now() - startedAtMs, statusCode, retryAfterMs: undefined })
    }
  }
