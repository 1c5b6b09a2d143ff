import { compact } from '../../base/collections/compact.js'
import { toSentence } from '../../base/text/to-sentence.js'
import { START_REFUSED_BY_ROBOTS } from '../../kernel/job/discovery/scope-hints.js'
import type { Survey } from './survey.js'

/** The URLs of a site. */
export interface SiteMap {
  success: true
  /**
   * In order of discovery: the start URL, pages listed in sitemaps, links of the start page. A start URL that did not answer, or with an
   * error status such as 404, is listed only if a sitemap or a link has it: of a site that is down nothing is.
   */
  links: {
    url: string
    /** The text of a link to it. */
    title?: string
    /** Date of the last change according to the site's sitemap. ISO date. */
    lastmod?: string
  }[]
  /** Messages about what could not be read, and what robots.txt refuses. */
  warning?: string
}

/** Lists the URLs of a survey that match the search words. @internal */
export function createSiteMap(
  { urls, problems, lacksStart }: Survey,
  search: string | undefined,
  limit: number,
): SiteMap {
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const links = urls
    .slice(lacksStart ? 1 : 0)
    .filter(({ refused, url, anchor = '' }) => {
      const text = `${url} ${anchor}`.toLowerCase()
      return !refused && words.every((word) => text.includes(word))
    })
    .slice(0, limit)
    .map(({ url, anchor = '', lastmod }) => compact({ url, title: anchor === '' ? undefined : anchor, lastmod }))
  const warnings = [...describeRefused(urls), ...problems]
  const warning = warnings.length === 0 ? undefined : warnings.map(toSentence).join(' ')
  return compact({ success: true as const, links, warning })
}

/** Tells of the URLs that are missing because robots.txt refuses them. */
function describeRefused([start, ...others]: Survey['urls']): string[] {
  const isRefused = ({ refused }: Survey['urls'][number]): boolean => refused?.reason === 'ROBOTS_TXT'
  const count = others.filter(isRefused).length
  return [
    ...(start && isRefused(start) ? [START_REFUSED_BY_ROBOTS] : []),
    ...(count > 0 ? [`robots.txt refuses ${count} of the URLs that were found, which are not listed.`] : []),
  ]
}
