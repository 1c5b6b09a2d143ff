import { assert, constantFrom, oneof, property, string, array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText } from '../../../src/features/search/words/fold-text.js'
import { foldWords } from '../../../src/features/search/words/fold-words.js'

/** Splits a text as the table of words does: at the signs of ASCII, without regard to the case of ASCII. */
const tokensOf = (text: string): string[] =>
  (text.match(/[\w\u0080-\u{10ffff}]+/gu) ?? []).map((word) => word.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))

describe('the text of the index', () => {
  it('has the words of a text, in their order', () => {
    for (const text of [
      'Set `shared_buffers` or parseHTTPHeader, HTTP and Html5 (JSON2, X1a).',
      '“Straße” – Café, cafe\u0301: ΟΔΟΣ οδός Øl',
      '年度订阅 is a plan; 환불 คืนเงิน',
      `a${'b'.repeat(60)} word ${'é'.repeat(61)} next`,
      'a\0b \ud800 c',
      '',
    ])
      expect(tokensOf(foldText(text))).toEqual(tokensOf(foldWords(text).join(' ')))
    expect(foldText('plain words, and a list: 1. 2.')).toBe('plain words, and a list: 1. 2.')
  })

  it('has the words of any text', () => {
    const part = oneof(
      string({ unit: 'binary' }),
      constantFrom('aB', 'ABc', 'A', 'b', '1', '_', ' ', 'é', '订', '\u0301', 'Σ', '-', '’', '\u00a0'),
    )
    assert(
      property(array(part), (parts) => {
        const text = parts.join('')
        expect(tokensOf(foldText(text))).toEqual(tokensOf(foldWords(text).join(' ')))
      }),
      { numRuns: 500 },
    )
  })
})
