import { describe, expect, it } from 'vitest'
import { findLines } from '../../../src/content/pdf/layout/find-lines.js'
import { findSegments } from '../../../src/content/pdf/layout/find-segments.js'
import type { Run } from '../../../src/content/pdf/page-text.js'

/** Runs on one line, as they stand from left to right. */
type Piece = readonly [left: number, text: string, isRtl?: boolean]

const runs = (pieces: readonly Piece[]): Run[] =>
  pieces.map(([left, text, isRtl = false], order) => ({
    text,
    left,
    right: left + text.length * 5,
    y: 100,
    size: 10,
    isRtl,
    isSpaced: false,
    isBold: false,
    isItalic: false,
    isMono: false,
    order,
  }))

const textOf = (...pieces: readonly Piece[]): string | undefined => findLines(findSegments(runs(pieces))).lines[0]?.text

describe('lines from right to left', () => {
  it('have words of the other direction in their own order', () => {
    expect(textOf([0, 'לקרוא שוב', true], [50, 'Chapter'], [90, 'Two'], [110, 'ואז אפשר', true])).toBe(
      'ואז אפשר Chapter Two לקרוא שוב',
    )
  })

  it('keep numbers in place, with their decimal points', () => {
    expect(textOf([0, '12'], [60, 'שם הפרק', true], [110, '1'], [116, '.'], [121, '3'])).toBe('1.3 שם הפרק 12')
  })

  it('are recognized by their letters, despite dot leaders', () => {
    expect(textOf([0, '7'], [30, '. . . . . . . . . . . . . . . . . . . . מבוא'], [280, '1'])).toBe(
      '1 מבוא . . . . . . . . . . . . . . . . . . . . 7',
    )
  })

  it('have brackets open to the left', () => {
    expect(textOf([0, ')מילה( אחרת', true])).toBe('(מילה) אחרת')
  })
})

describe('lines from left to right', () => {
  it('keep their order around a word of the other direction', () => {
    expect(textOf([0, 'The word'], [50, 'מילה', true], [80, 'is one (of many)'])).toBe('The word מילה is one (of many)')
  })
})

it('superscripts that are little smaller than the text stand in its line', () => {
  const [before, raised, after] = runs([
    [0, 'x'],
    [5, '2'],
    [10, ' and more'],
  ])
  const drawn = [before, { ...raised, y: 95.5, size: 8.9 }, after].filter((run) => run !== undefined) as Run[]
  const { lines } = findLines(findSegments(drawn))
  expect(lines.map(({ text }) => text)).toEqual(['x2 and more'])
  expect(lines[0]?.runs.map(({ isRaised }) => isRaised === true)).toEqual([false, true, false])
})

it('the number at the beginning of a footnote is raised, and the text keeps its baseline', () => {
  const drawn = runs([
    [0, '1'],
    [5, 'See the'],
    [45, 'report of'],
  ]).map((run, at) => (at === 0 ? { ...run, y: 95.5, size: 8.9 } : run))
  const segments = findSegments(drawn)
  expect(segments.map(({ y }) => y)).toEqual([100])
  const [line, ...more] = findLines(segments).lines
  expect(more).toEqual([])
  expect(line?.y).toBe(100)
  expect(line?.runs.map(({ isRaised }) => isRaised === true)).toEqual([true, false, false])
})

describe('signs beside words of the other direction', () => {
  it.each<[string, ...Piece[]]>([
    ['הכתובת היא example.org.', [0, '.example.org'], [60, ' '], [70, 'הכתובת היא', true]],
    ['הכתובת היא example.org.', [0, '.'], [5, 'example'], [40, '.'], [45, 'org'], [70, 'הכתובת היא', true]],
    ['מה זה Wi-Fi?', [0, '?Wi-Fi'], [40, 'מה זה', true]],
    ['פלטפורמת .NET', [0, 'NET.'], [30, 'פלטפורמת', true]],
    [
      'הספר "Harbour Lights" שלי על המגדלור',
      [-60, 'שלי על המגדלור', true],
      [25, '"Harbour Lights"'],
      [110, 'הספר', true],
    ],
    ['ספר Ab, ועוד', [0, 'ועוד', true], [25, ',Ab'], [45, 'ספר', true]],
  ])('stand at the end of the sentence: %s', (text, ...pieces) => {
    expect(textOf(...pieces)).toBe(text)
  })

  it('tell the direction of lines in which names are longer than the text', () => {
    expect(textOf([0, '!Harbour Lights and Boats'], [140, 'הספר נקרא', true])).toBe(
      'הספר נקרא Harbour Lights and Boats!',
    )
    expect(textOf([0, 'The lights are called'], [110, 'מגדלור', true], [140, '.'])).toBe(
      'The lights are called מגדלור.',
    )
  })
})
