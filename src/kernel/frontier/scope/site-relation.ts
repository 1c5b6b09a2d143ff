import { getDomain } from 'tldts'
import { isSameHost } from '../../../base/url.js'

/** Relation of a URL to the site of a crawl: on its host, on another host of its domain, or elsewhere. */
export type SiteRelation = 'same host' | 'same domain' | 'elsewhere'

/**
 * Relates `url` to `site`. `www.` is ignored, ports count. A domain is a registrable one, including private suffixes
 * such as `github.io`; IP addresses and `localhost` have none.
 *
 * @see https://publicsuffix.org
 */
export function relate(url: URL, site: URL): SiteRelation {
  if (isSameHost(url, site)) return 'same host'
  const domain = domainOf(site)
  return domain !== null && domain === domainOf(url) ? 'same domain' : 'elsewhere'
}

/** Returns the registrable domain of a URL, including private suffixes; null if it has none. */
export const domainOf = (url: URL): string | null => getDomain(url.hostname, { allowPrivateDomains: true })
