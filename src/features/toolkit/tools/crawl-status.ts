import { describeJob } from '../describe-job.js'
import { defineTool, jobSchema, waitSecondsSchema } from '../tool.js'
import { waitForJob } from '../tool-jobs.js'

/** Reports on a crawl. */
export const crawlStatusTool = defineTool({
  name: 'crawl_status',
  description:
    'Reports on a crawl: its state, and how many pages were scraped, failed and skipped. With waitSeconds it waits for the end of the crawl first; cancelling the call does not end the crawl.',
  isReadOnly: true,
  input: (z) => z.strictObject({ job: jobSchema(z), waitSeconds: waitSecondsSchema(z) }),
  async run({ job: id, waitSeconds = 0 }, { jobs, signal, report, maxTokens }) {
    const found = jobs.find(id)
    return describeJob(found, await waitForJob(found, { seconds: waitSeconds, signal, report }), maxTokens)
  },
})
