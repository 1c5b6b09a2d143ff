import { describeJob } from '../describe-job.js'
import { defineTool, jobSchema } from '../tool.js'

/** Cancels a crawl. */
export const crawlCancelTool = defineTool({
  name: 'crawl_cancel',
  description: 'Ends a crawl. Pages that it has scraped can still be read.',
  isReadOnly: false,
  input: (z) => z.strictObject({ job: jobSchema(z) }),
  async run({ job: id }, { jobs, maxTokens }) {
    const found = jobs.find(id)
    return describeJob(found, await found.job.cancel(), maxTokens)
  },
})
