import { TrawlError } from '../errors.js'
import type { PagePicture } from '../ocr/ocr.js'
import type { ChildNode } from '../tree.js'
import { yieldTurn } from '../yield-turn.js'
import type { Block, Heading, Note } from './block.js'
import { findBlocks } from './find-blocks.js'
import { rankHeadings, titlesOf } from './find-headings.js'
import { BlockJoiner } from './join-blocks.js'
import { loadPdf, type OpenPdf, type PdfPage } from './load-pdf.js'
import type { OutlineEntry, PageText } from './page-text.js'
import { PagesRead } from './pages-read.js'
import { type PagePart, PageParts } from './part-pages.js'
import { type FileMetadata, readMetadata, readOutline } from './read-metadata.js'
import { Fonts } from './read-fonts.js'
import { readLinks } from './read-links.js'
import { readPage } from './read-page.js'
import { readPicture } from './read-picture.js'
import { layOutScan } from './read-scan.js'
import { writeTree } from './write-tree.js'

/** How a file is read. */
export interface ReadPdfPlan {
  /** Pages read, from the first. */
  readonly maxPages?: number
  /** Whether it is marked where each page begins: with a paragraph `— Page 1 —`, whose `id` is `page-1`, and so on; no paragraph goes on over it. */
  readonly pageMarkers?: boolean
  /** Whether pictures of pages are read: those without text, none, or all. @default 'auto' */
  readonly mode?: 'fast' | 'auto' | 'ocr'
  /** Whether each page is given by itself as well. @default false */
  readonly parts?: boolean
  /** Reads the text in a picture; absent where nobody can. */
  readonly readText?: (picture: PagePicture) => Promise<string>
}

/** What a PDF file says. */
export interface ReadPdf {
  /** Its text as elements: headings, paragraphs, lists, tables, code, footnotes. */
  readonly content: readonly ChildNode[]
  /** Each page by itself, where that was asked for. */
  readonly parts?: readonly PagePart[]
  readonly metadata: FileMetadata
  readonly numPages: number
  readonly totalPages: number
  readonly warnings: readonly string[]
}

/** A file of more lines is read up to them. */
const MOST_LINES = 2_000_000

/**
 * Reads the text layer of a PDF file.
 *
 * @throws TrawlError `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_BROKEN`, `SCRAPE_PDF_OCR_REQUIRED`
 */
export async function readPdf(body: Uint8Array, url: string, plan: ReadPdfPlan): Promise<ReadPdf> {
  const { pages, outline, metadata, totalPages, warnings } = await readFile(body, url, plan)
  const numPages = pages.count
  const { blocks, notes, parts } = await arrange(pages, titlesOf(outline), plan)
  return { content: writeTree(blocks, notes), ...(parts && { parts }), metadata, numPages, totalPages, warnings }
}

