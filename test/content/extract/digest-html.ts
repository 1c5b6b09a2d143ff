import { digest } from '../../../src/content/digest/digest.js'
import type { EnrichInputs } from '../../../src/content/digest/enrich-inputs.js'

/** Creates the inputs of formats for a page: chunks for a model, structured data and media. */
export function digestHtml(
  html: string,
  url = 'https://harbour.test/',
  contentType = 'text/html; charset=utf-8',
): EnrichInputs {
  const made = digest(
    { url, body: new TextEncoder().encode(html), contentType },
    {
      parse: { maxHtmlBytes: 1_000_000, maxDepth: 256, maxNodes: 100_000 },
      extract: { onlyMainContent: true, includeTags: [], excludeTags: [] },
      convert: { formats: [], removeBase64Images: true },
      material: { text: true, facts: true, media: true, maxTokens: 4000 },
    },
  )
  return made.material ?? { chunks: [], items: [], media: [] }
}
