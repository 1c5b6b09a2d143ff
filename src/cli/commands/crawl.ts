import type { CrawlRequest } from '../../index.js'
import type { Command } from '../command.js'
import { jobCommandFlags } from '../flags/command-flags.js'
import { crawlFlags } from '../flags/request-flags.js'
import { runJob } from '../output/run-job.js'
import { withUsageErrors } from '../to-usage-error.js'

/** `trawl crawl URL` crawls a site. */
export const crawlCommand: Command = {
  name: 'crawl',
  argument: 'URL',
  summary:
    'Crawls a site from one URL: each page is printed as one line of JSON as it finishes, or written to --output.',
  flags: () => [...jobCommandFlags, ...crawlFlags()],
  run: async (invocation) => {
    const { argument: url, request, flags, engine, interrupt } = invocation
    // The engine checks the request.
    const crawlRequest = { ...request, url } as CrawlRequest
    const job = withUsageErrors(
      flags,
      () => 'URL',
      () => engine.crawl(crawlRequest, { signal: interrupt.signal }),
    )
    return runJob(job, { formats: crawlRequest.scrapeOptions?.formats, limit: crawlRequest.limit }, invocation)
  },
}
