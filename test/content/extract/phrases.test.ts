import { describe, expect, it } from 'vitest'
import { Phrases } from '../../../src/content/extract/measures/page-features.js'

describe('phrases of a text', () => {
  const phrases = new Phrases('The quick brown fox jumps', 3)

  it('returns the share of phrases that the text has', () => {
    expect(phrases.size).toBe(3)
    expect(phrases.shareOf(['the', 'quick', 'brown', 'fox', 'sleeps'])).toBe(2 / 3)
  })

  it('counts no words of the text that stand in another order', () => {
    expect(phrases.shareOf(['fox', 'brown', 'quick', 'the'])).toBe(0)
  })

  it('returns -1 for fewer than three words', () => {
    expect(phrases.shareOf(['the', 'quick'])).toBe(-1)
  })

  it('has no phrases of a text that is shorter than required', () => {
    expect(new Phrases('The quick brown fox jumps', 10).shareOf(['the', 'quick', 'brown'])).toBe(0)
  })
})
