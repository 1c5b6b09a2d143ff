import type { LinkResolver } from '../../html/link-resolver.js'
import { type ChildNode, isElement, walk } from '../../html/tree.js'
import { listLinks } from '../list-links.js'
import type { Format } from '../format.js'

export interface LinksFields {
  /** URLs that the content links to, including `mailto:` and the like: absolute, in document order, each once. */
  links: string[]
}

/**
 * The links of the content. The crawler follows the links of the whole page, whatever is requested here.
 *
 * @see docs/compatibility.md#formats
 */
export const links: Format<{ type: 'links' }, LinksFields> = {
  type: 'links',
  convert({ tree, page, resolver }) {
    const addresses = new Set<string>()
    walk(tree.root, addAddress, undefined, { addresses, resolver })
    return { links: listLinks(addresses, page.baseUrl) }
  },
}

const ON_PAGE = /^#\w/

interface AddressSearch {
  readonly addresses: Set<string>
  readonly resolver: LinkResolver
}

function addAddress(node: ChildNode, { addresses, resolver }: AddressSearch): void {
  if (!isElement(node) || node.name !== 'a') return
  const href = node.attribs['href']
  // `#name`, which is left where the base URL does not resolve it, leads to a place on the page itself.
  const address = href === undefined || ON_PAGE.test(href) ? undefined : resolver.resolve(href)
  if (address !== undefined) addresses.add(address)
}
