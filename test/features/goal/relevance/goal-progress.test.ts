import { describe, expect, it } from 'vitest'
import { readGoalTerms } from '../../../../src/features/goal/relevance/goal-words.js'
import { GoalProgress } from '../../../../src/features/goal/relevance/goal-progress.js'
import { RelevanceModel } from '../../../../src/features/goal/relevance/relevance-model.js'

const [one, two] = [readGoalTerms('refund'), readGoalTerms('refund, policy')]
const until = { gain: 0.02, pages: 10 }

/** Adds pages of this relevance. @returns their number when enough is known, or Infinity after 600 */
function addUntilKnown(progress: GoalProgress, relevance: number, { isHub = false, counts = [4, 4] } = {}): number {
  const model = new RelevanceModel(two)
  for (let page = 1; page <= 600; page += 1) {
    const words = { words: 100, counts, title: 0 }
    model.add(words)
    progress.add({ url: `https://example.com/${page}`, ...words, relevance, isHub }, model)
    if (progress.isKnown(until)) return page
  }
  return Infinity
}

describe('the expected gain of the next page', () => {
  it('ends a crawl that has found much, and one that finds nothing', () => {
    expect(addUntilKnown(new GoalProgress(two), 0.9)).toBeLessThan(250)
    expect(addUntilKnown(new GoalProgress(two), 0, { counts: [0, 0] })).toBe(557)
  })

  it('falls the faster the better the best page answers the goal, and no faster with half an answer', () => {
    const [half, better, clear] = [0.5, 0.7, 0.9].map((relevance) => addUntilKnown(new GoalProgress(two), relevance))
    expect(half).toBeGreaterThan(550)
    expect(better).toBeLessThan(half ?? 0)
    expect(clear).toBeLessThan(better ?? 0)
  })

  it('falls more slowly while no page has a word of the goal', () => {
    const [all, some] = [
      [4, 4],
      [4, 0],
    ].map((counts) => addUntilKnown(new GoalProgress(two), 0.9, { counts }))
    expect(some).toBeGreaterThan(2 * (all ?? 0))
    expect(some).toBeLessThan(600)
  })

  it('is not lowered by hubs', () =>
    expect(addUntilKnown(new GoalProgress(two), 0, { isHub: true, counts: [0, 0] })).toBe(Infinity))

  it('ends no crawl before the minimum of pages, nor at another number of answers', () => {
    const progress = new GoalProgress(one)
    const model = new RelevanceModel(one)
    const page = { words: 10, counts: [3], title: 1, relevance: 0.9, isHub: false }
    for (const url of ['1', '2', '3']) progress.add({ url, ...page }, model)
    expect(progress.isKnown({ gain: 0.02, pages: 3, answers: 3 })).toBe(true)
    expect(progress.isKnown({ gain: 0.02, pages: 4, answers: 3 })).toBe(false)
    expect(progress.isKnown({ gain: 0.02, pages: 3, answers: 4 })).toBe(false)
  })
})

describe('the coverage of a goal', () => {
  it('has the best pages of each word, and the words that no page has', () => {
    const progress = new GoalProgress(two)
    const model = new RelevanceModel(two)
    for (const [at, relevance] of [0.1, 0.9, 0.3, 0.2, 0.4, 0.8, 0.7].entries()) {
      progress.add({ url: `/${at}`, words: 10, counts: [1, 0], title: 0, relevance, isHub: false }, model)
    }
    expect(progress.coverage).toMatchObject({
      covered: [{ text: 'refund', pages: 7, best: ['/1', '/5', '/6', '/4', '/2'] }],
      missing: ['policy'],
      answers: 3,
    })
  })

  it('has phrases in place of their words, and the words of phrases that no page has', () => {
    const terms = readGoalTerms('refund policy for annual plans')
    const [progress, model] = [new GoalProgress(terms), new RelevanceModel(terms)]
    // Refund, policy, annual, plans; "refund policy", "annual plans".
    progress.add({ url: '/a', words: 10, counts: [2, 1, 0, 3, 1, 0], title: 0, relevance: 0.4, isHub: false }, model)
    expect(progress.coverage.covered).toEqual([
      { text: 'refund policy', pages: 1, best: ['/a'] },
      { text: 'plans', pages: 1, best: ['/a'] },
    ])
    expect(progress.coverage.missing).toEqual(['annual plans', 'annual'])
  })
})
