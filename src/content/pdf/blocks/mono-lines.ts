import { isApart } from '../layout/join-runs.js'
import { isProse } from '../layout/wraps.js'
import type { Line } from '../page-text.js'

/** Matches what code and commands have, and sentences do not. */
const CODE_SIGNS = /[{}<>=\\|_]|\(\)|:\/\/|\S\.\S*\(|^[#$%/.]|^\S+(?:\s\S+){0,2};$/
/** Maximum share of the lines of prose that have such signs. */
const MAX_CODE_LINES = 0.1
/** Minimum number of lines of prose, and of words of each but the last. */
const [MIN_LINES, MIN_WORDS] = [3, 5]
const SENTENCE = /^["'\u2018\u201c(]?\p{Lu}[^]*[.!?]["'\u2019\u201d)]?$/u

/**
 * Tests if monospaced lines between others are sentences, as in a contract or a letter from a typewriter: they wrap, leave no gaps,
 * none is indented, and few have signs of code.
 */
export function isMonoProse(lines: readonly Line[]): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined || lines.length < MIN_LINES) return false
  if (!SENTENCE.test(`${first.text} ${last.text}`)) return false
  const left = lines.slice(1).reduce((least, line) => Math.min(least, line.left), Infinity)
  const isText = (line: Line, at: number): boolean =>
    line.segments.length === 1 &&
    (at === 0 || line.left < left + 0.5 * line.size) &&
    (line === last || /[.!?]$/.test(line.text) || line.text.split(' ').length >= MIN_WORDS)
  if (!lines.every(isText)) return false
  if (lines.filter(({ text }) => CODE_SIGNS.test(text)).length > MAX_CODE_LINES * lines.length) return false
  return isProse(lines)
}

/** Removes the monospaced style from a line. */
export const dropMono = (line: Line): Line => ({
  ...line,
  isMono: false,
  runs: line.runs.map((run) => (run.isMono ? { ...run, isMono: false } : run)),
})

/** Joins lines of code with the indentation that they have on the page. */
export function joinCodeLines(lines: readonly Line[], left: number): string {
  const widths = lines.map((line) => widthOf(line)).sort((a, b) => a - b)
  const width = widths[Math.floor(widths.length / 2)] ?? 5
  const start = Math.max(left, Math.min(...lines.map((line) => line.left)))
  const gaps = lines
    .slice(1)
    .map((line, index) => line.y - (lines[index]?.y ?? 0))
    .sort((a, b) => a - b)
  const usual = gaps[Math.floor(gaps.length / 4)] ?? 12
  return lines
    .map((line, index) => {
      const gap = index === 0 ? 0 : line.y - (lines[index - 1]?.y ?? 0)
      let text = ''
      for (const [place, run] of line.runs.entries()) {
        const at = Math.round((run.left - start) / width)
        const before = line.runs[place - 1]
        const least = before !== undefined && isApart(before, run) ? 1 : 0
        text += ' '.repeat(Math.max(least, Math.min(200, at - text.length))) + run.text
      }
      return `${gap > 1.6 * usual ? '\n' : ''}${text.trimEnd()}`
    })
    .join('\n')
}

function widthOf({ runs }: Line): number {
  const longest = runs.reduce(
    (a, b) => (b.text.length > a.text.length ? b : a),
    runs[0] ?? { text: '', left: 0, right: 0 },
  )
  return (longest.right - longest.left) / Math.max(1, longest.text.length)
}
