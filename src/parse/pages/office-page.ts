import { findOfficeKind, type OfficeKind } from '../../office/package/find-kind.js'
import type { OfficeContent, OfficeMetadata } from '../../office/elements/create-element.js'
import { CUT_WARNING } from '../../office/warnings.js'
import { TrawlError } from '../../errors.js'
import {
  type ChildNode,
  type Document,
  Element,
  Text,
  append,
  findElement,
  isElement,
  isText,
  walk,
} from '../../html/tree.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import type { FileParser, ParserInput, ParsedPage, ParsePlan } from '../parser.js'

/** Reader of one kind of office file. */
export type OfficeReader = (body: Uint8Array, plan: ParsePlan) => OfficeContent

/**
 * Creates the parser of one kind of office file.
 *
 * @param load loads the reader on first use, as threads that read web pages do not need it
 */
export const officeParser = (kind: OfficeKind, load: () => Promise<OfficeReader>): FileParser => ({
  name: kind,
  accepts: (mediaType, body) => findOfficeKind(mediaType, body) === kind,
  parseFile: async (input, plan) => readOfficePage(input, plan, await load()),
})

/**
 * Reads an office file as a page: all of it is content.
 *
 * @throws TrawlError `SCRAPE_FILE_BROKEN`, `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_TOO_COMPLEX`
 */
export function readOfficePage({ url, body }: ParserInput, plan: ParsePlan, read: OfficeReader): ParsedPage {
  const { content, metadata, warnings, dropped } = withUrl(url, () => read(body, plan))
  const document = wrapInPage(content)
  const html = findElement(document, ({ name }) => name === 'html')
  const head = findElement(document, ({ name }) => name === 'head')
  if (metadata.language !== undefined && html !== undefined) html.attribs['lang'] = metadata.language
  if (head !== undefined) describe(head, metadata)
  const isCut = truncateDocument(document, plan.maxNodes)
  const tree = loadTree(document)
  return {
    url,
    baseUrl: url,
    tree,
    // Computed on demand, as it is as large as the page.
    get text() {
      return tree.$.html()
    },
    isFile: true,
    ...(dropped !== undefined && !isCut && { dropped }),
    warnings: isCut && !warnings.includes(CUT_WARNING) ? [...warnings, CUT_WARNING] : warnings,
  }
}

function withUrl(url: string, read: () => OfficeContent): OfficeContent {
  try {
    return read()
  } catch (error) {
    if (error instanceof TrawlError)
      throw new TrawlError(error.code, error.message, { url, cause: error.cause ?? error })
    throw error
  }
}

function describe(head: Element, metadata: OfficeMetadata): void {
  if (metadata.title !== undefined) append(head, makeElement('title', {}, [new Text(metadata.title)]))
  const facts: readonly (readonly [string, string, string | undefined])[] = [
    ['name', 'author', metadata.author],
    ['name', 'description', metadata.description],
    ['name', 'keywords', metadata.keywords],
    ['property', 'article:published_time', metadata.publishedTime],
    ['property', 'article:modified_time', metadata.modifiedTime],
  ]
  for (const [key, name, value] of facts)
    if (value !== undefined) append(head, makeElement('meta', { [key]: name, content: value }))
}

/**
 * Maximum number of characters of text and attributes in a document, about four times those of a long novel. A document
 * may be larger than its file, because the file can refer to one text or URL many times.
 */
const MAX_CHARACTERS = 12_000_000

/** Truncates a document after `maxNodes` nodes or `MAX_CHARACTERS` characters. @returns true if anything was removed */
function truncateDocument(document: Document, maxNodes: number): boolean {
  let count = 0
  let characters = 0
  let last: ChildNode | undefined
  walk(document, (node) => {
    count += 1
    characters += lengthOf(node)
    if (count < maxNodes && characters < MAX_CHARACTERS) return true
    last = node
    return 'stop'
  })
  if (last === undefined) return false
  const isShortened = truncateNode(last, characters - MAX_CHARACTERS)
  return removeAfter(last) || isShortened
}

function lengthOf(node: ChildNode): number {
  if (isText(node)) return node.data.length
  if (!isElement(node)) return 0
  let length = 0
  for (const value of Object.values(node.attribs)) length += value.length
  return length
}

/** Removes the children of a node, and its characters beyond the limit. @returns true if anything was removed */
function truncateNode(node: ChildNode, excess: number): boolean {
  if (isText(node)) {
    if (excess <= 0) return false
    node.data = node.data.slice(0, node.data.length - excess)
    return true
  }
  if (!isElement(node)) return false
  const isDropped = node.children.length > 0 || excess > 0
  node.children = []
  if (excess > 0) node.attribs = {}
  return isDropped
}

/** Removes all nodes after a node. @returns true if there were any */
function removeAfter(last: ChildNode): boolean {
  let isCut = false
  for (let at: ChildNode = last; at.parent !== null;) {
    const { parent } = at
    isCut ||= at.next !== null
    at.next = null
    parent.children.length = parent.children.indexOf(at) + 1
    if (!(parent instanceof Element)) break
    at = parent
  }
  return isCut
}
