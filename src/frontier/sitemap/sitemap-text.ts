import { type ItemList, type SitemapReader, longestUrl } from './sitemap-item.js'

/** Reads a text sitemap: one absolute URL on each line. @see https://www.sitemaps.org/protocol.html#otherformats */
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
      // A line that is longer than any URL is of no use, and is not kept while it goes on.
      unfinished = (lines.pop() ?? '').slice(0, longestUrl + 1)
      for (const line of lines) addLine(line)
    },
    end: () => addLine(unfinished),
  }
}
