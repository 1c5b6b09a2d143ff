import { MAX_URL_CHARACTERS } from '../../base/url.js'
import type { ItemList, SitemapReader } from './sitemap-item.js'

/**
 * Creates a reader of text sitemaps: one absolute URL per line.
 *
 * @see https://www.sitemaps.org/protocol.html#otherformats
 */
export function readTextSitemap(list: ItemList): SitemapReader {
  let unfinished = ''
  list.addFormat('text')
  const addLine = (line: string): void => {
    const href = line.trim()
    if (/^https?:\/\//i.test(href)) list.addEntry('page', href)
    else if (href !== '') list.addUnusable(href)
  }
  return {
    isDone: false,
    write(text) {
      const lines = (unfinished + text).split(/[\r\n]+/)
      // A line longer than any URL is invalid, so only its start is buffered.
      unfinished = (lines.pop() ?? '').slice(0, MAX_URL_CHARACTERS + 1)
      for (const line of lines) addLine(line)
    },
    end: () => addLine(unfinished),
  }
}
