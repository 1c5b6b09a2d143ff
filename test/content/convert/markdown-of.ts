import { markdown } from '../../../src/content/convert/formats/markdown.js'
import { extractHtml } from '../extract/contents.js'

/** Writes HTML as Markdown, with nothing of the page left out. */
export const markdownOf = (html: string): string =>
  markdown.convert(extractHtml(html), { type: 'markdown' }, { removeBase64Images: true }).markdown
