import { isElement, walk } from '../../html/tree.js'
import { resolveUrl } from '../../url.js'
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
    const root = $.root()[0]
    const self = resolveUrl(page.baseUrl)?.href.replace(/#.*$/, '')
    if (root === undefined) return { links: [] }
    walk(root, (node) => {
      if (!isElement(node) || node.name !== 'a') return
      const url = resolveUrl(node.attribs['href'] ?? '', page.baseUrl)
      if (url === undefined || node.attribs['href'] === undefined) return
      // A link to a place on the page itself leads to no other page.
      if (url.hash !== '' && url.href.replace(/#.*$/, '') === self) return
      url.username = ''
      url.password = ''
      found.add(url.href)
    })
    return { links: [...found] }
  },
}
