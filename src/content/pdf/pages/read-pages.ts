import { messageOf } from '../../../base/errors.js'
import type { OpenPdf } from '../library/load-pdf.js'
import type { PdfPageText, Line, Run } from '../page-text.js'
import { LaterPages } from './later-pages.js'
import { PagesRead } from './pages-read.js'
import { Fonts } from '../objects/read-fonts.js'
import { readLayers } from '../objects/hidden-layers.js'
import { readLinks } from '../objects/read-links.js'
import { readProducer } from '../objects/read-metadata.js'
import { countAndName, countPages, PageLosses } from './page-losses.js'
import { readPage } from './read-page.js'
import { readImage } from '../objects/read-image.js'
import { yieldTurn } from '../../../base/concurrency/yield-turn.js'
import type { PagePicture } from '../../ocr/ocr.js'

/** Pages of a file that were read. */
interface PagesFound {
  readonly pages: PagesRead
  /** Number of scanned pages whose text was not read. */
  readonly pictures: number
  /** Number of pages of which no text is known, because their fonts do not say which characters they show. */
  readonly unmapped: number
  /** Reason why OCR failed on the first of these pages. */
  readonly fault?: string
  readonly warnings: string[]
}

/** Maximum number of lines; longer files are read up to it. */
const MAX_LINES = 2_000_000

/**
 * Number of pages after which the file is closed and reopened, because the library keeps some 40 KB of memory for each
 * page.
 */
const PAGES_PER_OPENING = 300

/** Reads pages one after another, and releases each before the next. */
export async function readPages(opened: OpenPdf, plan: ReadPdfPlan): Promise<PagesFound> {
  const total = opened.file.numPages
  const last = Math.min(total, plan.maxPages ?? Infinity)
  const drawsBullets = (await readProducer(opened.file)).startsWith('Skia/PDF')
  const layers = await readLayers(opened.file)
  const takeTurn = plan.takeTurn ?? yieldTurn
  let fonts = new Fonts()
  let later = new LaterPages(opened, 0, takeTurn)
  let links: Awaited<ReturnType<typeof readLinks>> = new Map()
  const pages = new PagesRead()
  const broken: number[] = []
  const cut: number[] = []
  const losses = new PageLosses()
  const warnings: string[] = []
  let [pictures, scans, emptied] = [0, 0, 0]
  let fault: string | undefined
  for (let number = 1; number <= last; number++) {
    if (pages.lines > MAX_LINES) {
      warnings.push(`The PDF file is very long: ${number - 1} of ${total} pages were read.`)
      break
    }
    if ((number - 1) % PAGES_PER_OPENING === 0) {
      if (number > 1) await opened.renew()
      fonts = new Fonts()
      const end = Math.min(number - 1 + PAGES_PER_OPENING, last)
      later = new LaterPages(opened, end, takeTurn)
      links = await readLinks(opened.file, number - 1, end)
    }
    const endedBefore = opened.endedStreams() - later.endedStreams
    try {
      const page = await opened.file.getPage(number)
      const layer = await readPage(page, {
        index: number - 1,
        opened,
        drawsBullets,
        fonts,
        layers,
        later,
        keepsHidden: plan.keepsHidden === true,
        marks: links.get(number - 1) ?? [],
      })
      const scan = layer.isPicture || plan.mode === 'ocr' ? await readScan(number, layer.text, opened, plan) : {}
      page.cleanup()
      pages.add(scan.text ?? layer.text)
      fault ??= scan.fault
      if (scan.text !== undefined) scans += 1
      else if (layer.isPicture) pictures += 1
      else if (layer.unmapped === 'all text') emptied += 1
      losses.add(number, layer, scan.text !== undefined)
    } catch {
      broken.push(number)
    }
    if (opened.endedStreams() - later.endedStreams > endedBefore) cut.push(number)
    await takeTurn()
  }
  if (scans > 0) warnings.push(`The text of ${countPages(scans)} of the PDF file was read from pictures.`)
  if (broken.length > 0 && pages.count > 0) warnings.push(describeBroken(broken))
  if (cut.length > 0)
    warnings.push(
      `${countAndName(cut)} ${cut.length === 1 ? 'has' : 'have'} too much on ${cut.length === 1 ? 'it' : 'them'}, and ${cut.length === 1 ? 'was' : 'were'} read in part.`,
    )
  warnings.push(...losses.describe())
  return { pages, pictures, unmapped: emptied, warnings, fault }
}

/** Reads the text of a scanned page by OCR. Returns nothing if there is no OCR, and the reason if OCR fails. */
async function readScan(
  number: number,
  layer: PdfPageText,
  opened: OpenPdf,
  { mode, readText }: ReadPdfPlan,
): Promise<{ readonly text?: PdfPageText; readonly fault?: string }> {
  if (readText === undefined || mode === 'fast') return {}
  try {
    const page = await (await opened.withPictures()).getPage(number)
    const picture = await readImage(page, opened)
    page.cleanup()
    if (picture === undefined) return {}
    const read = await readText(picture)
    return read.trim() === '' ? {} : { text: layOutScan(read, layer) }
  } catch (error) {
    return { fault: messageOf(error) }
  }
}

const describeBroken = (numbers: readonly number[]): string => `${countAndName(numbers)} could not be read.`

/**
 * Creates a page from OCR text, with one line below the other and space between paragraphs. OCR returns no positions.
 */
function layOutScan(text: string, page: PdfPageText): PdfPageText {
  const lines: Line[] = []
  let y = SIZE
  for (const line of text.split(/\r?\n|\f/)) {
    y += LEADING
    if (line.trim() !== '') lines.push(layOutLine(line, y))
  }
  const right = Math.max(0, ...lines.map((line) => line.right))
  return { ...page, regions: [{ lines, left: 0, right }], rules: [], isScan: true }
}

const SIZE = 10
const LEADING = 12

function layOutLine(text: string, y: number): Line {
  const shown = text.trim()
  const left = (text.length - text.trimStart().length) * (SIZE / 2)
  const place = { left, right: left + shown.length * (SIZE / 2), y, size: SIZE }
  const face = { isBold: false, isItalic: false, isMono: false }
  const run: Run = { ...face, ...place, text: shown, isRtl: false, order: 0, isSpaced: false, isUnplaced: true }
  return { ...face, ...place, segments: [{ ...place, runs: [run], order: 0 }], runs: [run], text: shown }
}

/** Options of reading a PDF file. */
export interface ReadPdfPlan {
  /** Maximum number of pages, from the first. */
  readonly maxPages?: number
  /**
   * Marks the start of each page with a paragraph `— Page 1 —` whose `id` is `page-1`; no paragraph continues across
   * it.
   *
   * @default false
   */
  readonly pageMarkers?: boolean
  /** Pages for OCR: those without text (`auto`), none (`fast`), or all (`ocr`). @default 'auto' */
  readonly mode?: 'fast' | 'auto' | 'ocr'
  /** Returns each page separately as well. @default false */
  readonly parts?: boolean
  /** Keeps text that no reader sees. @default false */
  readonly keepsHidden?: boolean
  /** Reads the text of an image; absent without OCR. */
  readonly readText?: (picture: PagePicture) => Promise<string>
  /** Called after each page; throws to stop reading. */
  readonly takeTurn?: () => Promise<void>
}
