import TurndownService from 'turndown'
import type { ExtractedPage } from '../../extract/extracted-page.js'
import type { ConvertSettings } from '../format.js'
import { ViewNode } from '../markdown-view.js'
import { readContent } from '../read/read-content.js'
import { References } from './references.js'
import { writers } from './writers.js'

/**
 * Writes a page's content as Markdown. A file that is Markdown already, or shown as plain text, is returned unchanged.
 *
 * @param links place of the URLs: beside each link, or numbered at the end
 */
export function writeMarkdown(
  { page, $ }: ExtractedPage,
  settings: ConvertSettings,
  links: 'inline' | 'reference' = 'inline',
): string {
  if (page.markdown !== undefined) return page.markdown
  const root = $.root()[0]
  if (root === undefined) return ''
  const self = [page.url, page.baseUrl].map(withoutHash)
  const isOnPage = (href: string): boolean => href.includes('#') && self.includes(withoutHash(href))
  const view = readContent(root, { isOnPage, page: page.$.root()[0] })
  const references = links === 'reference' ? new References(view) : undefined
  const text = write(view, settings, references)
  const list = references?.list() ?? ''
  return list === '' ? text : `${text}\n\n${list}`
}

const withoutHash = (address: string): string => address.split('#', 1)[0] ?? ''

function write(view: ViewNode, settings: ConvertSettings, references: References | undefined): string {
  if (view.childNodes.length === 0) return ''
  const service = new TurndownService()
  // Stored before Turndown trims it: Turndown's regular expression takes quadratic time on white space anywhere in the
  // text.
  let text = ''
  service.escape = (unescaped) => unescaped
  service.addRule('view', {
    filter: () => true,
    replacement(content, node) {
      const viewed = node as unknown as ViewNode
      if (viewed === view) {
        text = content
        return ''
      }
      const written = writers[viewed.kind](content, viewed, settings)
      if (references === undefined || (viewed.kind !== 'link' && viewed.kind !== 'image')) return written
      return references.cite(written, viewed)
    },
  })
  const outer = new ViewNode('root')
  outer.append(view)
  service.turndown(outer)
  outer.unlink()
  return text.replace(/^[\t\r\n]+/, '').trimEnd()
}
