import { isElement, walk } from '../../html/tree.js'
import { resolveUrl } from '../../url.js'
import type { Format } from '../format.js'

export interface LinksFields {
  /** The addresses that the content links to: absolute, in document order, each once; also `mailto:` and the like. */
  links: string[]
}

/** The links of the content. What the crawler follows are the links of the whole page, whatever is asked for here. @see docs/compatibility.md#formats */
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
      // A link to a place on the page itself leads nowhere else.
      if (url.hash !== '' && url.href.replace(/#.*$/, '') === self) return
      url.username = ''
      url.password = ''
      found.add(url.href)
    })
    return { links: [...found] }
  },
}
