import { findOfficeKind, type OfficeKind } from '../../office/package/find-kind.js'
import type { OfficeContent, OfficeMetadata } from '../../office/elements/create-element.js'
import { CUT_WARNING } from '../../office/warnings.js'
import { TrawlError } from '../../../base/errors.js'
import {
  type ChildNode,
  type Document,
  type Element,
  Text,
  append,
  findElement,
  isElement,
  isText,
  walk,
} from '../../html/tree.js'
import { shortenTree } from '../../html/shorten-tree.js'
import { CharacterBudget, type DocumentLimits, limitDocument, limitWarning } from '../../html/document-limits.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import type { FileParser, ParserInput, ParsedPage, ParsePlan } from '../parser.js'

/** Reader of one kind of office file. */
type OfficeReader = (body: Uint8Array, plan: ParsePlan) => OfficeContent

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
  const { content, metadata, warnings, dropped, sourceBytes = body.length } = withUrl(url, () => read(body, plan))
  const document = wrapInPage(content)
  const html = findElement(document, ({ name }) => name === 'html')
  const head = findElement(document, ({ name }) => name === 'head')
  if (metadata.language !== undefined && html !== undefined) html.attribs['lang'] = metadata.language
  if (head !== undefined) describe(head, metadata)
  const limits = limitDocument(sourceBytes, plan.maxDocumentLength)
  const { isCut, warnings: lost } = truncateDocument(document, plan.maxNodes, limits)
  const all = [...warnings, ...lost]
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
    sourceBytes,
    dropped: isCut ? undefined : dropped,
    warnings: isCut && !warnings.includes(CUT_WARNING) ? [...all, CUT_WARNING] : all,
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
 * Maximum number of characters of text in a document, and of attributes, about four times those of a long novel. A document
 * may be larger than its file, because the file can refer to one text or URL many times.
 */
const MAX_CHARACTERS = 12_000_000

/** Parts of a document that were left out, as it is too large. */
interface Truncation {
  /** True if the end was removed. */
  readonly isCut: boolean
  /** The warning about attributes that were left out; none for none. */
  readonly warnings: readonly string[]
}

/** Truncates a document after a number of nodes and characters of text, and its attributes as {@link limitAttributes} does. */
function truncateDocument(document: Document, maxNodes: number, limits: DocumentLimits): Truncation {
  const warnings = limitAttributes(document, limits)
  let count = 0
  // Text as long as all that is left stands for the node that is one too many.
  const lengthOf = (node: ChildNode): number =>
    (count += 1) >= maxNodes ? Infinity : isText(node) ? node.data.length : 0
  return { isCut: shortenTree(document, lengthOf, MAX_CHARACTERS), warnings }
}

/**
 * Leaves out the attributes of the last elements of a file: it may name one long address thousands of times.
 *
 * @returns the warning about them; none for none
 */
export function limitAttributes(document: Document, { part }: DocumentLimits): readonly string[] {
  const attributes = new CharacterBudget(Math.min(MAX_CHARACTERS, part / 2))
  walk(document, (node) => {
    if (isElement(node) && !attributes.take(attributesOf(node))) node.attribs = {}
  })
  const { leftOut } = attributes
  return leftOut === 0 ? [] : [limitWarning(leftOut, 'elements of the file are without their addresses', part)]
}

function attributesOf({ attribs }: Element): number {
  let length = 0
  for (const name in attribs) length += attribs[name]?.length ?? 0
  return length
}
