import type { PdfFile } from '../library/load-pdf.js'
import type { Run } from '../page-text.js'
import { multiply } from './read-runs.js'

/** A link to an address, and the part of the page that it covers. */
export interface PageLink {
  readonly href: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A link as the library gives it: where it stands in the file's own measure. */
export interface RawLink {
  readonly href: string
  readonly rect: readonly number[]
}

/** A field of a form with what is filled in, and where it stands in the file's own measure. */
export interface RawField {
  readonly lines: readonly string[]
  readonly rect: readonly number[]
}

/** Links and fields of a file that are read at most. */
const MAX_MARKS = 200_000

/** What the library calls links, and fields of forms. */
const [LINK, FIELD] = [2, 20]
/** That it is not shown. @see ISO 32000-1 section 12.5.3 */
const HIDDEN = 0x02 | 0x20

/**
/**
 * The links of a file to others and the fields of its forms, by page, from 0, of the pages from one to before another; links to
 * places in the same are left out. All at once: asked for those of one page, the library reads the page's text anew.
 */
export async function readLinks(
  file: PdfFile,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, readonly (RawLink | RawField)[]>> {
  const others = new Set(
    Array.from({ length: file.numPages }, (_, index) => index).filter((at) => at < from || at >= to),
  )
  const found = (await file.getAnnotationsByType(new Set([LINK, FIELD]), others).catch(() => undefined)) ?? []
  const byPage = new Map<number, (RawLink | RawField)[]>()
  for (const mark of found.slice(0, MAX_MARKS)) {
    const { rect, pageIndex, annotationType } = mark
    if (!Array.isArray(rect) || typeof pageIndex !== 'number') continue
    const read = annotationType === FIELD ? readField(mark) : readLink(mark)
    if (read === undefined) continue
    const marks = byPage.get(pageIndex) ?? []
    byPage.set(pageIndex, marks)
    marks.push({ ...read, rect: rect.map(Number) })
  }
  return byPage
}

type Mark = Readonly<Record<string, unknown>>

function readLink({ url, unsafeUrl }: Mark): Pick<RawLink, 'href'> | undefined {
  const href = typeof url === 'string' ? url : unsafeUrl
  return typeof href === 'string' ? { href } : undefined
}

/** What is filled in, chosen or ticked; undefined for a field that is empty, not shown or secret. */
function readField({
  annotationFlags,
  fieldValue,
  password,
  checkBox,
  radioButton,
  buttonValue,
  exportValue,
  options,
}: Mark): Pick<RawField, 'lines'> | undefined {
  if (password === true || (typeof annotationFlags === 'number' && (annotationFlags & HIDDEN) !== 0)) return undefined
  const own = checkBox === true ? exportValue : buttonValue
  if (checkBox === true || radioButton === true) return { lines: [fieldValue === own ? '\u2612' : '\u2610'] }
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value) => typeof value === 'string')
  const lines = values.flatMap((value) => nameOf(value, options).split(/\r\n?|\n/)).filter((line) => line.trim() !== '')
  return lines.length === 0 ? undefined : { lines }
}

/** What a choice is shown as. */
function nameOf(value: string, options: unknown): string {
  const list = Array.isArray(options) ? (options as readonly Mark[]) : []
  const shown = list.find(({ exportValue }) => exportValue === value)?.['displayValue']
  return typeof shown === 'string' ? shown : value
}

/** Links as they stand on the upright page. */
export const placeLinks = (links: readonly RawLink[], view: readonly number[]): PageLink[] =>
  links.map(({ href, rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }) => {
    const [, , , , a, b] = multiply(view, [1, 0, 0, 1, x0, y0])
    const [, , , , c, d] = multiply(view, [1, 0, 0, 1, x1, y1])
    return { href, left: Math.min(a, c), right: Math.max(a, c), top: Math.min(b, d), bottom: Math.max(b, d) }
  })

/** Runs with the links that cover them; one that is covered in part is cut between words. */
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

/** The border between two words that is nearest: widths of letters differ, so that a place is only known about. */
function snap(text: string, place: number): number {
  const at = Math.max(0, Math.min(text.length, Math.round(place)))
  const isBorder = (index: number): boolean =>
    index <= 0 || index >= text.length || /\s/.test(text[index] ?? '') !== /\s/.test(text[index - 1] ?? '')
  for (let step = 0; step <= 8; step++) {
    for (const index of [at - step, at + step]) if (index >= 0 && index <= text.length && isBorder(index)) return index
  }
  return at
}
