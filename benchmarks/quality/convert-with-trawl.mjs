import { createEngine } from 'trawl'

/** The converter that the Markdown cases load: their fragments are all content, so none of it is chosen. */
const engine = createEngine({ threads: 0 })

export const convert = async (html, url) =>
  (await engine.parse({ body: html, url }, { onlyMainContent: false })).markdown
