import type { ExtractedPage } from '../../extract/extracted-page.js'
import type { ParentNode } from '../../html/tree.js'
import type { ParsedPage } from '../../parse/parser.js'
import type { ConvertSettings } from '../format.js'
import type { ViewNode } from '../markdown-view.js'
import { readContent, type SourcePage } from '../read/read-content.js'
import { References } from './references.js'
import { type NodeWriter, writeChildren } from './write-view.js'
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
  const view = readContent(tree.root, new ReadPage(page))
  const references = links === 'reference' ? new References(view) : undefined
  const text = writeView(view, settings, references)
  const list = references?.list() ?? ''
  return list === '' ? text : `${text}\n\n${list}`
}

const withoutHash = (address: string): string => address.split('#', 1)[0] ?? ''

/** The page of a content, as its readers need it. */
class ReadPage implements SourcePage {
  readonly page: ParentNode
  readonly #addresses: readonly string[]

  constructor({ tree, url, baseUrl }: ParsedPage) {
    this.page = tree.root
    this.#addresses = [withoutHash(url), withoutHash(baseUrl)]
  }

  isOnPage(href: string): boolean {
    const at = href.indexOf('#')
    if (at === -1) return false
    for (const address of this.#addresses) if (address.length === at && href.startsWith(address)) return true
    return false
  }
}

function writeView(view: ViewNode, settings: ConvertSettings, references: References | undefined): string {
  if (view.childNodes.length === 0) return ''
  const text = writeChildren(view, new MarkdownWriter(settings, references))
  view.unlink()
  return text.replace(/^[\t\r\n]+/, '').trimEnd()
}

class MarkdownWriter implements NodeWriter {
  readonly #settings: ConvertSettings
  readonly #references: References | undefined

  constructor(settings: ConvertSettings, references: References | undefined) {
    this.#settings = settings
    this.#references = references
  }

  write(content: string, node: ViewNode): string {
    const written = writers[node.kind](content, node, this.#settings)
    if (this.#references === undefined || (node.kind !== 'link' && node.kind !== 'image')) return written
    return this.#references.cite(written, node)
  }

  breaksAround(block: ViewNode): number {
    return breaksAround(block)
  }
}
