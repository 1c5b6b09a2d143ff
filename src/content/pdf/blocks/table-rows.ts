import { joinRuns } from '../layout/join-runs.js'
import type { Line, RulingLine, Run } from '../page-text.js'

/** Minimum distance of lines that are rows of their own, in font sizes: lines of a paragraph are closer. */
const MIN_ROW_PITCH = 1.75

/**
 * Groups lines to rows. A line is in the row of the line before it unless a ruling line, space, a filled first column or a number
 * below a number separates them.
 */
export function mergeRows(
  run: readonly Line[],
  cells: readonly Run[][][],
  rules: readonly RulingLine[],
  isProseRun: boolean,
): Run[][][][] {
  const gaps = run.slice(1).map((line, index) => line.y - (run[index]?.y ?? 0))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  const border = most > 1.3 * least ? (least + most) / 2 : undefined
  const head = countHeadLines(run)
  const below = gaps.slice(head).sort((a, b) => a - b)
  const pitch = below[below.length >> 1] ?? 0
  const ruledRows = run.slice(1).filter((line, index) => isRuleBetween(run[index], line, rules)).length
  const rows: Run[][][][] = []
  run.forEach((line, index) => {
    const row = rows.at(-1)
    const own = cells[index] ?? []
    const before = run[index - 1]
    const gap = gaps[index - 1] ?? 0
    const filled = own.filter((cell) => cell.length > 0).length
    const isFirstEmpty = (own[0] ?? []).length === 0
    const isFar = filled > 1 && gap > (border ?? MIN_ROW_PITCH * line.size)
    const isClose = border !== undefined && gap < border && (isProseRun || filled < own.length)
    const isContinuation =
      ruledRows > 1 ? !isRuleBetween(before, line, rules) && gap < 1.5 * line.size : (isFirstEmpty && !isFar) || isClose
    const isOfHead = index < head && gap < MAX_HEAD_PITCH * pitch
    if (row !== undefined && (isOfHead || isContinuation) && !isEntry(own, row)) row.push(own)
    else rows.push([own])
  })
  return rows
}

/** Maximum number of lines of a head whose names go on in the next line. */
const MAX_HEAD_LINES = 4

/** Maximum distance of the lines of such a head, as a share of that of the rows below it. */
const MAX_HEAD_PITCH = 0.8

/** Counts the bold lines that a table begins with; 0 if all of its lines are bold. */
function countHeadLines(run: readonly Line[]): number {
  const count = run.findIndex(({ isBold }) => !isBold)
  return count > 1 && count <= MAX_HEAD_LINES ? count : 0
}

/** Matches an amount, such as `-1,200.50`, `19 %` and `EUR 12`, and one with its label before it. */
const AMOUNT = /^(?:\p{Lu}{3}\s)?[\p{Sc}\p{Pd}+]{0,2}\s?\d[\d.,' ]*(?:\s?[%\p{Sc}]|\s\p{Lu}{3})?$/u
const LABELLED = /\p{L}.*[\s:][\p{Sc}\p{Pd}+]{0,2}\d[\d.,']*(?:\s?[%\p{Sc}]|\s\p{Lu}{3})?$/u
/** Maximum length of an amount with its label, in characters. */
const MAX_AMOUNT = 60

/**
 * Tests if a line is a row of its own because it has a label, and an amount below an amount, such as `Total`: text goes on in the next
 * line of its cell, an amount does not.
 */
function isEntry(own: readonly (readonly Run[])[], row: readonly (readonly (readonly Run[])[])[]): boolean {
  const texts = own.map((cell) => joinRuns(cell).slice(0, MAX_AMOUNT))
  if (!texts.some((text) => /\p{L}{2}/u.test(text))) return false
  return texts.some((text, column) => {
    if (!AMOUNT.test(text) && !(LABELLED.test(text) && texts.every((other, at) => at === column || other === '')))
      return false
    const above = joinRuns(row.findLast((line) => (line[column] ?? []).length > 0)?.[column] ?? [])
    return above.length < MAX_AMOUNT && (AMOUNT.test(above) || LABELLED.test(above))
  })
}

const isRuleBetween = (above: Line | undefined, below: Line, rules: readonly RulingLine[]): boolean =>
  above !== undefined &&
  rules.some(
    ({ left, right, top, bottom }) =>
      bottom - top < 3 &&
      top > above.y - 1 &&
      bottom < below.y - 0.4 * below.size &&
      left < below.right &&
      right > below.left,
  )

export const hasRuleBelow = (run: readonly Line[], rules: readonly RulingLine[]): boolean =>
  run[1] !== undefined && isRuleBetween(run[0], run[1], rules)
