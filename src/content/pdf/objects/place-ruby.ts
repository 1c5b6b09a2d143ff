import type { Run } from '../page-text.js'

/** Minimum and maximum size of an annotation, as a share of the size of its text. */
const [MIN_SIZE, MAX_SIZE] = [0.35, 0.68]
/** Minimum and maximum distance of the baselines of an annotation and its text, in sizes of the text. */
const [MIN_RAISE, MAX_RAISE] = [0.7, 1.3]
/** Maximum distance of the middles of an annotation and all of the characters that it explains, in sizes of the text. */
const MAX_SHIFT = 0.35
/** Maximum number of characters that one annotation explains. */
const MAX_CHARACTERS = 8
/** Maximum number of runs that are compared with an annotation: those of three lines of single characters. */
const MAX_COMPARED = 300

const HAN = /[\p{Script=Han}々〆ヶ]/u
/** The reading of characters: kana, bopomofo, or Latin letters with their tones. */
const READING =
  /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Latin}\u30fc・\u02c7\u02ca\u02cb\u02d9\s]{1,24}$/u

/**
 * Puts the small characters above Chinese characters, which say how these are read, in parentheses after them, as in HTML. On a line of
 * their own they would say nothing.
 *
 * @param runs runs of a page in drawing order
 */
export function placeRuby(runs: readonly Run[]): readonly Run[] {
  const texts = runs.filter(({ text }) => HAN.test(text)).sort((a, b) => a.y - b.y)
  const least = texts[0]
  if (least === undefined) return runs
  const largest = texts.reduce((most, { size }) => Math.max(most, size), 0)
  const taken = new Set<Run>()
  const notes = new Map<Run, Note[]>()
  for (const run of runs) {
    if (run.size > MAX_SIZE * largest || !READING.test(run.text)) continue
    const found = findExplained(run, texts)
    if (found === undefined) continue
    taken.add(run)
    notes.set(found.run, [...(notes.get(found.run) ?? []), { end: found.end, text: run.text.trim() }])
  }
  if (taken.size === 0) return runs
  return runs.flatMap((run) => (taken.has(run) ? [] : [addNotes(run, notes.get(run) ?? [])]))
}

/** An annotation, with the index in its run after which it stands. */
interface Note {
  readonly end: number
  readonly text: string
}

/** Finds the characters below an annotation: the run of the last one, and the index after it. */
function findExplained(ruby: Run, texts: readonly Run[]): { readonly run: Run; readonly end: number } | undefined {
  let compared = 0
  for (let at = firstBelow(texts, ruby.y); at < texts.length && compared < MAX_COMPARED; at += 1, compared += 1) {
    const run = texts[at]
    if (run === undefined || run.y - ruby.y > 3 * MAX_RAISE * ruby.size) return undefined
    const isAbove = run.y - ruby.y >= MIN_RAISE * run.size && run.y - ruby.y <= MAX_RAISE * run.size
    if (!isAbove || ruby.size < MIN_SIZE * run.size || ruby.size > MAX_SIZE * run.size) continue
    const end = endOfExplained(ruby, run)
    if (end !== undefined) return { run, end }
  }
  return undefined
}

/** Returns the index of the first run below a line. */
function firstBelow(texts: readonly Run[], y: number): number {
  let [from, to] = [0, texts.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((texts[middle]?.y ?? 0) > y) to = middle
    else from = middle + 1
  }
  return from
}

/**
 * Returns the index after the characters of a run that an annotation is centered above: all of a word if it is centered above that, or
 * else those below it.
 */
function endOfExplained(ruby: Run, run: Run): number | undefined {
  const middle = (ruby.left + ruby.right) / 2
  if (middle < run.left || middle > run.right) return undefined
  const edges = edgesOf(run)
  const isHan = (at: number): boolean => HAN.test(run.text.charAt(at))
  const at = edges.findIndex((edge, index) => index > 0 && edge >= middle) - 1
  let [first, last] = [Math.max(0, at), Math.max(0, at)]
  // Centered above two characters, the middle is between them, and may be counted to what stands beside.
  if (!isHan(first)) first = last = isHan(first - 1) ? first - 1 : first + 1
  if (!isHan(first)) return undefined
  const below = last
  while (isHan(first - 1) && last - first < MAX_CHARACTERS) first -= 1
  while (isHan(last + 1) && last - first < MAX_CHARACTERS) last += 1
  const isCentered = Math.abs(((edges[first] ?? 0) + (edges[last + 1] ?? 0)) / 2 - middle) <= MAX_SHIFT * run.size
  if (isCentered && last - first < MAX_CHARACTERS) return last + 1
  let end = below
  while (end < last && ((edges[end + 1] ?? 0) + (edges[end + 2] ?? 0)) / 2 < ruby.right) end += 1
  return end + 1
}

/** Returns the left edge of each character of a run, and its right end: those of Latin text are half as wide. */
function edgesOf({ text, left, right }: Run): readonly number[] {
  const widths = Array.from({ length: text.length }, (_, at) => (text.charCodeAt(at) < 0x2e80 ? 1 : 2))
  const unit = (right - left) / widths.reduce((sum: number, width) => sum + width, 0)
  let edge = left
  return [left, ...widths.map((width) => (edge += width * unit))]
}

function addNotes(run: Run, notes: readonly Note[]): Run {
  let { text } = run
  for (const note of [...notes].sort((a, b) => b.end - a.end))
    text = `${text.slice(0, note.end)}(${note.text})${text.slice(note.end)}`
  return text === run.text ? run : { ...run, text }
}
