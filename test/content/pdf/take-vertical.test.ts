import { expect, it } from 'vitest'
import { takeVertical } from '../../../src/content/pdf/objects/take-vertical.js'
import type { Run } from '../../../src/content/pdf/page-text.js'

const face = { isBold: false, isItalic: false, isMono: false, isRtl: false, isSpaced: false }

/** Characters below each other, from `y` on. */
const column = (text: string, x: number, y = 100, step = 12): Run[] =>
  Array.from(text, (character, at) => ({
    ...face,
    text: character,
    left: x,
    right: x + 12,
    y: y + at * step,
    size: 12,
    order: 0,
  }))

const ordered = (runs: readonly Run[]): Run[] => runs.map((run, order) => ({ ...run, order }))
const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

it('lines of characters below each other are taken, with the short end of a paragraph', () => {
  const { rest, vertical } = takeVertical(
    ordered([...column('港の灯は夜ごとにともされ、', 300), ...column('船。', 280)]),
  )
  expect(rest).toEqual([])
  expect(textOf(vertical)).toBe('港の灯は夜ごとにともされ、船。')
  // As if the page were rotated: from left to right, and the right line before the left one.
  const [first, second, last] = [vertical[0], vertical[1], vertical.at(-1)]
  expect(second?.left).toBeGreaterThan(first?.left ?? Infinity)
  expect(last?.y).toBeGreaterThan(first?.y ?? Infinity)
})

it.each([
  [
    'rows of a table, drawn column by column',
    [...column('月一四七', 70, 100, 20), ...column('火二五八', 170, 100, 20)],
  ],
  ['letters of other scripts', column('LIGHT', 70)],
  ['a few characters alone', column('港灯', 70)],
  [
    'lines of a text',
    [
      { ...column('港', 70)[0], text: '港の灯は夜ごとに' } as Run,
      { ...column('港', 70, 112)[0], text: 'ともされている。' } as Run,
    ],
  ],
])('%s stay where they are', (_name, runs) => {
  expect(takeVertical(ordered(runs))).toEqual({ rest: ordered(runs), vertical: [] })
})
