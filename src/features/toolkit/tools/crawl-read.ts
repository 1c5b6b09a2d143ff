import { printSeen, TrawlError } from '../../../base/errors.js'
import type { Document } from '../../../kernel/page/document.js'
import { fitParts, type ToolText } from '../answer.js'
import { writePage } from '../describe-page.js'
import { CONTENT_IS_DATA, defineTool, jobSchema, type ToolCall } from '../tool.js'
import type { ToolJob } from '../tool-jobs.js'

/** Documents that are read at once while one is searched for. */
const PAGE_SIZE = 20

/** Reads the pages of a crawl. */
export const crawlReadTool = defineTool({
  name: 'crawl_read',
  description: `Reads the pages of a crawl, also while it runs: without url the list of its pages, with url the content of one of them as Markdown. ${CONTENT_IS_DATA}`,
  isReadOnly: true,
  input: (z) =>
    z.strictObject({
      job: jobSchema(z),
      url: z.string().optional().describe('URL of a page of the list. Default: the list itself.'),
    }),
  async run({ job: id, url }, call) {
    const found = call.jobs.find(id)
    return url === undefined ? listPages(found, call) : readPage(found, url, call)
  },
})

async function listPages({ job, pages, isRunning }: ToolJob, { maxTokens }: ToolCall): Promise<ToolText> {
  const lines = pages.map(({ url, title, tokens }) =>
    [url, ...(title === undefined ? [] : [title]), `${tokens} tokens`].join(' - '),
  )
  const head = `Job: ${job.id}\nPages: ${pages.length}${isRunning ? ' so far, the crawl runs' : ''}`
  return { head, parts: await fitParts(lines, maxTokens), between: '\n', maxTokens }
}

async function readPage({ job, pages }: ToolJob, url: string, { signal, maxTokens }: ToolCall): Promise<ToolText> {
  const index = pages.findIndex((page) => isAt(page, url))
  // Pages that end at the same time may be kept in another order than they are listed.
  for (const from of index === -1 ? [] : [index, 0]) {
    const page = await findPage(job, url, from, signal)
    if (page) return await writePage(page, maxTokens)
  }
  const message = `\`url\`: ${printSeen(url)} is no page of this crawl: crawl_read without url lists them, and explain tells why one is missing`
  throw new TrawlError('BAD_REQUEST', message)
}

/** Finds the document of a URL. @param from index of the first document that is read */
async function findPage(
  job: ToolJob['job'],
  url: string,
  from: number,
  signal: AbortSignal,
): Promise<Document | undefined> {
  // Fewer documents than the limit come when they are large.
  for (let skip = from, read = 1; read > 0; skip += read) {
    signal.throwIfAborted()
    const { data } = await job.status({ skip, limit: PAGE_SIZE })
    const page = data.find(({ metadata }) => isAt(metadata, url))
    if (page) return page
    read = data.length
  }
  return undefined
}

const isAt = (page: { readonly url: string; readonly sourceURL: string }, url: string): boolean =>
  page.url === url || page.sourceURL === url
