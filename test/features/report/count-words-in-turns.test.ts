import { describe, expect, it } from 'vitest'
import { countWordsInTurns } from '../../../src/features/report/write-report.js'
import { countWords } from '../../../src/base/text/words-in.js'
import { countTurns } from '../../base/concurrency/count-turns.js'

describe('counting the words of a long text', () => {
  it.each([
    ['no text', ''],
    ['words beyond ASCII', 'слово и ещё одно. '.repeat(20_000)],
    ['words of ASCII', 'plain words, 12 of them_all. '.repeat(10_000)],
    ['one long word', `${'x'.repeat(300_000)} end`],
    ['letters of two units', `a${'𝒜'.repeat(150_000)}`],
    ['symbols of two units', `a${'😀'.repeat(150_000)} end`],
    ['a space at the end of each part', 'x '.repeat(150_000)],
  ])('gives the number that counting it at once gives: %s', async (_, text) => {
    expect(await countWordsInTurns(text)).toBe(countWords(text))
  })

  it('lets the host go on meanwhile', async () => {
    const text = 'слово и ещё одно. '.repeat(200_000)
    const { result, turns } = await countTurns(() => countWordsInTurns(text))
    expect(result).toBe(800_000)
    expect(turns).toBeGreaterThan(20)
  })
})
