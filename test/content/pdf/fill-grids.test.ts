import { afterEach, expect, it, vi } from 'vitest'
import { fillGrids } from '../../../src/content/pdf/layout/fill-grids.js'
import { findGrids, type Grid } from '../../../src/content/pdf/layout/find-grids.js'
import type { RulingLine, Run } from '../../../src/content/pdf/page-text.js'

const CELL_WIDTH = 10

const gridOf = (columns: number): Grid => {
  const xs = Array.from({ length: columns + 1 }, (_, index) => index * CELL_WIDTH)
  return {
    xs,
    ys: [0, 20, 40],
    hasBorderRight: () => true,
    hasBorderBelow: () => true,
    linesBetween: (left, right) => xs.filter((x) => x > left && x < right),
  }
}

/** A text over all columns, with a letter in each. */
const runOver = (columns: number, y: number): Run => ({
  text: Array.from({ length: columns }, () => 'a').join(' '),
  left: 1,
  right: columns * CELL_WIDTH - 3,
  y,
  size: 10,
  order: y,
  isRtl: false,
  isSpaced: false,
  isBold: false,
  isItalic: false,
  isMono: false,
})

afterEach(() => void vi.restoreAllMocks())

it('a text over many cells is divided between them, and its width is measured once', () => {
  const columns = 400
  const measured = vi.spyOn(RegExp.prototype, 'test')
  const { rest, rows } = fillGrids([runOver(columns, 12), runOver(columns, 32)], [gridOf(columns)])
  const tests = measured.mock.calls.length
  expect(rest).toEqual([])
  const cells = rows.map(({ row }) => row?.cells.map((lines) => lines.map(({ text }) => text).join('\n')))
  expect(cells).toEqual([Array(columns).fill('a'), Array(columns).fill('a')])
  expect(tests).toBeLessThan(100 * columns)
})

it('the lines of a table are looked through once for each height, not for each text', () => {
  let reads = 0
  const rule = (left: number, top: number, right: number, bottom: number): RulingLine => ({
    left,
    right,
    bottom,
    get top() {
      reads += 1
      return top
    },
  })
  const [rows, columns] = [100, 18]
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
  const rules = [
    ...upTo(rows + 1).map((row) => rule(0, row * 20, columns * 30, row * 20)),
    ...upTo(rows).flatMap((row) =>
      upTo(columns + 1).map((column) => rule(column * 30, row * 20, column * 30, row * 20 + 20)),
    ),
  ]
  const [grid] = findGrids(rules)
  reads = 0
  const found = upTo(5000).map((index) => [...(grid?.linesBetween(10, 80, (index % rows) * 20 + 10) ?? [])])
  expect(found.every(([first, second, ...rest]) => first === 30 && second === 60 && rest.length === 0)).toBe(true)
  expect(reads).toBeLessThan(2 * rows * rules.length)
  // At the height of a border, no line beside it is crossed.
  expect([...(grid?.linesBetween(10, 80, 20) ?? [])]).toEqual([])
})

it('rows of a table end where the pieces of its vertical lines meet, as TeX draws one for each row', () => {
  const [heights, places] = [
    [0, 20, 40, 80, 100],
    [0, 30, 60],
  ]
  const across = [0, 20, 100].map((y) => ({ left: 0, right: 60, top: y, bottom: y }))
  const pieces = heights
    .slice(1)
    .flatMap((bottom, row) => places.map((x) => ({ left: x, right: x, top: heights[row] ?? 0, bottom })))
  const [grid, ...more] = findGrids([...across, ...pieces])
  expect(more).toEqual([])
  expect(grid?.ys).toEqual(heights)
  expect(grid?.hasBorderBelow(2, 1)).toBe(true)
  // Of one line alone, pieces say nothing about rows.
  const outer = [0, 60].map((x) => ({ left: x, right: x, top: 0, bottom: 100 }))
  const [whole] = findGrids([...across, ...outer, ...pieces.filter(({ left }) => left === 30)])
  expect(whole?.ys).toEqual([0, 20, 100])
})

it('cells that span rows stay whole where each row has pieces of the vertical lines, as Word draws them', () => {
  const heights = [0, 20, 40, 60]
  const across = heights.map((y) => ({ left: y === 40 ? 30 : 0, right: 60, top: y, bottom: y }))
  const pieces = heights
    .slice(1)
    .flatMap((bottom) => [0, 30, 60].map((x) => ({ left: x, right: x, top: bottom - 20, bottom })))
  const [grid] = findGrids([...across, ...pieces])
  expect(grid?.ys).toEqual(heights)
  expect([grid?.hasBorderBelow(0, 0), grid?.hasBorderBelow(1, 0), grid?.hasBorderBelow(1, 1)]).toEqual([
    true,
    false,
    true,
  ])
})
