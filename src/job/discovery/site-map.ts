import type { Survey } from './survey.js'

/** The URLs of a site. */
export interface SiteMap {
  success: true
  /** In order of discovery: the start URL, what the sitemaps name, what the start page links to. */
  links: {
    url: string
    /** The text of a link to it. */
    title?: string
    /** When the site's sitemap says that it was last changed. ISO date. */
    lastmod?: string
  }[]
  /** What could not be read. */
  warning?: string
}

/** What a survey knows of a site's URLs. @internal */
export function makeSiteMap({ urls, problems }: Survey, search: string | undefined, limit: number): SiteMap {
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
