import { foldText } from './fold-text.js'

/** Target of a link or an image of Markdown, which nobody reads. */
const TARGET = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"\n]*")?\)/g

/** The words of a chunk for the index, without the targets of its links. */
export const wordsOfMarkdown = (markdown: string): string => foldText(markdown.replace(TARGET, ' '))

/** Last segments of a URL's path that are indexed. */
const URL_SEGMENTS = 2

/** The words of a page's title and of the end of its URL for the index. */
export function wordsOfTitle(title: string, url: string): string {
  const { pathname } = new URL(url)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const names = segments.slice(-URL_SEGMENTS).map((segment) => decode(segment).replace(/\.[a-z]{1,5}$/i, ''))
  return foldText([title, ...names].join(' '))
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
