import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import type { Convert } from './crawl-with-crawlee.js'

/** Main content and Markdown by Defuddle. */
export const withDefuddle = (): Convert => async (html, url) =>
  (await Defuddle(parseHTML(html).document, url, { markdown: true })).content
