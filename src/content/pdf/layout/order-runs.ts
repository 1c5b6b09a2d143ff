import { extentOf } from './extent-of.js'
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

/** Minimum share of right-to-left letters in text that is aligned on the right. */
const MIN_SHARE = 0.2

/**
 * Tests if lines run from right to left: most of their letters do, or they are aligned on the right and many do. Names in Latin
 * letters can be longer than the text around them.
 */
export function isRtlText(lines: readonly (readonly Segment[])[]): boolean {
  const segments = lines.flat()
  if (isRightToLeft(segments)) return true
  const text = segments.flatMap(({ runs }) => runs.map((run) => run.text)).join('')
  const rtl = text.match(ALL_RTL)?.length ?? 0
  if (rtl === 0 || rtl < MIN_SHARE * text.replace(/[^\p{L}]+/gu, '').length) return false
  const signs = countSigns(lines)
  if (signs !== 0) return signs > 0
  const rights = countAligned(lines, (line) => extentOf(line.map(({ right }) => right))[1])
  return rights > countAligned(lines, (line) => -extentOf(line.map(({ left }) => left))[0])
}

/** Counts the lines that begin with the sign at the end of a sentence, minus those that end with it, from left to right. */
const countSigns = (lines: readonly (readonly Segment[])[]): number =>
  lines.reduce((sum, line) => {
    const runs = line.flatMap((segment) => segment.runs)
    const first = runs.reduce<Run | undefined>(
      (best, run) => (best === undefined || run.left < best.left ? run : best),
      undefined,
    )
    const last = runs.reduce<Run | undefined>(
      (best, run) => (best === undefined || run.right > best.right ? run : best),
      undefined,
    )
    const [start, end] = [
      first?.isRtl ? first.text.at(-1) : first?.text[0],
      last?.isRtl ? last.text[0] : last?.text.at(-1),
    ]
    return sum + Number(SENTENCE_SIGN.test(start ?? '')) - Number(SENTENCE_SIGN.test(end ?? ''))
  }, 0)

/** Counts the lines that reach as far as the one that reaches furthest. */
function countAligned(lines: readonly (readonly Segment[])[], endOf: (line: readonly Segment[]) => number): number {
  const ends = lines.map(endOf)
  const most = ends.reduce((greatest, end) => Math.max(greatest, end), -Infinity)
  return ends.filter((end) => most - end < 2).length
}

/** Tests if a line runs from right to left; among such lines, one right-to-left word is enough. */
export const isRtlLine = (runs: readonly Run[], isAmongRtl: boolean): boolean =>
  isAmongRtl ? runs.some(({ text }) => RTL.test(text)) : sumOf(runs) > 0

/** Sorts the runs of a line in reading order; words of the other direction keep their own order. */
export function orderRuns(runs: readonly Run[], isRtl: boolean): Run[] {
  const pieces = isRtl ? runs.flatMap(splitMixed).flatMap(cutSigns) : [...runs]
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
  return glue(ordered.map((run) => (LTR_LETTER.test(run.text) && !RTL.test(run.text) ? run : turnBrackets(run))))
}

const SIGNS = /^([.,;:!?\u2026"'\u201c-\u201f]*)(.*?)([.,;:!?\u2026"'\u201c-\u201f]*)$/su

/**
 * Cuts the signs off both ends of a left-to-right run in a right-to-left line. They are drawn beside it, but follow the direction of the
 * line: what is drawn as `.example.org` ends with the dot. Quotation marks on both ends belong to the run.
 *
 * @see Unicode Standard Annex 9, rules N1 and N2
 */
function cutSigns(run: Run): Run[] {
  if (run.isRtl || RTL.test(run.text)) return [run]
  const [, before = '', core = '', after = ''] = SIGNS.exec(run.text) ?? []
  if (core === '' || (before === '' && after === '')) return [run]
  if (/^["'\u201c-\u201f]/.test(before) && /["'\u201c-\u201f]$/.test(after)) return [run]
  const width = (run.right - run.left) / run.text.length
  const cut = (from: number, text: string): Run[] =>
    text === '' ? [] : [{ ...run, text, left: run.left + from * width, right: run.left + (from + text.length) * width }]
  return [...cut(0, before), ...cut(before.length, core), ...cut(before.length + core.length, after)]
}

/** Maximum gap between what belongs together, in font sizes: half a space; before the sign at the end of a sentence, which is moved. */
const [MAX_GLUED_GAP, MAX_SIGN_GAP] = [0.16, 0.6]

/** Marks the runs that follow the one before without a space, although words of the other direction stand between them on the page. */
function glue(ordered: readonly Run[]): Run[] {
  const glued = [...ordered]
  const ltr = ordered.map((run) => isLtr(run))
  // A sign between two such runs is theirs.
  const isOther = ltr.map(
    (own, at) => own || (ltr[at - 1] === true && ltr[at + 1] === true && !RTL.test(ordered[at]?.text ?? '')),
  )
  let from = 0
  for (let to = 1; to <= ordered.length; to++) {
    if (isOther[to - 1] === true && isOther[to] === true) continue
    const [before, first, next] = [ordered[from - 1], ordered[from], ordered[to]]
    if (first !== undefined && isOther[from] === true) {
      const group = ordered.slice(from, to)
      const [left, right] = [extentOf(group.map((run) => run.left))[0], extentOf(group.map((run) => run.right))[1]]
      if (before !== undefined && Math.abs(before.left - right) < MAX_GLUED_GAP * first.size)
        glued[from] = { ...first, isGlued: true }
      const most = next !== undefined && SENTENCE_SIGN.test(next.text) ? MAX_SIGN_GAP : MAX_GLUED_GAP
      if (next !== undefined && Math.abs(left - next.right) < most * next.size) glued[to] = { ...next, isGlued: true }
    }
    from = to
  }
  return glued
}

const SENTENCE_SIGN = /^[.,;:!?\u2026\u060c\u061b\u061f]+$/

const isLtr = ({ text, isRtl }: Run): boolean => !isRtl && !RTL.test(text) && /[\p{L}\p{N}]/u.test(text)

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
