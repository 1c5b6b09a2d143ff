import { afterEach, expect, it, vi } from 'vitest'
import { fillGrids } from '../../src/pdf/layout/fill-grids.js'
import type { Grid } from '../../src/pdf/layout/find-grids.js'
import type { Run } from '../../src/pdf/page-text.js'

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
