import { createEngine } from 'trawl'

/** The extractor that the scorer loads: a page's main content, with every option as it comes. */
const engine = createEngine({ threads: 0 })

/** Some addresses of the collection end in white space, which the interface refuses. */
export const extract = async (html, url) => ({
  markdown: (await engine.parse({ body: html, url: url.trim() })).markdown,
})
