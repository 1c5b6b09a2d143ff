import { describe, expect, it } from 'vitest'
import { countWords, wordsIn } from '../../../src/base/text/words-in.js'

describe('the words of a text', () => {
  it('are its letters, digits and underscores in lower case', () => {
    expect(wordsIn('Größe: 42 px, snake_case')).toEqual(['größe', '42', 'px', 'snake_case'])
  })

  it.each([
    ['', 0],
    [' — … ', 0],
    ['It’s the 3rd “test”', 5],
    ['Größe: 42 px', 3],
    ['Быстрая лиса', 2],
    ['日本語 テキスト', 2],
    ['a 𝒳𝒴 b', 3],
  ])('are counted in %j as %i', (text, count) => {
    expect(countWords(text)).toBe(count)
  })
})
