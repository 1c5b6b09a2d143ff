import { extract } from '../../../src/content/extract/extract.js'
import type { ExtractedPage, ExtractPlan } from '../../../src/content/extract/extracted-page.js'
import { collapse, isText, walk } from '../../../src/content/html/tree.js'
import { parseHtml } from '../parse/pages.js'

/** Plan for the whole page, with nothing dropped. */
export const wholePage: ExtractPlan = { onlyMainContent: false, includeTags: [], excludeTags: [] }

/** Extracts an HTML page. */
export const extractHtml = (html: string, plan: Partial<ExtractPlan> = {}): ExtractedPage =>
  extract(parseHtml(html), { ...wholePage, ...plan })

/** Joins the texts of the content. */
export function textIn({ tree: { $ } }: ExtractedPage): string {
  const texts: string[] = []
  const root = $.root()[0]
  if (root !== undefined) walk(root, (node) => void (isText(node) && texts.push(node.data)))
  return collapse(texts.join(' '))
}
