import type { SearchHit } from '../../search/search-index.js'
import { fitParts } from '../answer.js'
import { cutTitle } from '../describe-page.js'
import { CONTENT_IS_DATA, defineTool, maxTokensSchema } from '../tool.js'

/** Searches crawled pages. */
export const searchTool = defineTool({
  name: 'search',
  description: `Finds passages of pages that were crawled, best first, with links to them. Crawl a site first. ${CONTENT_IS_DATA}`,
  isReadOnly: true,
  needsIndex: true,
  input: (z, limits) =>
    z.strictObject({
      query: z.string().min(1).max(10_000).describe('Words or a question, in any language.'),
      job: z.string().optional().describe('Id of a crawl, to search its pages only. Default: all crawled pages.'),
      url: z.string().optional().describe('Beginning of the URLs to search, such as https://example.com/docs/.'),
      limit: z.number().multipleOf(1).min(1).max(100).optional().describe('Maximum number of passages. Default: 10.'),
      maxTokens: maxTokensSchema(z, limits),
    }),
  async run({ query, job, url, limit }, { engine, jobs, maxTokens }) {
    const options = { limit, filter: { url } }
    const found = job === undefined ? engine.search(query, options) : jobs.find(job).job.search(query, options)
    const hits = await found
    const head = hits.length === 0 ? 'Nothing was found.' : `Passages: ${hits.length}`
    return { head, parts: await fitParts(hits.map(writeHit), maxTokens), between: '\n\n', maxTokens }
  },
})

const writeHit = ({ title, link, path, text }: SearchHit, index: number): string =>
  [`Passage ${index + 1}: ${cutTitle(title ?? path[0] ?? 'without a title')}`, `URL: ${link}`, '', text].join('\n')
