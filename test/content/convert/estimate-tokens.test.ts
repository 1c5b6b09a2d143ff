import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens, weigh } from '../../../src/content/convert/split/estimate-tokens.js'

describe('the estimate of tokens', () => {
  // True counts by `o200k_base`, the vocabulary of gpt-4o and its successors.
  it.each([
    [
      'Prose in English',
      37,
      'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and ' +
        'should act towards one another in a spirit of brotherhood, whatever they read.',
    ],
    [
      'Prose in German',
      53,
      'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und ' +
        'sollen einander im Geiste der Brüderlichkeit begegnen. Die Bundesausbildungsförderungsgesetzänderung tritt in Kraft.',
    ],
    [
      'Japanese',
      72,
      'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。',
    ],
    [
      'Arabic',
      42,
      'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.',
    ],
    ['code', 23, '```js\nconst total = items.reduce((sum, { price }) => sum + price, 0)\n```'],
    ['a table', 36, '| Name | Price | Stock |\n| --- | --- | --- |\n| Lamp | 12.50 | 3 |\n| Chair | 249.00 | 120 |'],
  ])('comes near to what a model counts in %s', (_, tokens, text) => {
    const estimate = estimateTokens(text)
    expect(estimate).toBeGreaterThan(0.8 * tokens)
    expect(estimate).toBeLessThan(1.35 * tokens)
  })

  it('is never greater for a text than for the sum of its parts', () => {
    const texts = (signs: string) => fc.string({ unit: fc.constantFrom(...signs.split('')) })
    const check = (seam: string) => (a: string, b: string) => {
      expect(weigh(a + seam + b)).toBeLessThanOrEqual(weigh(a) + weigh(seam) + weigh(b))
    }
    fc.assert(fc.property(texts('aZé0\n.*|я字ا'), texts('aZé0\n.*|я字ا'), check('')))
    fc.assert(fc.property(texts('a0 \n.字'), texts('a0 \n.字'), check('\n')))
  })

  it('is 0 for an empty text', () => expect(estimateTokens('')).toBe(0))
})
