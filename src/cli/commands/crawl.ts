import type { CrawlRequest } from '../../index.js'
import type { Command } from '../command.js'
import { commandFlags } from '../flags/command-flags.js'
import { explaining } from '../explain-error.js'
import { crawlFlags } from '../flags/request-flags.js'
import { runJob } from '../output/run-job.js'

/** `trawl crawl URL`: a site, page by page. */
export const crawlCommand: Command = {
  name: 'crawl',
  argument: 'URL',
  summary:
    'Crawls a site from one URL: each page is printed as one line of JSON as it finishes, or written to --output.',
  flags: () => [commandFlags.output, commandFlags.strict, commandFlags.quiet, commandFlags.help, ...crawlFlags()],
  run: async (invocation) => {
    const { argument: url, request, flags, engine, interrupt } = invocation
    // The engine checks the request, whatever it is.
    const asked = { ...request, url } as CrawlRequest
    const job = explaining(
      flags,
      () => 'URL',
      () => engine.crawl(asked, { signal: interrupt.signal }),
    )
    return runJob(job, { formats: asked.scrapeOptions?.formats, limit: asked.limit }, invocation)
  },
}
