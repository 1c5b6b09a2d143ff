import type { Run } from '../page-text.js'

/**
 * Joins what is drawn over each other. TeX and other programs draw an accent and its letter as two characters in one
 * place, before or after each other: `Poincar´` and `e`. Bold type is sometimes drawn character by character, twice
 * each.
 *
 * @param runs runs of a page in drawing order
 */
export function joinOverlaps(runs: readonly Run[]): readonly Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const pair = last !== undefined && isOver(last, run) ? joinPair(last, run) : undefined
    if (pair === undefined) {
      joined.push(run)
      continue
    }
    joined.pop()
    for (const part of pair) if (part.text !== '') joined.push(part)
  }
  return joined
}

/** Minimum overlap of two runs, for their size. An accent takes a third, and kerning moves letters by less. */
const MIN_OVERLAP = 0.15
/** Maximum overlap: the widest letter. */
const MAX_OVERLAP = 1.2
/** Maximum distance of an accent's baseline from that of its letter. It is raised above a capital. */
const MAX_RAISE = 0.4

/** True if a run begins at the last character of the one before. */
function isOver(last: Run, run: Run): boolean {
  const overlap = last.right - run.left
  if (overlap < MIN_OVERLAP * run.size || overlap > MAX_OVERLAP * run.size || run.right < last.left) return false
  if (last.isRtl || run.isRtl) return false
  const isAccent = last.text.length === 1 || run.text.length === 1
  return Math.abs(last.y - run.y) <= (isAccent ? MAX_RAISE : 0.05) * run.size
}

/** Returns both runs without what is drawn twice, and with the accent on its letter; undefined if nothing is joined. */
function joinPair(last: Run, run: Run): readonly Run[] | undefined {
  const [end, start] = [last.text.at(-1) ?? '', run.text.charAt(0)]
  if (end === start && LETTER.test(end) && last.y === run.y && last.size === run.size)
    return [last, { ...run, left: Math.min(last.right, run.right), text: run.text.slice(1) }]
  const after = composed(start, end)
  if (after !== undefined) {
    const letter: Run = { ...run, text: after + run.text.slice(1) }
    if (last.text.length === 1) return [{ ...letter, isSpaced: last.isSpaced }]
    return [{ ...last, right: Math.min(last.right, run.left), text: last.text.slice(0, -1) }, letter]
  }
  const before = composed(end, start)
  if (before === undefined) return undefined
  const right = run.text.length === 1 ? last.right : Math.min(last.right, run.right)
  return [
    { ...last, text: last.text.slice(0, -1) + before },
    { ...run, left: right, text: run.text.slice(1) },
  ]
}

const LETTER = /\p{L}/u

/** Returns a letter with an accent as one character; undefined if there is none. */
function composed(letter: string, accent: string): string | undefined {
  const mark = MARKS.get(accent)
  if (mark === undefined || !LETTER.test(letter)) return undefined
  const text = ((DOTLESS.get(letter) ?? letter) + mark).normalize('NFC')
  return text.length === 1 ? text : undefined
}

const DOTLESS: ReadonlyMap<string, string> = new Map([
  ['ı', 'i'],
  ['ȷ', 'j'],
])

/** Combining marks of accents that stand alone. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['´', '\u0301'],
  ['ˆ', '\u0302'],
  ['˜', '\u0303'],
  ['¯', '\u0304'],
  ['˘', '\u0306'],
  ['˙', '\u0307'],
  ['¨', '\u0308'],
  ['˚', '\u030A'],
  ['˝', '\u030B'],
  ['ˇ', '\u030C'],
  ['¸', '\u0327'],
  ['˛', '\u0328'],
])
