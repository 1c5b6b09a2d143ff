import type { Run } from '../page-text.js'

const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u30ff]/

/** Tests if a text is in Chinese or Japanese, which have no spaces between words, unlike Korean. */
export const isCjk = (text: string): boolean => CJK.test(text)

const isHangul = (text: string): boolean => /[\uac00-\ud7af]/.test(text)

/** Tests if two runs of a line are separated by a space. */
export function isApart(before: Run, next: Run): boolean {
  if (next.isGlued === true || /\s$/.test(before.text) || /^\s/.test(next.text)) return false
  const size = Math.max(before.size, next.size)
  const gap = Math.max(next.left - before.right, before.left - next.right)
  const [last, first] = [before.text.at(-1) ?? '', next.text[0] ?? '']
  if (isCjk(last) && isCjk(first) && !isHangul(last)) return gap > 0.8 * size
  if (next.isSpaced && gap > 0.05 * size) return true
  return gap > 0.16 * size
}

/** Joins the runs of a line to text. */
export function joinRuns(runs: readonly Run[]): string {
  let text = ''
  let before: Run | undefined
  for (const run of runs) {
    if (before !== undefined && isApart(before, run)) text += ' '
    text += run.text
    before = run
  }
  return text.replace(/\s+/g, ' ').trim()
}

const CAPITALS = /\p{Lu}{2}[-\u2010]$/u

/**
 * Separator between two lines of a paragraph: none for hyphenated words and scripts without spaces, otherwise a space.
 */
type LineSeparator = 'none' | 'space' | 'hyphen'

/**
 * Determines how a line continues in the next: `hyphen` means that the hyphen at its end is removed.
 *
 * @param words frequencies of the file's words, in lower case: a hyphen is kept if the word occurs with it elsewhere
 */
export function findLineSeparator(before: string, next: string, words: ReadonlyMap<string, number>): LineSeparator {
  const last = before.at(-1) ?? ''
  const first = next[0] ?? ''
  if (last === '\u00ad') return 'hyphen'
  if ((last === '-' || last === '\u2010') && /[\p{L}][-\u2010]$/u.test(before)) {
    const start = /[\p{L}]+[-\u2010]$/u.exec(before)?.[0].slice(0, -1).toLowerCase() ?? ''
    const end = /^[\p{L}]+/u.exec(next)?.[0].toLowerCase() ?? ''
    if (end === '') return 'none'
    const joined = words.get(start + end) ?? 0
    const parted = words.get(`${start}-${end}`) ?? 0
    if (/\p{Ll}/u.test(first)) return parted > joined ? 'none' : 'hyphen'
    // Of words in capitals, many keep their hyphen: `ISO-LATIN`.
    return CAPITALS.test(before) && /^\p{Lu}{2}/u.test(next) && joined > parted ? 'hyphen' : 'none'
  }
  if (/[/\u2014]$/.test(before) && /[/\w]/.test(first) && /\S{12,}$/.test(before) && /:\/\/\S*$/.test(before))
    return 'none'
  if (isCjk(last) && isCjk(first) && !isHangul(last)) return 'none'
  return 'space'
}
