import { withoutTracking } from '../../../base/tracking.js'
import { CharacterBudget, limitWarning } from '../../html/document-limits.js'
import type { LinkResolver } from '../../html/link-resolver.js'
import { type ChildNode, isElement, walk } from '../../html/tree.js'
import type { Format } from '../format.js'
import { isRouteFragment, resolveUrl, withoutCredentials } from '../../../base/url.js'

/** The links of the content. */
interface LinksFormat {
  type: 'links'
  /**
   * Removes parameters that only tell where a visitor came from, such as `utm_source` and `fbclid`. An extension of trawl.
   *
   * @default false
   */
  cleanUrls?: boolean
}

interface LinksFields {
  /** URLs that the content links to, including `mailto:` and the like: absolute, in document order, each once. */
  links: string[]
}

/**
 * The links of the content. The crawler follows the links of the whole page, whatever is requested here.
 *
 * @see docs/compatibility/requests.md#formats
 */
export const links: Format<LinksFormat, LinksFields, 'links'> = {
  type: 'links',
  isForPrompt: true,
  versionOne: { links: {} },
  outline: {
    readsContent: true,
    convert: ({ contentLinks, baseUrl }, { cleanUrls }) => ({
      links: listLinks(shown(contentLinks, cleanUrls), baseUrl),
    }),
  },
  options: (z) => ({ cleanUrls: z.boolean().optional() }),
  convert({ tree, page, resolver, limits, hiddenLinks = [] }, { cleanUrls }, _, warn) {
    const addresses = new Set<string>()
    const budget = new CharacterBudget(limits.part)
    const refused = new Set<string>()
    walk(tree.root, addAddress, undefined, { addresses, resolver, budget, refused })
    for (const link of hiddenLinks) addAddress(link, { addresses, resolver, budget, refused })
    const leftOut = budget.leftOut + refused.size
    if (leftOut > 0) warn?.(limitWarning(leftOut, 'links of the content are missing in `links`', limits.part))
    return { links: listLinks(shown(addresses, cleanUrls), page.baseUrl) }
  },
}

/** Returns URLs as they are written in a document. */
const shown = (addresses: Iterable<string>, cleanUrls = false): Iterable<string> =>
  cleanUrls ? [...addresses].map(withoutTracking) : addresses

const ON_PAGE = /^#\w/

interface AddressSearch {
  readonly addresses: Set<string>
  readonly resolver: LinkResolver
  readonly budget: CharacterBudget
  /** Links that were not resolved, as they are written. */
  readonly refused: Set<string>
}

function addAddress(node: ChildNode, { addresses, resolver, budget, refused }: AddressSearch): void {
  if (!isElement(node) || node.name !== 'a') return
  const href = node.attribs['href']
  // `#name`, which is left where the base URL does not resolve it, leads to a place on the page itself.
  if (href === undefined || ON_PAGE.test(href)) return
  const address = resolver.resolve(href)
  if (address === undefined) {
    if (resolver.isRefused(href)) refused.add(href)
  } else if (!addresses.has(address) && budget.take(address.length)) addresses.add(address)
}

/**
 * Lists the URLs that links lead to, each once, in the given order, without user names and passwords. Links to a place
 * on the page itself are left out, and routes of a client-side router are not.
 *
 * @param addresses absolute URLs
 */
function listLinks(addresses: Iterable<string>, baseUrl: string): string[] {
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
