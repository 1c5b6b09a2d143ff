import type { PdfFile } from '../library/load-pdf.js'
import type { Run } from '../page-text.js'
import { multiply } from './read-runs.js'

/** Link to a URL, with the rectangle that it covers on the page. */
interface PageLink {
  readonly href: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Link as returned by the library, in the file's coordinates. */
export interface RawLink {
  readonly href: string
  readonly rect: readonly number[]
}

/** Form field with its value, or text that a reader wrote on the page, in the file's coordinates. */
export interface RawField {
  readonly lines: readonly string[]
  readonly rect: readonly number[]
}

/** Maximum number of links, form fields and such texts of a file. */
const MAX_MARKS = 200_000

/** Annotation types of the library: link, text on the page, form field. */
const [LINK, FREE_TEXT, FIELD] = [2, 3, 20]
/** Flags of annotations that are not displayed. @see ISO 32000-1 section 12.5.3 */
const HIDDEN = 0x02 | 0x20

/**
 * Reads the external links, the form fields and the texts that readers wrote on a range of pages, by page index. Links inside
 * the file are left out. All pages are read at once, as the library would parse the text of each page again.
 */
export async function readLinks(
  file: PdfFile,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, readonly (RawLink | RawField)[]>> {
  const others = new Set(
    Array.from({ length: file.numPages }, (_, index) => index).filter((at) => at < from || at >= to),
  )
  const found =
    (await file.getAnnotationsByType(new Set([LINK, FREE_TEXT, FIELD]), others).catch(() => undefined)) ?? []
  const byPage = new Map<number, (RawLink | RawField)[]>()
  for (const mark of found.slice(0, MAX_MARKS)) {
    const { rect, pageIndex, annotationType } = mark
    if (!Array.isArray(rect) || typeof pageIndex !== 'number') continue
    const read = annotationType === LINK ? readLink(mark) : isHidden(mark) ? undefined : readText(mark)
    if (read === undefined) continue
    const marks = byPage.get(pageIndex) ?? []
    byPage.set(pageIndex, marks)
    marks.push({ ...read, rect: rect.map(Number) })
  }
  return byPage
}

type Mark = Readonly<Record<string, unknown>>

interface FieldLines {
  readonly lines: readonly string[]
}

function readLink({ url, unsafeUrl }: Mark): { href: string } | undefined {
  const href = typeof url === 'string' ? url : unsafeUrl
  return typeof href === 'string' ? { href } : undefined
}

const isHidden = ({ annotationFlags }: Mark): boolean =>
  typeof annotationFlags === 'number' && (annotationFlags & HIDDEN) !== 0

/** Reads a text that forms are also filled in with: that of the tool that writes anywhere on a page. */
function readText(mark: Mark): FieldLines | undefined {
  if (mark['annotationType'] === FIELD) return readField(mark)
  const { str } = (mark['contentsObj'] ?? {}) as Mark
  return typeof str === 'string' ? toLines([str]) : undefined
}

/** Reads the value of a field; undefined if it is empty or a password. */
function readField({
  fieldValue,
  password,
  checkBox,
  radioButton,
  buttonValue,
  exportValue,
  options,
}: Mark): FieldLines | undefined {
  if (password === true) return undefined
  const own = checkBox === true ? exportValue : buttonValue
  if (checkBox === true || radioButton === true) return { lines: [fieldValue === own ? '\u2612' : '\u2610'] }
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value) => typeof value === 'string')
  return toLines(values.map((value) => nameOf(value, options)))
}

function toLines(texts: readonly string[]): FieldLines | undefined {
  const lines = texts.flatMap((text) => text.split(/\r\n?|\n/)).filter((line) => line.trim() !== '')
  return lines.length === 0 ? undefined : { lines }
}

/** Returns the displayed text of an option. */
function nameOf(value: string, options: unknown): string {
  const list = Array.isArray(options) ? (options as readonly Mark[]) : []
  const shown = list.find(({ exportValue }) => exportValue === value)?.['displayValue']
  return typeof shown === 'string' ? shown : value
}

/** Converts links to coordinates of the upright page. */
export const placeLinks = (links: readonly RawLink[], view: readonly number[]): PageLink[] =>
  links.map(({ href, rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }) => {
    const [, , , , a, b] = multiply(view, [1, 0, 0, 1, x0, y0])
    const [, , , , c, d] = multiply(view, [1, 0, 0, 1, x1, y1])
    return { href, left: Math.min(a, c), right: Math.max(a, c), top: Math.min(b, d), bottom: Math.max(b, d) }
  })

/** Assigns links to the runs that they cover. A run that is partly covered is split between words. */
export function linkRuns(runs: readonly Run[], links: readonly PageLink[]): Run[] {
  if (links.length === 0) return [...runs]
  return runs.flatMap((run) => {
    const middle = run.y - 0.3 * run.size
    const over = links
      .filter(
        ({ top, bottom, left, right }) =>
          top < middle && bottom > middle && left < run.right - 0.5 && right > run.left + 0.5,
      )
      .sort((a, b) => a.left - b.left)
    return over.length === 0 ? run : cutRun(run, over)
  })
}

function cutRun(run: Run, links: readonly PageLink[]): Run[] {
  const width = (run.right - run.left) / Math.max(1, run.text.length)
  const pieces: Run[] = []
  let from = 0
  const take = (to: number, href: string | undefined): void => {
    if (to <= from) return
    const text = run.text.slice(from, to)
    const piece = { ...run, text, left: run.left + from * width, right: run.left + to * width }
    if (text.trim() !== '') pieces.push(href === undefined ? piece : { ...piece, href })
    from = to
  }
  for (const { left, right, href } of links) {
    const start = run.isRtl ? 0 : snap(run.text, (left - run.left) / width)
    const end = run.isRtl ? run.text.length : snap(run.text, (right - run.left) / width)
    take(start, undefined)
    take(Math.max(end, from), href)
  }
  take(run.text.length, undefined)
  return pieces
}

/** Returns the nearest word boundary, as positions inside a run are estimates. */
function snap(text: string, place: number): number {
  const at = Math.max(0, Math.min(text.length, Math.round(place)))
  const isBorder = (index: number): boolean =>
    index <= 0 || index >= text.length || /\s/.test(text[index] ?? '') !== /\s/.test(text[index - 1] ?? '')
  for (let step = 0; step <= 8; step++) {
    for (const index of [at - step, at + step]) if (index >= 0 && index <= text.length && isBorder(index)) return index
  }
  return at
}
