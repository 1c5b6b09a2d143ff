import type { ReadPdf } from '../../pdf/read-pdf.js'
import {
  type Document,
  type Element,
  Text,
  append,
  collapse,
  findElement,
  isText,
  textOf,
  walk,
} from '../../html/tree.js'
import { limitDocument } from '../../html/document-limits.js'
import { limitAttributes } from '../pages/office-page.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import type { FileParser } from '../parser.js'

/**
 * Reads PDF files, by their text layer or by OCR. Headings, paragraphs, lists, tables, code and footnotes become
 * elements.
 *
 * @see docs/compatibility/documents.md#files
 */
export const pdf: FileParser = {
  name: 'pdf',
  accepts: (mediaType) => mediaType === 'application/pdf' || mediaType === 'application/x-pdf',
  async parseFile(
    { url, body },
    { pdf: { mode, maxPages, pageMarkers, pages, blocks } = {}, maxDocumentLength, keepsHidden },
    { readText, takeTurn } = {},
  ) {
    // Loaded on first use, as threads that read web pages do not need it.
    const { readPdf } = await import('../../pdf/read-pdf.js')
    const read = await readPdf(body, url, {
      mode,
      readText,
      takeTurn,
      maxPages,
      keepsHidden,
      pageMarkers,
      parts: pages === true || blocks === true,
    })
    const { numPages, totalPages, warnings, parts, dropped } = read
    const document = wrapInPage(read.content, [makeElement('title', {}, [new Text(titleOf(read))])])
    const head = findElement(document, ({ name }) => name === 'head')
    const html = findElement(document, ({ name }) => name === 'html')
    if (head) for (const meta of metaOf(read)) append(head, meta)
    if (html && read.metadata.language !== undefined) html.attribs['lang'] = read.metadata.language
    // The text of a file is compressed in it, and it may name one address any number of times.
    const sourceBytes = Math.max(body.length, countCharacters(document))
    const lost = limitAttributes(document, limitDocument(sourceBytes, maxDocumentLength))
    const tree = loadTree(document)
    return {
      url,
      baseUrl: url,
      tree,
      // Computed on demand, because it is as large as the page.
      get text() {
        return tree.$.html()
      },
      isFile: true,
      sourceBytes,
      facts: { numPages, totalPages },
      parts,
      warnings: [...warnings, ...lost],
      dropped,
    }
  },
}

function countCharacters(document: Document): number {
  let count = 0
  walk(document, (node) => {
    if (isText(node)) count += node.data.length
  })
  return count
}

function titleOf({ metadata, content }: ReadPdf): string {
  if (metadata.title !== undefined) return metadata.title
  const heading = content.find((node): node is Element => 'name' in node && node.name === 'h1')
  return heading === undefined ? '' : collapse(textOf(heading))
}

function metaOf({ metadata }: ReadPdf): Element[] {
  const named = {
    author: metadata.author,
    description: metadata.description,
    keywords: metadata.keywords,
    'article:published_time': metadata.publishedTime,
    'article:modified_time': metadata.modifiedTime,
  }
  return Object.entries(named).flatMap(([name, content]) =>
    content === undefined ? [] : makeElement('meta', { name, content }),
  )
}
