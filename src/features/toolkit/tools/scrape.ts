import { compact } from '../../../base/collections/compact.js'
import type { FormatItem } from '../../../kernel/options/fields/formats.js'
import type { Document } from '../../../kernel/page/document.js'
import { fitParts, type ToolText } from '../answer.js'
import { contentFormats, describePage, writePage } from '../describe-page.js'
import { checkHost, CONTENT_IS_DATA, defineTool, maxTokensSchema, type ToolCall } from '../tool.js'

/** Reads one page. */
export const scrapeTool = defineTool({
  name: 'scrape',
  description: `Reads one web page or file (HTML, PDF, office file): its main content as Markdown, its links, or the rows of its list. ${CONTENT_IS_DATA}`,
  isReadOnly: true,
  input: (z, limits) =>
    z.strictObject({
      url: z.string().describe('Absolute URL of the page.'),
      format: z
        .enum(['markdown', 'links', 'list'])
        .optional()
        .describe(
          'markdown: the text. links: the URLs on the page. list: the rows of its main list, such as products, as JSON. Default: markdown.',
        ),
      onlyMainContent: z.boolean().optional().describe('false keeps navigation, header and footer. Default: true.'),
      waitFor: z
        .number()
        .min(0)
        .max(60_000)
        .optional()
        .describe('Milliseconds to wait in a browser for content that scripts load. Default: 0.'),
      maxTokens: maxTokensSchema(z, limits),
    }),
  async run({ url, format = 'markdown', onlyMainContent, waitFor }, call) {
    checkHost(url, call.settings)
    const options = {
      ...call.settings.scrapeOptions,
      ...compact({ onlyMainContent, waitFor }),
    }
    call.report({ done: 0, total: 1, message: 'The page is being scraped' })
    const read = { ...call, url, options }
    if (format === 'links') return readLinks(read)
    return format === 'list' ? readList(read) : readContent(read)
  },
})

interface PageCall extends ToolCall {
  readonly url: string
  readonly options: ToolCall['settings']['scrapeOptions']
}

async function readContent({ engine, url, options, signal, maxTokens }: PageCall): Promise<ToolText> {
  const page = await engine.scrape(url, { ...options, formats: contentFormats(maxTokens) }, { signal })
  return await writePage(page, maxTokens)
}

async function readLinks({ engine, url, options, signal, maxTokens }: PageCall): Promise<ToolText> {
  const page = await engine.scrape(url, { ...options, formats: ['links'] }, { signal })
  const head = `Links: ${page.links.length}`
  const parts = await fitParts(page.links, maxTokens)
  return { head, about: describePage(page), parts, between: '\n', maxTokens }
}

/** The format of lists. Without its feature it is refused as unknown. */
const LISTS: string = 'list'

/** A document that may have a list. */
type ListedDocument = Document & { readonly list?: { readonly items: readonly object[] } }

async function readList({ engine, url, options, signal, maxTokens }: PageCall): Promise<ToolText> {
  const page: ListedDocument = await engine.scrape(url, { ...options, formats: [LISTS as FormatItem] }, { signal })
  const { items = [] } = page.list ?? {}
  const head = `Rows: ${items.length}`
  const rows = items.map((item) => JSON.stringify(item))
  const parts = await fitParts(rows, maxTokens)
  return { head, about: describePage(page), parts, between: '\n', maxTokens }
}
