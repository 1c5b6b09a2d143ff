import { isElement, type ParentNode, walk } from '../../content/html/tree.js'
import { parse } from '../../content/parse/parse.js'
import type { ParsePlan } from '../../content/parse/parser.js'
import { readTemplate } from './site-search/reading/search-template.js'
import { textOf } from './site-search/reading/values.js'
import { resolveWebUrl } from '../../base/url.js'

/** An OpenSearch description that was fetched. Plain data. */
export interface SearchDescription {
  /** URL after redirects. */
  readonly url: string
  readonly body: Uint8Array
  readonly parse: ParsePlan
}

/** Parameters that a site may require, with the values that a browser sends. */
const VALUES: Readonly<Record<string, string>> = {
  count: '20',
  startIndex: '1',
  startPage: '1',
  language: '*',
  inputEncoding: 'UTF-8',
  outputEncoding: 'UTF-8',
}

/** Finds the template of the search page for readers. @returns undefined if there is none */
export function readDescription({ url, body, parse: plan }: SearchDescription): string | undefined {
  const { root } = parse({ url, body, mediaType: 'text/html' }, plan).tree
  for (const found of findUrls(root)) {
    if (!isForReaders(found)) continue
    const template = { text: textOf(found['template']).trim(), name: 'searchTerms', values: VALUES }
    const read = readTemplate(template, (reference) => resolveWebUrl(reference, url)?.href)
    if (read !== undefined) return read
  }
  return undefined
}

function isForReaders({ type, method, rel }: Readonly<Record<string, unknown>>): boolean {
  const isPage = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(textOf(type).trim())
  return isPage && /^(?:get)?$/i.test(textOf(method)) && /^(?:results)?$/i.test(textOf(rel))
}

/** Lists the attributes of the elements `Url`. Names of elements are in lower case in the tree, because XML is read as HTML. */
function findUrls(root: ParentNode): Readonly<Record<string, string>>[] {
  const found: Readonly<Record<string, string>>[] = []
  walk(root, (node) => void (isElement(node) && node.name === 'url' && found.push(node.attribs)))
  return found
}
