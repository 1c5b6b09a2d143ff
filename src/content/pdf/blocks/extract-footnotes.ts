import type { Note } from '../block.js'
import { joinSpans, spansOf } from './join-spans.js'
import type { TypicalText } from '../layout/measure-text.js'
import type { Line, PdfPageText, TextRegion } from '../page-text.js'
import { placeBlock } from './place-block.js'

const MARK = /^(\d{1,3}|[*\u2020\u2021\u00a7]{1,3}|[a-z](?=\s))[.)]?\s*/

/** Matches a footnote whose marker is as large as its text: a number, then a word. */
const NOTE = /^\d{1,3}[.)]?\s{1,20}\S{0,3}\p{L}{2}/u

/**
 * Separates the footnotes from a page: smaller lines at the end of a column, of which the first begins with a marker.
 */
export function extractFootnotes(
  page: PdfPageText,
  usual: TypicalText,
): { notes: Note[]; regions: readonly TextRegion[] } {
  const notes: Note[] = []
  const superscripts = listSuperscripts(page)
  const regions = page.regions.map((region) => {
    const from = findStart(region, usual, page.height, superscripts)
    if (from === undefined) return region
    notes.push(...readNotes(region.lines.slice(from), page.index, usual, superscripts))
    return { ...region, lines: region.lines.slice(0, from) }
  })
  return { notes, regions }
}

/** Lists the superscripts of a page, each of which may refer to a footnote. */
function listSuperscripts({ regions }: PdfPageText): ReadonlySet<string> {
  const superscripts = new Set<string>()
  for (const { lines } of regions)
    for (const { runs } of lines) for (const run of runs) if (run.isRaised === true) superscripts.add(run.text.trim())
  return superscripts
}

function findStart(
  { lines }: TextRegion,
  usual: TypicalText,
  height: number,
  superscripts: ReadonlySet<string>,
): number | undefined {
  let from = lines.length
  while (from > 0 && isSmall(lines[from - 1], usual)) from--
  // Small text above the first marker is not a footnote.
  while (from < lines.length && !isMarked(lines[from], superscripts)) from++
  const first = lines[from]
  return first === undefined || first.y < 0.4 * height || from === 0 ? undefined : from
}

const isSmall = (line: Line | undefined, { size }: TypicalText): boolean =>
  line !== undefined && line.row === undefined && line.size <= 0.92 * size && line.size > 0.5 * size && !line.isMono

/** Tests if a line begins with a footnote marker: raised, smaller than the note, or referred to by the page. */
function isMarked(line: Line | undefined, superscripts: ReadonlySet<string>): boolean {
  const [mark, text] = line?.runs ?? []
  if (mark === undefined || line === undefined || !MARK.test(line.text)) return false
  return (
    mark.isRaised === true ||
    (text !== undefined && mark.size < 0.85 * text.size) ||
    /^[*\u2020\u2021]/.test(line.text) ||
    (superscripts.has(mark.text.trim()) && line.segments.length <= 2 && NOTE.test(line.text))
  )
}

function readNotes(
  lines: readonly Line[],
  page: number,
  { words }: TypicalText,
  superscripts: ReadonlySet<string>,
): Note[] {
  const notes: Note[] = []
  for (const line of lines) {
    const last = notes.at(-1)
    if (last !== undefined && !isMarked(line, superscripts)) {
      joinSpans(last.spans, spansOf(line.runs), words)
      placeBlock(last, [line])
      continue
    }
    const length = MARK.exec(line.text)?.[0].length ?? 0
    let left = length
    const spans = spansOf(line.runs)
      .map((span) => {
        const cut = Math.min(left, span.text.length)
        left -= cut
        return { ...span, text: span.text.slice(cut) }
      })
      .filter(({ text }) => text !== '')
    const note: Note = { kind: 'note', label: MARK.exec(line.text)?.[1] ?? '', spans, page }
    placeBlock(note, [line])
    notes.push(note)
  }
  return notes
}
