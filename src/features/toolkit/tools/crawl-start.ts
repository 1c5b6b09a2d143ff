import { contentFormats } from '../describe-page.js'
import { describeJob } from '../describe-job.js'
import { checkHost, defineTool, waitSecondsSchema } from '../tool.js'
import { waitForJob } from '../tool-jobs.js'

/** Number of pages of a crawl unless a limit is given. */
const DEFAULT_LIMIT = 100

/** Starts a crawl. */
export const crawlStartTool = defineTool({
  name: 'crawl_start',
  description:
    'Starts a crawl: it reads the pages of a site, following links from one URL. Answers with the id of the job, for crawl_status, crawl_read, explain and crawl_cancel. With waitSeconds it waits for the end; cancelling the call then cancels the crawl.',
  isReadOnly: false,
  input: (z, { maxPages }) =>
    z.strictObject({
      url: z.string().describe('Absolute URL of the first page. Only pages below its path are read.'),
      limit: z
        .number()
        .multipleOf(1)
        .min(1)
        .max(maxPages)
        .optional()
        .describe(`Maximum number of pages. Default: ${Math.min(DEFAULT_LIMIT, maxPages)}.`),
      goal: z
        .string()
        .max(2000)
        .optional()
        .describe('What you look for, in words: pages that promise it are read first.'),
      includePaths: z
        .array(z.string())
        .max(100)
        .optional()
        .describe('Regular expressions (RE2) of which one must match the path of a page, such as ^/docs/.'),
      excludePaths: z
        .array(z.string())
        .max(100)
        .optional()
        .describe('Regular expressions (RE2) of paths that are left out.'),
      maxDiscoveryDepth: z
        .number()
        .multipleOf(1)
        .min(0)
        .optional()
        .describe('Maximum links away from the first page. Default: no limit.'),
      crawlEntireDomain: z
        .boolean()
        .optional()
        .describe('true reads all pages of the host, not only those below the path of url. Default: false.'),
      waitSeconds: waitSecondsSchema(z),
    }),
  async run({ waitSeconds = 0, limit, ...rules }, { jobs, settings, signal, report, maxTokens }) {
    const { maxPages, scrapeOptions, search } = settings
    checkHost(rules.url, settings)
    const started = jobs.start({
      ...rules,
      limit: limit ?? Math.min(DEFAULT_LIMIT, maxPages),
      // The setting of the engine holds otherwise. Spread, because the option goes with its feature.
      ...(search && { index: true }),
      scrapeOptions: { ...scrapeOptions, formats: contentFormats(maxTokens) },
    })
    try {
      const status = await waitForJob(started, { seconds: waitSeconds, signal, report })
      return describeJob(started, status, maxTokens)
    } catch (error) {
      // Nobody learns the id of the job.
      if (signal.aborted) await started.job.cancel()
      throw error
    }
  },
})
