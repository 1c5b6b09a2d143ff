import { TrawlError } from '../../base/errors.js'
import type { ChildNode } from '../html/tree.js'
import { yieldTurn } from '../../base/concurrency/yield-turn.js'
import type { PdfBlock, Heading, Note } from './block.js'
import { DroppedLines, type DroppedText } from '../../base/text/dropped-lines.js'
import { findBlocks } from './blocks/find-blocks.js'
import { dropMono } from './blocks/mono-lines.js'
import { rankHeadings, titlesOf } from './blocks/find-headings.js'
import { BlockJoiner } from './blocks/join-blocks.js'
import { loadPdf } from './library/load-pdf.js'
import type { OutlineEntry } from './page-text.js'
import type { PagesRead } from './pages/pages-read.js'
import { type PdfPart, PdfParts } from './output/part-pages.js'
import { type FileMetadata, readMetadata, readOutline } from './objects/read-metadata.js'
import { countPages } from './pages/page-losses.js'
import { readPages, type ReadPdfPlan } from './pages/read-pages.js'
import { writeTree } from './output/write-tree.js'

/** Content of a PDF file. */
export interface ReadPdf {
  /** Text as elements: headings, paragraphs, lists, tables, code, footnotes. */
  readonly content: readonly ChildNode[]
  /** Each page separately, if requested. */
  readonly parts?: readonly PdfPart[]
  readonly metadata: FileMetadata
  readonly numPages: number
  readonly totalPages: number
  readonly warnings: readonly string[]
  /** Headers, footers and page numbers, which are not in the content. */
  readonly dropped: DroppedText
}

/**
 * Reads the text layer of a PDF file.
 *
 * @throws TrawlError `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_BROKEN`, `SCRAPE_PDF_OCR_REQUIRED`
 */
export async function readPdf(body: Uint8Array, url: string, plan: ReadPdfPlan): Promise<ReadPdf> {
  const { pages, outline, metadata, totalPages, warnings } = await readFile(body, url, plan)
  const numPages = pages.count
  const { blocks, notes, parts, dropped } = await arrange(pages, titlesOf(outline), plan)
  const content = writeTree(blocks, notes)
  return { content, parts, metadata, numPages, totalPages, warnings, dropped }
}

/** Text of a file as plain objects, so that the library can be closed before the text is processed. */
interface FileText {
  readonly pages: PagesRead
  readonly outline: readonly OutlineEntry[]
  readonly metadata: FileMetadata
  readonly totalPages: number
  readonly warnings: readonly string[]
}

async function readFile(body: Uint8Array, url: string, plan: ReadPdfPlan): Promise<FileText> {
  const opened = await loadPdf(body, url)
  try {
    if (plan.mode === 'ocr' && plan.readText === undefined)
      throw needsOcr('`mode: "ocr"` was requested, but the engine has no `ocr`.', url)
    const { pages, pictures, unmapped, fault, warnings } = await readPages(opened, plan)
    const totalPages = opened.file.numPages
    if (opened.isRepaired)
      warnings.push(`The PDF file is damaged or cut off: ${countPages(totalPages)} of it were found.`)
    if (opened.tooLong > 0)
      warnings.push(
        `${opened.tooLong} part${opened.tooLong === 1 ? '' : 's'} of the PDF file would be longer than 64 MiB unpacked, and ${opened.tooLong === 1 ? 'was' : 'were'} left out.`,
      )
    if (pages.count === 0)
      throw new TrawlError('SCRAPE_FILE_BROKEN', `None of the ${totalPages} pages of the PDF file can be read.`, {
        url,
      })
    if (pictures > pages.count / 2)
      throw needsOcr(
        `${pictures} of ${countPages(pages.count)} of the PDF file are pictures without text.${why(fault)}`,
        url,
      )
    if (unmapped > pages.count / 2)
      throw needsOcr(
        `${unmapped} of ${countPages(pages.count)} of the PDF file have text only in fonts that do not say which characters they show.`,
        url,
      )
    if (pictures > 0)
      warnings.push(
        `${countPages(pictures)} of the PDF file ${pictures === 1 ? 'is a picture' : 'are pictures'} without text.${why(fault)}`,
      )
    const [outline, metadata] = [await readOutline(opened.file), await readMetadata(opened.file)]
    return { pages, outline, metadata, totalPages, warnings }
  } finally {
    await opened.close()
  }
}

/** Describes why the text could not be read. */
const why = (fault: string | undefined): string =>
  fault === undefined ? '' : ` They could not be read: ${fault.replace(/\.$/, '')}.`

const needsOcr = (message: string, url: string): TrawlError =>
  new TrawlError('SCRAPE_PDF_OCR_REQUIRED', message, { url })

interface Arranged {
  readonly blocks: readonly PdfBlock[]
  readonly notes: readonly Note[]
  readonly parts?: readonly PdfPart[]
  readonly dropped: DroppedText
}

/** Converts the pages to blocks, without headers and footers, joined across pages. Each page is released. */
async function arrange(
  pages: PagesRead,
  titles: ReadonlyMap<string, number>,
  { pageMarkers = false, parts = false }: ReadPdfPlan,
): Promise<Arranged> {
  const { usual, running } = pages.measure()
  const joiner = new BlockJoiner(usual.words)
  const dropped = new DroppedLines()
  const apart = parts ? new PdfParts(usual.words) : undefined
  for (const page of pages.take()) {
    for (const { text, reason } of page.unseen ?? [])
      dropped.add({ selector: `#page-${page.index + 1}`, text, reason, isHidden: true })
    const reasons = running.get(page.index)
    let at = 0
    const regions = page.regions.map((region) => {
      const lines = region.lines.filter((line) => {
        const reason = reasons?.get(at++)
        if (reason !== undefined) dropped.add({ selector: `#page-${page.index + 1}`, text: line.text, reason })
        return reason === undefined
      })
      return { ...region, lines: usual.isMono ? lines.map(dropMono) : lines }
    })
    const blocks = findBlocks({ ...page, regions }, { usual, titles })
    apart?.add(page, blocks)
    joiner.add(blocks, pageMarkers ? { kind: 'page', page: page.index } : undefined)
    if (page.index % 20 === 0) await yieldTurn()
  }
  rankHeadings(
    joiner.blocks.filter((block): block is Heading => block.kind === 'heading'),
    titles,
  )
  const { blocks, notes } = joiner
  return { blocks, notes, parts: apart?.write(titles), dropped }
}
