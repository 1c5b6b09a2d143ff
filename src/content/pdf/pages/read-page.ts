import { fillGrids } from '../layout/fill-grids.js'
import { findColumns } from '../layout/find-columns.js'
import { findGrids } from '../layout/find-grids.js'
import { findLines } from '../layout/find-lines.js'
import { findSegments } from '../layout/find-segments.js'
import { dropHiddenText, type Layers } from '../objects/hidden-layers.js'
import { type Fonts } from '../objects/read-fonts.js'
import { linkRuns, placeLinks, type RawField, type RawLink } from '../objects/read-links.js'
import { placeBullets } from '../objects/place-bullets.js'
import { placeFields } from '../objects/place-fields.js'
import { readDrawing } from '../objects/read-drawing.js'
import { readRuns } from '../objects/read-runs.js'
import { UnseenText } from '../objects/unseen-text.js'
import { strikeRuns } from '../objects/strike-runs.js'
import type { OpenPdf, PdfPage } from '../library/load-pdf.js'
import type { LaterPages } from './later-pages.js'
import type { PdfPageText, TextRegion, RulingLine, Segment } from '../page-text.js'

/** Text of a page, with facts beside its text. */
export interface ReadPage {
  readonly text: PdfPageText
  /** True for a scan: an image without text. */
  readonly isPicture: boolean
  /** Amount of text that is left out, because it is in fonts that do not say which characters they show. */
  readonly unmapped: 'nothing' | 'some text' | 'all text'
  /** True if text in such fonts is kept that may be garbled. */
  readonly isDoubtful: boolean
  /** True if characters are missing or wrong because the file does not name them. */
  readonly isUnreadable: boolean
  /** Amount of text in layers that are switched off. */
  readonly hidden: 'nothing' | 'some text' | 'unknown'
}

/** Number of characters below which a page with an image counts as a scan. */
const MIN_CHARACTERS = 10

/** Minimum number of characters that say nothing, and their minimum share, for a warning: icons and bullets are few. */
const [MIN_UNREADABLE, MIN_UNREADABLE_SHARE] = [12, 0.02]
/** Share of such characters above which the text of a page is not known. */
const MAX_UNREADABLE = 0.5

/** Parts of the file that a page is read with. */
interface PdfPageContext {
  /** Index of the page, from 0. */
  readonly index: number
  readonly opened: OpenPdf
  /** True if the program that made the file draws bullets as shapes. */
  readonly drawsBullets: boolean
  readonly fonts: Fonts
  /** Layers of the file, if one is switched off. */
  readonly layers: Layers | undefined
  readonly later: LaterPages
  /** True to keep text that no reader sees. */
  readonly keepsHidden: boolean
  /** Links and form fields of the page. */
  readonly marks: readonly (RawLink | RawField)[]
}

/** Reads the text of a page in reading order, with its ruling lines. */
export async function readPage(
  page: PdfPage,
  { index, opened, drawsBullets, fonts, layers, later, keepsHidden, marks }: PdfPageContext,
): Promise<ReadPage> {
  const view = page.getViewport({ scale: 1 })
  const endedBefore = opened.endedStreams()
  const marked = await page.getTextContent({ includeMarkedContent: layers !== undefined })
  const isCut = opened.endedStreams() > endedBefore
  const unseen = keepsHidden ? undefined : new UnseenText(opened.operations, view, layers)
  const watch = unseen && ((...step: Parameters<UnseenText['step']>): void => unseen.step(...step))
  const drawn = isCut
    ? undefined
    : await readDrawing(page, view.transform, opened.operations, watch).catch(() => undefined)
  const shown =
    layers === undefined || isCut ? undefined : await dropHiddenText(marked, page, layers, opened.operations)
  const whole = shown?.content ?? marked
  if (!isCut) fonts.learn(page, whole.styles)
  await fonts.unmapped.sample(whole, index + 1, later.read)
  const mapped = fonts.unmapped.drop(whole)
  const { content, lines: unseenLines } =
    unseen === undefined || drawn === undefined
      ? { content: mapped, lines: [] }
      : unseen.drop(mapped, view.transform, drawn.pictures)
  const { upright, turned, unreadable } = readRuns(content, view.transform, fonts)
  const links = marks.flatMap((mark) => ('href' in mark ? mark : []))
  const fields = marks.flatMap((mark) => ('lines' in mark ? mark : []))
  const placed = placeLinks(links, view.transform)
  const struck = drawn === undefined ? { runs: upright, rules: [] } : strikeRuns(upright, drawn)
  const bulleted = placeBullets(linkRuns(struck.runs, placed), drawsBullets ? (drawn?.dots ?? []) : [])
  const linked = [...bulleted, ...placeFields(fields, view, content.items.length)]
  const aside = turned.flatMap((runs) => layOut(findSegments(linkRuns(runs, placed))))
  const plain = layOut(findSegments(linked))
  const count = [...plain, ...aside].reduce(
    (sum, { lines }) => lines.reduce((all, { text }) => all + text.length, sum),
    0,
  )
  const isMostlyUnreadable = unreadable >= MIN_UNREADABLE && unreadable > MAX_UNREADABLE * (count + unreadable)
  const isEmpty = count < MIN_CHARACTERS || isMostlyUnreadable
  const { rules } = struck
  const { rest, rows } = fillGrids(linked, findGrids(rules))
  const isOtherwise = rows.length > 0 || (rules.length > 0 && plain.length > 1)
  const regions = [...(isOtherwise ? layOut([...findSegments(rest), ...rows], rules) : plain), ...aside]
  return {
    text: {
      index,
      width: view.width,
      height: view.height,
      regions,
      rules,
      unseen: unseenLines.length > 0 ? unseenLines : undefined,
    },
    isPicture: isEmpty && drawn?.hasPicture === true,
    isUnreadable: unreadable >= MIN_UNREADABLE && unreadable > MIN_UNREADABLE_SHARE * count,
    isDoubtful: fonts.unmapped.isDoubtful(content),
    hidden: shown?.isLess === true ? 'some text' : shown?.isUnsure === true ? 'unknown' : 'nothing',
    unmapped: mapped === whole && !isMostlyUnreadable ? 'nothing' : isEmpty ? 'all text' : 'some text',
  }
}

const layOut = (segments: readonly Segment[], rules: readonly RulingLine[] = []): TextRegion[] =>
  findColumns(segments, rules)
    .map(findLines)
    .filter(({ lines }) => lines.length > 0)
