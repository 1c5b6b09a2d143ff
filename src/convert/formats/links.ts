import { isElement, walk } from '../../html/tree.js'
import { resolveUrl, withoutCredentials } from '../../url.js'
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
  convert({ $, page }) {
    const found = new Set<string>()
    const hrefs = new Set<string>()
    const root = $.root()[0]
    const base = resolveUrl(page.baseUrl)
    const self = base && withoutHash(base.href)
    if (root === undefined) return { links: [] }
    walk(root, (node) => {
      if (!isElement(node) || node.name !== 'a') return
      const href = node.attribs['href']
      // Resolving takes most of the time, and pages repeat links. `#name` leads to a place on the page itself.
      if (href === undefined || /^#\w/.test(href) || hrefs.has(href)) return
      hrefs.add(href)
      const url = resolveUrl(href, page.baseUrl)
      if (url === undefined) return
      if (url.hash !== '' && withoutHash(url.href) === self) return
      found.add(withoutCredentials(url).href)
    })
    return { links: [...found] }
  },
}

const withoutHash = (href: string): string => href.split('#', 1)[0] ?? ''
