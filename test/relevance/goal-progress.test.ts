import { describe, expect, it } from 'vitest'
import { GoalProgress } from '../../src/relevance/goal-progress.js'
import { RelevanceModel } from '../../src/relevance/relevance-model.js'

const until = { gain: 0.02, pages: 10 }

/** Adds pages of this relevance. @returns their number when enough is known, or at most 200 */
function addUntilKnown(progress: GoalProgress, relevance: number, { isHub = false, count = 4 } = {}): number {
  const model = new RelevanceModel(2)
  for (let page = 1; page <= 200; page += 1) {
    const words = { words: 100, counts: [count, 0], title: 0 }
    model.add(words)
    progress.add({ url: `https://example.com/${page}`, ...words, relevance, isHub }, model)
    if (progress.isKnown(until)) return page
  }
  return Infinity
}

describe('the expected gain of the next page', () => {
  it('ends a crawl that has found much, and one that finds nothing', () => {
    expect(addUntilKnown(new GoalProgress(['a', 'b']), 0.7)).toBeLessThan(60)
    const nothing = addUntilKnown(new GoalProgress(['a', 'b']), 0, { count: 0 })
    expect(nothing).toBeGreaterThan(90)
    expect(nothing).toBeLessThan(110)
  })

  it('is not lowered by hubs', () =>
    expect(addUntilKnown(new GoalProgress(['a', 'b']), 0, { isHub: true, count: 0 })).toBe(Infinity))

  it('ends no crawl before the minimum of pages, nor at another number of answers', () => {
    const progress = new GoalProgress(['a'])
    const model = new RelevanceModel(1)
    const page = { words: 10, counts: [3], title: 1, relevance: 0.9, isHub: false }
    for (const url of ['1', '2', '3']) progress.add({ url, ...page }, model)
    expect(progress.isKnown({ gain: 0.02, pages: 3, answers: 3 })).toBe(true)
    expect(progress.isKnown({ gain: 0.02, pages: 4, answers: 3 })).toBe(false)
    expect(progress.isKnown({ gain: 0.02, pages: 3, answers: 4 })).toBe(false)
  })
})

describe('the coverage of a goal', () => {
  it('has the best pages of each word, and the words that no page has', () => {
    const progress = new GoalProgress(['refund', 'policy'])
    const model = new RelevanceModel(2)
    for (const [at, relevance] of [0.1, 0.9, 0.3, 0.2, 0.4, 0.8, 0.7].entries()) {
      progress.add({ url: `/${at}`, words: 10, counts: [1, 0], title: 0, relevance, isHub: false }, model)
    }
    expect(progress.coverage).toMatchObject({
      covered: [{ word: 'refund', pages: 7, best: ['/1', '/5', '/6', '/4', '/2'] }],
      missing: ['policy'],
      answers: 3,
    })
  })
})
