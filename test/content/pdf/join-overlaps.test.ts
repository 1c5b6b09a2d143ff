import { describe, expect, it } from 'vitest'
import { joinOverlaps } from '../../../src/content/pdf/objects/join-overlaps.js'
import type { Run } from '../../../src/content/pdf/page-text.js'

/** Text at a place of a line, in a font of size 10 with characters of width 5. */
type Piece = readonly [text: string, left: number, y?: number]

const runOf = ([text, left, y = 0]: Piece, order: number): Run => ({
  text,
  left,
  right: left + 5 * text.length,
  y,
  size: 10,
  isBold: false,
  isItalic: false,
  isMono: false,
  isRtl: false,
  isSpaced: false,
  order,
})

const textsOf = (...pieces: readonly Piece[]): string[] => joinOverlaps(pieces.map(runOf)).map(({ text }) => text)

describe('what is drawn over each other', () => {
  it.each<[string, readonly Piece[], readonly string[]]>([
    [
      'is a letter and the accent before it',
      [
        ['Poincar´', 0],
        ['e said', 35],
      ],
      ['Poincar', 'é said'],
    ],
    [
      'is a letter and the accent after it',
      [
        ['Poincare', 0],
        ['´ said', 35],
      ],
      ['Poincaré', ' said'],
    ],
    [
      'may be several in a word',
      [
        ['J´', 0],
        ['erˆ', 5],
        ['ome', 15],
      ],
      ['J', 'ér', 'ôme'],
    ],
    [
      'may be an accent raised above a capital',
      [
        ['´', 0, 3],
        ['Ecole', 0],
      ],
      ['École'],
    ],
    [
      'may be a letter without its dot',
      [
        ['Mikul´', 0],
        ['ık', 25],
      ],
      ['Mikul', 'ík'],
    ],
    [
      'may be bold type, drawn character by character',
      [
        ['A', 0],
        ['AM', 0.1],
        ['MP', 5.1],
      ],
      ['A', 'M', 'P'],
    ],
    [
      'is not an accent beside a letter',
      [
        ['´', 0],
        ['e', 5],
      ],
      ['´', 'e'],
    ],
    [
      'is not a letter that has no such accent',
      [
        ['x´', 0],
        ['q', 5],
      ],
      ['x´', 'q'],
    ],
    [
      'is not the same letter in the next word',
      [
        ['all', 0],
        ['lo', 15],
      ],
      ['all', 'lo'],
    ],
    [
      'is not a letter in another line',
      [
        ['Poincar´', 0],
        ['e', 35, 12],
      ],
      ['Poincar´', 'e'],
    ],
  ])('%s', (_, pieces, texts) => {
    expect(textsOf(...pieces)).toEqual(texts)
  })

  it('keeps the places of words', () => {
    const [before, after] = joinOverlaps([runOf(['Poincar´', 0], 0), runOf(['e', 35], 1)])
    expect([before?.right, after?.left]).toEqual([35, 35])
  })
})