/** All that is wanted of a file, so that what the library holds of it is gone before anything is made of it. */
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
      throw needsOcr('`ocr` was asked for, and nothing that reads pictures is configured.', url)
    const { pages, pictures, warnings } = await readPages(opened, plan)
    const totalPages = opened.file.numPages
    if (opened.isRepaired)
      warnings.push(`The PDF file is damaged or cut off: ${count(totalPages, 'page')} of it were found.`)
    if (pages.count === 0)
      throw new TrawlError('SCRAPE_FILE_BROKEN', `None of the ${totalPages} pages of the PDF file can be read.`, {
        url,
      })
    if (pictures > pages.count / 2)
      throw needsOcr(`${pictures} of ${count(pages.count, 'page')} of the PDF file are pictures without text.`, url)
    if (pictures > 0)
      warnings.push(
        `${count(pictures, 'page')} of the PDF file ${pictures === 1 ? 'is a picture' : 'are pictures'} without text.`,
      )
    const [outline, metadata] = [await readOutline(opened.file), await readMetadata(opened.file)]
    return { pages, outline, metadata, totalPages, warnings }
  } finally {
    await opened.close()
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const needsOcr = (message: string, url: string): TrawlError =>
  new TrawlError('SCRAPE_PDF_OCR_REQUIRED', message, { url })

/** Pages after which the file is opened anew: the library keeps some 40 KB for each, whatever is given back. */
const PAGES_AT_ONCE = 300

/** Reads pages one after another: what the library holds of one goes before the next. */
async function readPages(
  opened: OpenPdf,
  plan: ReadPdfPlan,
): Promise<{ pages: PagesRead; pictures: number; warnings: string[] }> {
  const total = opened.file.numPages
  const last = Math.min(total, plan.maxPages ?? Infinity)
  let fonts = new Fonts()
  let links: Awaited<ReturnType<typeof readLinks>> = new Map()
  const pages = new PagesRead()
  const broken: number[] = []
  const warnings: string[] = []
  let [pictures, scans] = [0, 0]
  for (let number = 1; number <= last; number++) {
    if (pages.lines > MOST_LINES) {
      warnings.push(`The PDF file is very long: ${number - 1} of ${total} pages were read.`)
      break
    }
    if ((number - 1) % PAGES_AT_ONCE === 0) {
      if (number > 1) await opened.renew()
      fonts = new Fonts()
      links = await readLinks(opened.file, number - 1, Math.min(number - 1 + PAGES_AT_ONCE, last))
    }
    try {
      const page = await opened.file.getPage(number)
      const layer = await readPage(page, number - 1, opened, fonts, links.get(number - 1) ?? [])
      const scan = layer.isPicture || plan.mode === 'ocr' ? await readScan(page, layer.text, opened, plan) : undefined
      page.cleanup()
      pages.add(scan ?? layer.text)
      if (scan !== undefined) scans += 1
      else if (layer.isPicture) pictures += 1
    } catch {
      broken.push(number)
    }
    await yieldTurn()
  }
  if (scans > 0) warnings.push(`The text of ${count(scans, 'page')} of the PDF file was read from pictures.`)
  if (broken.length > 0 && pages.count > 0) warnings.push(describeBroken(broken))
  return { pages, pictures, warnings }
}

/** The text of a page's picture, as the page's text; undefined where nobody can read it. */
async function readScan(
  page: PdfPage,
  text: PageText,
  opened: OpenPdf,
  { mode, readText }: ReadPdfPlan,
): Promise<PageText | undefined> {
  if (readText === undefined || mode === 'fast') return undefined
  const picture = await readPicture(page, opened)
  const read = picture && (await readText(picture).catch(() => ''))
  return read === undefined || read.trim() === '' ? undefined : layOutScan(read, text)
}

function describeBroken(numbers: readonly number[]): string {
  const named = numbers.slice(0, 10).join(', ')
  return `${count(numbers.length, 'page')} of the PDF file could not be read: ${named}${numbers.length > 10 ? ', …' : ''}.`
}

/** The blocks of all pages, which it takes away, with the pages' heads and feet gone and what pages parted put together. */
async function arrange(
  pages: PagesRead,
  titles: ReadonlyMap<string, number>,
  { pageMarkers = false, parts = false }: ReadPdfPlan,
): Promise<{ blocks: readonly Block[]; notes: readonly Note[]; parts?: readonly PagePart[] }> {
  const { usual, running } = pages.measure()
  const joiner = new BlockJoiner(usual.words)
  const apart = parts ? new PageParts(usual.words) : undefined
  for (const page of pages.take()) {
    const left = running.get(page.index)
    let at = 0
    const regions = page.regions.map((region) => {
      const lines = region.lines.filter(() => left?.has(at++) !== true)
      return { ...region, lines: usual.isMono ? lines.map((line) => ({ ...line, isMono: false })) : lines }
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
  return { blocks, notes, ...(apart && { parts: apart.write(titles) }) }
}
