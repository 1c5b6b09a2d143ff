import { findColumns } from './find-columns.js'
import { findLines } from './find-lines.js'
import { findSegments } from './find-segments.js'
import { needsRules } from './find-tables.js'
import { type Fonts } from './read-fonts.js'
import { linkRuns, placeLinks, type RawLink } from './read-links.js'
import { readRules } from './read-rules.js'
import { readRuns } from './read-runs.js'
import type { OpenPdf, PdfPage } from './load-pdf.js'
import type { PageText, Run } from './page-text.js'

/** A page, and what was seen on it beside text. */
export interface ReadPage {
  readonly text: PageText
  /** Whether it is a picture without text, as a scanner makes it. */
  readonly isPicture: boolean
}

/** Characters below which a page with a picture has no text worth the name. */
const FEWEST_CHARACTERS = 10

/** Reads one page: its text in the order of reading, and where it needs them the lines that are drawn. */
export async function readPage(
  page: PdfPage,
  index: number,
  { operations }: OpenPdf,
  fonts: Fonts,
  links: readonly RawLink[],
): Promise<ReadPage> {
  const view = page.getViewport({ scale: 1 })
  const content = await page.getTextContent({ includeMarkedContent: false })
  await fonts.learn(page, content)
  const { upright, turned } = readRuns(content, view.transform, fonts)
  const placed = placeLinks(links, view.transform)
  const regionsOf = (runs: readonly Run[]): PageText['regions'] =>
    findColumns(findSegments(linkRuns(runs, placed)))
      .map(findLines)
      .filter(({ lines }) => lines.length > 0)
  const regions = [regionsOf(upright), ...turned.map(regionsOf)].flat()
  const lines = regions.flatMap((region) => region.lines)
  const isEmpty = lines.reduce((sum, { text }) => sum + text.length, 0) < FEWEST_CHARACTERS
  const drawn =
    isEmpty || regions.some((region) => needsRules(region.lines))
      ? await readRules(page, view.transform, operations)
      : undefined
  return {
    text: { index, width: view.width, height: view.height, regions, rules: drawn?.rules ?? [] },
    isPicture: isEmpty && drawn?.hasPicture === true,
  }
}
