import type { Survey } from './survey.js'

/** The URLs of a site. */
export interface SiteMap {
  success: true
  /** In order of discovery: the start URL, pages listed in sitemaps, links of the start page. */
  links: {
    url: string
    /** The text of a link to it. */
    title?: string
    /** Date of the last change according to the site's sitemap. ISO date. */
    lastmod?: string
  }[]
  /** Messages about what could not be read. */
  warning?: string
}

/** Lists the URLs of a survey that match the search words. @internal */
export function createSiteMap({ urls, problems }: Survey, search: string | undefined, limit: number): SiteMap {
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const links = urls
    .filter(({ refused, url, anchor = '' }) => {
      const text = `${url} ${anchor}`.toLowerCase()
      return !refused && words.every((word) => text.includes(word))
    })
    .slice(0, limit)
    .map(({ url, anchor, lastmod }) => ({
      url,
      ...(anchor ? { title: anchor } : {}),
      ...(lastmod === undefined ? {} : { lastmod }),
    }))
  return { success: true, links, ...(problems.length === 0 ? {} : { warning: problems.join(' ') }) }
}
