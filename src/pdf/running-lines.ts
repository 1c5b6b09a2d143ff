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

interface Edge {
  readonly page: number
  readonly line: Line
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

/**
 * The heads, feet and numbers of pages: lines at the edge of the page that stand in the same place, and say the same or
 * count the pages, on several pages near each other.
 */
export function findRunningLines(pages: readonly PageText[], usual: Usual): Set<Line> {
  const running = new Set<Line>()
  if (pages.length < 2) return running
  for (const side of ['top', 'bottom'] as const) {
    const found = findOnSide(
      pages.map((page) => edgesOf(page, side)),
      usual,
    )
    for (const line of found) running.add(line)
  }
  return running
}

function findOnSide(edges: readonly (readonly Edge[])[], usual: Usual): Line[] {
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
    // The head of a table that goes on stands there again, and is none of the page's.
    if (edge.line.row?.isHead) return false
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
    const found: Line[] = []
    // From the edge of the page inwards: behind a line that does not repeat stands the text.
    for (const edge of own) {
      if (!repeats(edge)) break
      found.push(edge.line)
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

function edgesOf({ index, regions, height }: PageText, side: 'top' | 'bottom'): Edge[] {
  const lines = regions.flatMap((region) => region.lines)
  const sorted = lines.sort((a, b) => (side === 'top' ? a.y - b.y : b.y - a.y))
  const isNear = (line: Line): boolean => (side === 'top' ? line.y < 0.2 * height : line.y > 0.8 * height)
  return sorted
    .slice(0, DEEPEST)
    .filter(isNear)
    .map((line, at) => {
      const next = sorted.slice(at + 1).find((other) => Math.abs(other.y - line.y) > 1)
      const isOutermost = Math.abs((sorted[0]?.y ?? 0) - line.y) <= 1
      return { ...describe(line, index), isOutermost, gap: next ? Math.abs(next.y - line.y) : Infinity }
    })
}

/** Whether a line is set apart, is no larger than the text and no sentence. */
const looksLikeHead = ({ line, gap }: Edge, usual: Usual): boolean =>
  gap > 1.5 * usual.leading * usual.size &&
  line.size <= 1.03 * usual.size &&
  !line.isBold &&
  line.text.length <= 120 &&
  !/[.:;,?!]$/.test(line.text)

function describe(line: Line, page: number): Omit<Edge, 'isOutermost' | 'gap'> {
  const text = plainDigits(line.text)
  const numbers = text.match(/\d+/g) ?? []
  const roman = /^\W*([ivxlc]+)\W*$/i.exec(text)?.[1]
  const shown = /^\d+\b/.exec(text)?.[0] ?? /\b\d+\W*$/.exec(text)?.[0] ?? numbers[0]
  const number = roman === undefined ? (shown === undefined ? undefined : parseInt(shown, 10)) : fromRoman(roman)
  return {
    page,
    line,
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
