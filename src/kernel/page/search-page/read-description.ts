import { digest, type DigestPlan } from '../../../content/digest/digest.js'
import { isObject } from '../../../base/collections/is-object.js'
import type { ParsePlan } from '../../../content/parse/parser.js'
import { readTemplate } from '../../../features/site-search/reading/search-template.js'
import { listOf, textOf } from '../../../features/site-search/reading/values.js'
import { resolveWebUrl } from '../../../base/url.js'

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

const ATTRIBUTES = ['type', 'template', 'method', 'rel']
/** The elements `Url` with their attributes. Names of elements are in lower case in the tree, because XML is read as HTML. */
const RULE = {
  each: 'url',
  item: { fields: Object.fromEntries(ATTRIBUTES.map((attribute) => [attribute, { attribute }])) },
}

/** Finds the template of the search page for readers. @returns undefined if there is none */
export function readDescription({ url, body, parse }: SearchDescription): string | undefined {
  const plan: DigestPlan = {
    parse,
    extract: { onlyMainContent: false, includeTags: [], excludeTags: [] },
    convert: { formats: [], removeBase64Images: true },
    query: { rule: RULE },
  }
  const { findings } = digest({ url, body, mediaType: 'text/html' }, plan)
  for (const found of listOf(findings?.applied?.data)) {
    if (!isObject(found) || !isForReaders(found)) continue
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
