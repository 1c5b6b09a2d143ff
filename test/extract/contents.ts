import { extract } from '../../src/extract/extract.js'
import type { ExtractedPage, ExtractPlan } from '../../src/extract/extracted-page.js'
import { collapse, isText, walk } from '../../src/html/tree.js'
import { parseHtml } from '../parse/pages.js'

/** The whole page, nothing left out. */
export const wholePage: ExtractPlan = { onlyMainContent: false, includeTags: [], excludeTags: [] }

/** What is extracted of an HTML page. */
export const extractHtml = (html: string, plan: Partial<ExtractPlan> = {}): ExtractedPage =>
  extract(parseHtml(html), { ...wholePage, ...plan })

/** The texts of the content, one after another. */
export function textIn({ $ }: ExtractedPage): string {
  const texts: string[] = []
  const root = $.root()[0]
  if (root !== undefined) walk(root, (node) => void (isText(node) && texts.push(node.data)))
  return collapse(texts.join(' '))
}
