import type { RulingLine, Run } from '../page-text.js'
import type { Shape } from './path-shapes.js'
import type { Drawing, GlyphWidths } from './read-drawing.js'

/** Runs of which those that a line is drawn through are marked, and the lines that are not drawn through text. */
interface StruckRuns {
  readonly runs: readonly Run[]
  readonly rules: readonly RulingLine[]
}

/** Minimum and maximum height of the line above the baseline, in font sizes. Writer draws it at 0.27, Chromium at 0.34. */
const [MIN_RISE, MAX_RISE] = [0.14, 0.48]
/** Maximum thickness of the line, in font sizes; those of markers are thicker. */
const MAX_THICKNESS = 0.22
/** Maximum length by which the line may begin before its text or end after it, in font sizes. Lines behind titles are longer. */
const MAX_OVERHANG = 0.7
/** Maximum gap between the pieces of a broken line, in font sizes. */
const MAX_DASH_GAP = 0.35
/** Maximum number of lines through one run that are looked at. */
const MAX_BARS = 100
/** Minimum share of the line that is on text. Lines of tables also run between texts. */
const MIN_SHARE = 0.75

/** Marks the text that a line is drawn through. A run that is partly struck is split. */
export function strikeRuns(runs: readonly Run[], { bars, rules, widths }: Drawing): StruckRuns {
  const sorted = [...runs].sort((a, b) => a.y - b.y)
  const tallest = runs.reduce((most, { size }) => Math.max(most, size), 0)
  const strokes = new Map<Run, Shape[]>()
  const lines = bars.filter((bar) => {
    const over = runsOver(bar, sorted, tallest)
    if (!isThrough(bar, over)) return false
    for (const run of over) {
      const known = strokes.get(run)
      if (known === undefined) strokes.set(run, [bar])
      else if (known.length < MAX_BARS) known.push(bar)
    }
    return true
  })
  if (lines.length === 0) return { runs, rules }
  return {
    runs: runs.flatMap((run) => strike(run, strokes.get(run) ?? [], widths)),
    rules: rules.filter((rule) => !lines.some((line) => isWithin(rule, line))),
  }
}

/** Lists the runs whose middle a bar crosses. */
function runsOver({ left, right, top, bottom }: Shape, sorted: readonly Run[], tallest: number): Run[] {
  const middle = (top + bottom) / 2
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const half = (low + high) >> 1
    if ((sorted[half]?.y ?? 0) < middle) low = half + 1
    else high = half
  }
  const over: Run[] = []
  for (let at = low; at < sorted.length; at++) {
    const run = sorted[at]
    if (run === undefined || run.y - middle > MAX_RISE * tallest) break
    const rise = (run.y - middle) / run.size
    if (rise < MIN_RISE || rise > MAX_RISE || bottom - top > MAX_THICKNESS * run.size) continue
    if (run.left < right - 0.5 && run.right > left + 0.5) over.push(run)
  }
  return over
}

/** Tests if a bar goes from the beginning to the end of what it crosses, or ends within it. */
function isThrough({ left, right }: Shape, over: readonly Run[]): boolean {
  let [start, end, covered, size] = [Infinity, -Infinity, 0, 0]
  for (const run of over) {
    start = Math.min(start, run.left)
    end = Math.max(end, run.right)
    size = Math.max(size, run.size)
    covered += Math.min(run.right, right) - Math.max(run.left, left)
  }
  const slack = MAX_OVERHANG * size
  return over.length > 0 && left >= start - slack && right <= end + slack && covered >= MIN_SHARE * (right - left)
}

const isWithin = (rule: RulingLine, bar: Shape): boolean =>
  rule.top >= bar.top - 0.5 &&
  rule.bottom <= bar.bottom + 0.5 &&
  rule.left >= bar.left - 1 &&
  rule.right <= bar.right + 1

/** Splits a run where the lines through it begin and end. */
function strike(run: Run, bars: readonly Shape[], widths: GlyphWidths): Run[] {
  if (bars.length === 0) return [run]
  const places = placesIn(run, widths)
  const isStruck = Array.from({ length: run.text.length }, () => false)
  for (const { left, right } of joinDashes(bars, run.size)) {
    const [a, b] = [indexAt(left, run, places), indexAt(right, run, places)]
    isStruck.fill(true, Math.min(a, b), Math.max(a, b))
  }
  const pieces: Run[] = []
  for (let from = 0; from < run.text.length;) {
    let to = from + 1
    while (to < run.text.length && isStruck[to] === isStruck[from]) to++
    const text = run.text.slice(from, to)
    const ends = [places[from] ?? run.left, places[to] ?? run.right]
    const piece = {
      ...run,
      text,
      left: Math.min(...ends),
      right: Math.max(...ends),
      isSpaced: from === 0 && run.isSpaced,
    }
    // A currency sign can be a letter with lines through it.
    const isSign = text.trim().length < 2 && bars.length > 1
    pieces.push(isStruck[from] === true && text.trim() !== '' && !isSign ? { ...piece, isStruck: true } : piece)
    from = to
  }
  return pieces.filter(({ text }) => text.trim() !== '')
}

/** Joins the pieces of a broken line. */
function joinDashes(bars: readonly Shape[], size: number): { readonly left: number; right: number }[] {
  const joined: { readonly left: number; right: number }[] = []
  for (const { left, right } of [...bars].sort((a, b) => a.left - b.left)) {
    const last = joined.at(-1)
    if (last !== undefined && left - last.right < MAX_DASH_GAP * size) last.right = Math.max(last.right, right)
    else joined.push({ left, right })
  }
  return joined
}

/** Returns where each character of a run begins, and the end of the last. What its words are spread by is put in its spaces. */
function placesIn(run: Run, widths: GlyphWidths): number[] {
  const known = widths.get(run.font ?? '')
  const own = Array.from(
    { length: run.text.length },
    (_, at) => ((known?.get(run.text[at] ?? '') ?? 500) * run.size) / 1000,
  )
  const whole = run.right - run.left
  const sum = own.reduce((all, width) => all + width, 0)
  const spaces = run.text.split(' ').length - 1
  const perSpace = spaces > 0 && known !== undefined && whole > sum ? (whole - sum) / spaces : 0
  const scale = perSpace > 0 || sum === 0 ? 1 : whole / sum
  let place = 0
  const places = [0]
  own.forEach((width, at) => {
    place += width * scale + (run.text[at] === ' ' ? perSpace : 0)
    places.push(place)
  })
  return places.map((from) => (run.isRtl ? run.right - from : run.left + from))
}

/** Maximum distance of the end of a word from that of a line through it, in font sizes. */
const MAX_SNAP = 0.4

/** Returns the index of the character that begins nearest to a place: that of a word or sign, if one is near. */
function indexAt(x: number, run: Run, places: readonly number[]): number {
  const nearest = (indices: readonly number[]): number | undefined => {
    let best: number | undefined
    for (const at of indices) {
      const distance = Math.abs((places[at] ?? 0) - x)
      if (best === undefined || distance < Math.abs((places[best] ?? 0) - x)) best = at
    }
    return best
  }
  const all = places.map((_, at) => at)
  const border = nearest(all.filter((at) => isBorder(run.text, at)))
  if (border !== undefined && Math.abs((places[border] ?? 0) - x) < MAX_SNAP * run.size) return border
  return nearest(all) ?? 0
}

/** Tests if a word or sign begins or ends here. */
const isBorder = (text: string, at: number): boolean =>
  at <= 0 || at >= text.length || !/^[\p{L}\p{M}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1))
