import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import type { Convert } from './crawl-with-crawlee.js'

/** Main content by Readability, and its Markdown by Turndown. */
export const withReadability = (): Convert => {
  const turndown = new TurndownService()
  return (html) => turndown.turndown(new Readability(parseHTML(html).document).parse()?.content ?? '')
}
