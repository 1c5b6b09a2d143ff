import { getDomain } from 'tldts'
import { isSameHost } from '../../url.js'

/** How a URL stands to the site of a crawl: on its host, on another host of its domain, or elsewhere. */
export type SiteRelation = 'same host' | 'same domain' | 'elsewhere'

/**
 * How `url` stands to `site`: `www.` aside, ports count. A domain is what somebody could register, private suffixes such
 * as `github.io` included; an IP address and `localhost` have none.
 *
 * @see https://publicsuffix.org
 */
export function relate(url: URL, site: URL): SiteRelation {
  if (isSameHost(url, site)) return 'same host'
  const domain = domainOf(site)
  return domain !== null && domain === domainOf(url) ? 'same domain' : 'elsewhere'
}

const domainOf = (url: URL): string | null => getDomain(url.hostname, { allowPrivateDomains: true })

/** Whether the URL is all there is of a home page: no path and no query. */
export const isHomePage = (url: URL): boolean => url.pathname === '/' && url.search === ''
