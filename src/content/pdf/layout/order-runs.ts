import type { Run, Segment } from '../page-text.js'

/** Matches right-to-left letters. Digits run from left to right. */
const RTL = /[\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const ALL_RTL = new RegExp(RTL, 'g')
const LTR_LETTER = new RegExp(`(?!${RTL.source})\\p{L}`, 'u')
const BRACKETS = '()[]{}<>«»'

/** Counts right-to-left letters minus left-to-right letters. */
function balanceOf({ text, isRtl }: Run): number {
  if (!isRtl && !RTL.test(text)) return -text.replace(/[^\p{L}]+/gu, '').length
  const rtl = text.match(ALL_RTL)?.length ?? 0
  return rtl - (text.replace(/[^\p{L}]+/gu, '').length - rtl)
}

const sumOf = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + balanceOf(run), 0)

/** Tests if most text runs from right to left. */
export const isRightToLeft = (segments: readonly Segment[]): boolean =>
  segments.reduce((sum, { runs }) => sum + sumOf(runs), 0) > 0

/** Tests if a line runs from right to left; among such lines, one right-to-left word is enough. */
export const isRtlLine = (runs: readonly Run[], isAmongRtl: boolean): boolean =>
  isAmongRtl ? runs.some(({ text }) => RTL.test(text)) : sumOf(runs) > 0

/** Sorts the runs of a line in reading order; words of the other direction keep their own order. */
export function orderRuns(runs: readonly Run[], isRtl: boolean): Run[] {
  const pieces = isRtl ? runs.flatMap(splitMixed) : [...runs]
  const sorted = pieces.sort((a, b) => a.left - b.left)
  if (!isRtl)
    return turnGroups(
      sorted,
      (run) => run.isRtl,
      () => false,
    )
  const ordered = turnGroups(
    sorted.reverse(),
    (run) => !RTL.test(run.text) && /[\p{L}\p{N}]/u.test(run.text),
    // Numbers keep their order. Adjacent words of the other direction form one group, including spaces and digits
    // between them.
    (last, next) => LTR_LETTER.test(next.text) && last.left - next.right < 3 * last.size,
  )
  return ordered.map((run) => (LTR_LETTER.test(run.text) && !RTL.test(run.text) ? run : turnBrackets(run)))
}

/** Reverses the order of the runs within each group of the other direction. */
function turnGroups(
  runs: readonly Run[],
  isOther: (run: Run) => boolean,
  goesOver: (last: Run, next: Run) => boolean,
): Run[] {
  const ordered: Run[] = []
  let group: Run[] = []
  let between: Run[] = []
  const flush = (): void => {
    for (const run of group.reverse()) ordered.push(run)
    for (const run of between) ordered.push(run)
    group = []
    between = []
  }
  for (const run of runs) {
    const last = group.at(-1)
    if (isOther(run)) {
      if (last !== undefined && !isNear(last, run, between) && !goesOver(last, run)) flush()
      for (const other of between) group.push(other)
      group.push(run)
      between = []
    } else if (last !== undefined && !/\p{L}/u.test(run.text)) between.push(run)
    else {
      flush()
      ordered.push(run)
    }
  }
  flush()
  return ordered
}

/** Tests if two runs are adjacent, or separated by the decimal point of a number. */
const isNear = (last: Run, next: Run, between: readonly Run[]): boolean =>
  between.every(({ text }) => /^[.,:/-]$/.test(text)) &&
  Math.max(last.left - next.right, next.left - last.right) < 0.2 * last.size + between.length * 0.5 * last.size

/** Splits the right-to-left words off a left-to-right run. */
function splitMixed(run: Run): Run[] {
  if (run.isRtl || !RTL.test(run.text)) return [run]
  const width = (run.right - run.left) / run.text.length
  const pattern = new RegExp(
    `(?:[^\\p{L}\\p{N}]{4,})|(?:${RTL.source}[^\\p{L}\\p{N}]{0,3})+|(?:(?!${RTL.source}).)+?(?=${RTL.source}|[^\\p{L}\\p{N}]{4}|$)`,
    'gu',
  )
  return [...run.text.matchAll(pattern)].map(({ 0: piece, index }) => {
    const start = index + piece.length - piece.trimStart().length
    const text = piece.trim()
    const left = run.left + start * width
    return { ...run, text, isRtl: RTL.test(text), left, right: left + text.length * width }
  })
}

/** Mirrors brackets: files store their glyphs, which open to the other side in right-to-left text. */
const turnBrackets = (run: Run): Run => ({
  ...run,
  text: run.text.replace(/(?<![A-Za-z0-9])[()[\]{}<>«»]|[()[\]{}<>«»](?![A-Za-z0-9])/g, (sign) => {
    const at = BRACKETS.indexOf(sign)
    return BRACKETS[at % 2 === 0 ? at + 1 : at - 1] ?? sign
  }),
})
