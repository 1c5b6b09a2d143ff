import type { ExtractedPage } from '../../extract/extracted-page.js'
import type { ConvertSettings } from '../format.js'
import type { ViewNode } from '../markdown-view.js'
import { readContent } from '../read/read-content.js'
import { References } from './references.js'
import { writeChildren } from './write-view.js'
import { breaksAround, writers } from './writers.js'

/**
 * Writes a page's content as Markdown. A file that is Markdown already, or shown as plain text, is returned unchanged.
 *
 * @param links place of the URLs: beside each link, or numbered at the end
 */
export function writeMarkdown(
  { page, tree }: ExtractedPage,
  settings: ConvertSettings,
  links: 'inline' | 'reference' = 'inline',
): string {
  if (page.markdown !== undefined) return page.markdown
  const self = [page.url, page.baseUrl].map(withoutHash)
  const isOnPage = (href: string): boolean => href.includes('#') && self.includes(withoutHash(href))
  const view = readContent(tree.root, { isOnPage, page: page.tree.root })
  const references = links === 'reference' ? new References(view) : undefined
  const text = writeView(view, settings, references)
  const list = references?.list() ?? ''
  return list === '' ? text : `${text}\n\n${list}`
}

const withoutHash = (address: string): string => address.split('#', 1)[0] ?? ''

function writeView(view: ViewNode, settings: ConvertSettings, references: References | undefined): string {
  if (view.childNodes.length === 0) return ''
  const write = (content: string, node: ViewNode): string => {
    const written = writers[node.kind](content, node, settings)
    if (references === undefined || (node.kind !== 'link' && node.kind !== 'image')) return written
    return references.cite(written, node)
  }
  const text = writeChildren(view, { write, breaksAround })
  view.unlink()
  return text.replace(/^[\t\r\n]+/, '').trimEnd()
}
