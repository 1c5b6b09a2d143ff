import type { Usual } from './measure-text.js'
import type { Line, PageText } from './page-text.js'
import { plainDigits } from './plain-digits.js'

/** Lines at the top and at the bottom of a page that may be its head and foot. */
const DEEPEST = 3
/** Pages on both sides among which a head repeats: it changes with the chapter. */
const NEARBY = 12
/** Of the pages nearby, so many have a line set apart in one place where it is their head. */
const MOST_NEARBY = 10

const LONE_NUMBER = /^\W{0,3}(?:\d{1,4}|[ivxl]{1,7})\W{0,3}$/i

/** A line at the edge of a page. */
interface Edge {
  readonly page: number
  /** Which it is of the lines of the page, in the order of its regions. */
  readonly index: number
  readonly line: Pick<Line, 'text' | 'size' | 'isBold'>
  /** Whether it is the head of a table, which stands again where that goes on. */
  readonly isTableHead: boolean
  /** Its place, so that it can be compared with others. */
  readonly place: string
  /** What it says, without its numbers. */
  readonly said: string
  readonly number: number | undefined
  /** Whether nothing stands between it and the edge of the page. */
  readonly isOutermost: boolean
  /** From it to the next line inwards. */
  readonly gap: number
}

/** What is kept of a page until all are read. */
export interface PageEdges {
  readonly top: readonly Edge[]
  readonly bottom: readonly Edge[]
}

/** The lines at the top and at the bottom of a page. */
export const edgesOf = (page: PageText): PageEdges => ({
  top: edgesOnSide(page, 'top'),
  bottom: edgesOnSide(page, 'bottom'),
})

/**
 * The heads, feet and numbers of pages: lines at the edge of the page that stand in the same place, and say the same or
 * count the pages, on several pages near each other.
 */
export function findRunningLines(pages: readonly PageEdges[], usual: Usual): RunningLines {
  const running = new Map<number, Set<number>>()
  if (pages.length < 2) return running
  for (const side of ['top', 'bottom'] as const) {
    const found = findOnSide(
      pages.map((page) => page[side]),
      usual,
    )
    for (const { page, index } of found) running.set(page, (running.get(page) ?? new Set()).add(index))
  }
  return running
}

/** By page, which of its lines they are, in the order of its regions. */
export type RunningLines = ReadonlyMap<number, ReadonlySet<number>>

function findOnSide(edges: readonly (readonly Edge[])[], usual: Usual): Edge[] {
  const bySaying = new Map<string, number[]>()
  const byNumber = new Map<string, number[]>()
  const apart = new Map<string, number[]>()
  for (const edge of edges.flat()) {
    if (edge.isOutermost && looksLikeHead(edge, usual)) note(apart, edge.place, edge.page)
    note(bySaying, `${edge.place} ${edge.said}`, edge.page)
    if (edge.number !== undefined) note(byNumber, `${edge.place} ${edge.number - edge.page}`, edge.page)
  }
  const needed = edges.length < 4 ? 2 : 3
  const repeats = (edge: Edge): boolean => {
    const { page, place, said, number } = edge
    // That is none of the page's.
    if (edge.isTableHead) return false
    // So is the title of a slide that is shown bit by bit: heads of pages are no larger than the text.
    if (!edge.isOutermost && edge.line.size >= 1.14 * usual.size) return false
    // Heads that change with every section: set apart in the same place on most pages.
    if (edge.isOutermost && looksLikeHead(edge, usual) && countNear(apart.get(place), page) >= MOST_NEARBY) return true
    if (edge.isOutermost && edge.gap > edge.line.size && LONE_NUMBER.test(plainDigits(edge.line.text))) return true
    return repeatsText(page, place, said, number)
  }
  const repeatsText = (page: number, place: string, said: string, number: number | undefined): boolean =>
    countNear(bySaying.get(`${place} ${said}`), page) >= needed ||
    (number !== undefined && countNear(byNumber.get(`${place} ${number - page}`), page) >= needed)
  return edges.flatMap((own) => {
    const found: Edge[] = []
    // From the edge of the page inwards: behind a line that does not repeat stands the text.
    for (const edge of own) {
      if (!repeats(edge)) break
      found.push(edge)
    }
    return found
  })
}

function note(pages: Map<string, number[]>, key: string, page: number): void {
  const known = pages.get(key)
  if (known === undefined) pages.set(key, [page])
  else if (known.at(-1) !== page) known.push(page)
}

const countNear = (pages: readonly number[] | undefined, page: number): number =>
  pages?.filter((other) => Math.abs(other - page) <= NEARBY).length ?? 0

function edgesOnSide({ index: page, regions, height }: PageText, side: 'top' | 'bottom'): Edge[] {
  const lines = regions.flatMap((region) => region.lines).map((line, index) => ({ line, index }))
  const sorted = lines.sort((a, b) => (side === 'top' ? a.line.y - b.line.y : b.line.y - a.line.y))
  const isNear = ({ y }: Line): boolean => (side === 'top' ? y < 0.2 * height : y > 0.8 * height)
  return sorted
    .slice(0, DEEPEST)
    .filter(({ line }) => isNear(line))
    .map(({ line, index }, at) => {
      const next = sorted.slice(at + 1).find((other) => Math.abs(other.line.y - line.y) > 1)?.line
      const isOutermost = Math.abs((sorted[0]?.line.y ?? 0) - line.y) <= 1
      return { ...describe(line, page), index, isOutermost, gap: next ? Math.abs(next.y - line.y) : Infinity }
    })
}

/** Whether a line is set apart, is no larger than the text and no sentence. */
const looksLikeHead = ({ line, gap }: Edge, usual: Usual): boolean =>
  gap > 1.5 * usual.leading * usual.size &&
  line.size <= 1.03 * usual.size &&
  !line.isBold &&
  line.text.length <= 120 &&
  !/[.:;,?!]$/.test(line.text)

function describe(line: Line, page: number): Omit<Edge, 'index' | 'isOutermost' | 'gap'> {
  const { size, isBold } = line
  const text = plainDigits(line.text)
  const numbers = text.match(/\d+/g) ?? []
  const roman = /^\W*([ivxlc]+)\W*$/i.exec(text)?.[1]
  const shown = /^\d+\b/.exec(text)?.[0] ?? /\b\d+\W*$/.exec(text)?.[0] ?? numbers[0]
  const number = roman === undefined ? (shown === undefined ? undefined : parseInt(shown, 10)) : fromRoman(roman)
  return {
    page,
    line: { text, size, isBold },
    isTableHead: line.row?.isHead === true,
    place: String(Math.round(line.y / 4)),
    said: text.replace(/\d+/g, '#').replace(/^\W*[ivxlc]+\W*$/i, '#'),
    // A number within a sentence counts nothing.
    number: text.length <= 120 ? number : undefined,
  }
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

function fromRoman(text: string): number {
  const digits = text
    .toLowerCase()
    .split('')
    .map((digit) => ROMAN[digit] ?? 0)
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
}
