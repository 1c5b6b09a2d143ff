import { isRouteFragment, resolveUrl, withoutCredentials } from '../../base/url.js'

/**
 * Lists the URLs that links lead to, each once, in the given order, without user names and passwords. Links to a place
 * on the page itself are left out, and routes of a client-side router are not.
 *
 * @param addresses absolute URLs
 */
export function listLinks(addresses: Iterable<string>, baseUrl: string): string[] {
  const found = new Set<string>()
  const base = resolveUrl(baseUrl)
  const self = base && base.href.split('#', 1)[0]
  for (const address of addresses) {
    const hash = address.indexOf('#')
    const isOnPage = hash !== -1 && hash < address.length - 1 && hash === self?.length && address.startsWith(self)
    if (isOnPage && !isRouteFragment(address.slice(hash))) continue
    found.add(address.includes('@') ? withoutCredentials(new URL(address)).href : address)
  }
  return [...found]
}
