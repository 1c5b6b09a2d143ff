import { describe, expect, it } from 'vitest'
import { hashTokens, readTokens } from '../../../src/base/text/fingerprint/tokens.js'

const countTokens = (text: string): number => hashTokens(text).length
const isSame = (one: string, other: string): boolean => hashTokens(one).join() === hashTokens(other).join()

function countByLine(text: string): number[] {
  const counts: number[] = []
  let count = 0
  const endLine = (): void => {
    counts.push(count)
    count = 0
  }
  const ignore = (): void => undefined
  readTokens(text, { token: () => (count += 1), target: ignore, mark: ignore, endLine })
  return counts
}

/** The words that only say where something leads, of a text of single letters. */
function listTargets(text: string): string {
  const letters = new Map('abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => [hashTokens(letter)[0], letter]))
  const found: string[] = []
  const ignore = (): void => undefined
  readTokens(text, {
    token: ignore,
    target: (hash) => found.push(letters.get(hash) ?? '?'),
    mark: ignore,
    endLine: ignore,
  })
  return found.join('')
}

describe('the tokens of a text', () => {
  it.each([
    ['', 0],
    [' \n — … “” ', 0],
    ['Hello, world!', 2],
    ['3.99 EUR', 3],
    ['naïve café', 2],
    ['Привет, мир', 2],
    ['안녕하세요 세계', 2],
    ['日本語の文', 5],
    ['日本、2026年', 4],
    ['สวัสดี', 6],
    ['مرحبا بالعالم', 2],
    ['ABC 1', 2],
    ['a_b-c', 3],
  ])('of %j are %i', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens)
  })

  it('do not depend on case and punctuation', () => {
    expect(isSame('Hello, WORLD', '“hello” — (world)')).toBe(true)
    expect(isSame('a b', 'b a')).toBe(false)
  })

  it('have no leading zeros in numbers', () => {
    expect(isSame('03.05.2026', '3.5.2026')).toBe(true)
    expect(isSame('0', '00')).toBe(true)
    expect(isSame('0', '')).toBe(false)
    expect(isSame('30', '3')).toBe(false)
  })

  it('are reported by line, without lines that have none', () => {
    expect(countByLine('a b\n\n\n - \nc\n')).toEqual([2, 1])
    expect(countByLine('\na b c')).toEqual([3])
    expect(countByLine('\n')).toEqual([])
  })

  it.each([
    ['[a](b/c) d', 'bc'],
    ['[a](b(c)d "e f") g', 'bcdef'],
    ['![a](b) [c](d)', 'bd'],
    ['a http://b.c/d e', '?bcd'],
    ['<HTTPS://a> (http://b) c', '?a?b'],
    ['[a](https://b "c") d', '?bc'],
    ['[a] (b) [c](d', ''],
    ['[a](b c) d', ''],
    ['a hut http: //b', ''],
  ])('of %j lead somewhere in %j', (text, targets) => {
    expect(listTargets(text)).toBe(targets)
  })
})
