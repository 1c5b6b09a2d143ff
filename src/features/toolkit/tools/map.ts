import { fitParts } from '../answer.js'
import { cutTitle } from '../describe-page.js'
import { checkHost, CONTENT_IS_DATA, defineTool, maxTokensSchema } from '../tool.js'

/** Number of URLs of a map unless a limit is given. */
const DEFAULT_LIMIT = 500

/** Lists the URLs of a site. */
export const mapTool = defineTool({
  name: 'map',
  description: `Lists the URLs of a web site, from its sitemaps and the links of one page, without reading the pages. Use it to find the page to scrape. ${CONTENT_IS_DATA}`,
  isReadOnly: true,
  input: (z, limits) =>
    z.strictObject({
      url: z.string().describe('Absolute URL of the site, or of a part of it.'),
      search: z
        .string()
        .max(1000)
        .optional()
        .describe('Words that a URL or the text of a link to it must contain, all of them.'),
      limit: z
        .number()
        .multipleOf(1)
        .min(1)
        .max(5000)
        .optional()
        .describe(`Maximum number of URLs. Default: ${DEFAULT_LIMIT}.`),
      crawlEntireDomain: z
        .boolean()
        .optional()
        .describe('true lists all pages of the host, not only those below the path of url. Default: false.'),
      maxTokens: maxTokensSchema(z, limits),
    }),
  async run(
    { url, search, limit = DEFAULT_LIMIT, crawlEntireDomain },
    { engine, settings, signal, maxTokens, report },
  ) {
    checkHost(url, settings)
    report({ done: 0, total: 1, message: 'The site is being mapped' })
    const { links, warning } = await engine.map({ url, search, limit, crawlEntireDomain }, { signal })
    const lines = links.map((link) => (link.title === undefined ? link.url : `${link.url} - ${cutTitle(link.title)}`))
    const about = warning === undefined ? '' : `Warning: ${warning}`
    const parts = await fitParts(lines, maxTokens)
    return { head: `URLs: ${links.length}`, about, parts, between: '\n', maxTokens }
  },
})
