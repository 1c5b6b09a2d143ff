import { describe, expect, it, vi } from 'vitest'
import { matchesPattern } from '../../../src/content/robots/robots-pattern.js'
import { type Characters, searchLinear } from '../../../src/content/robots/linear-search.js'

/** A text that counts how often a character of it is read. */
function counted(text: string): Characters & { reads: number } {
  return {
    reads: 0,
    length: text.length,
    charCodeAt(index) {
      this.reads += 1
      return text.charCodeAt(index)
    },
  }
}

/** All texts of these characters, up to this length. */
const listTexts = (length: number): string[] =>
  length === 0 ? [''] : listTexts(length - 1).flatMap((text) => [text, `${text}a`, `${text}b`])

describe('the search for a piece of a pattern', () => {
  it('finds what `indexOf` finds', () => {
    const pieces = [...new Set(listTexts(4))]
    for (const text of new Set(listTexts(7))) {
      for (const piece of pieces) {
        for (const from of [0, 2]) {
          if (from <= text.length) expect(searchLinear(text, piece, from)).toBe(text.indexOf(piece, from))
        }
      }
    }
  })

  it('reads each character of the text once, and of the piece a few times, even where each position nearly matches', () => {
    const text = counted('a'.repeat(7800))
    const piece = counted(`${'a'.repeat(600)}b`)
    expect(searchLinear(text, piece, 0)).toBe(-1)
    expect(text.reads).toBeLessThanOrEqual(7800)
    expect(piece.reads).toBeLessThan(4 * (7800 + 601))
  })

  it('is that of patterns: no text is searched by a long piece in another way', () => {
    const indexOf = vi.spyOn(String.prototype, 'indexOf')
    expect(matchesPattern(`/*${'a'.repeat(600)}b*x`, [`/${'a'.repeat(7800)}`])).toBe(false)
    expect(matchesPattern('/*ab*x$', ['/aab/x'])).toBe(true)
    const searched = indexOf.mock.calls.map(([piece]) => piece.length)
    indexOf.mockRestore()
    expect(searched.filter((length) => length > 100)).toEqual([])
  })
})
