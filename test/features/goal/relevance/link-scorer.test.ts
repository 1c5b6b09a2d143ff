import { describe, expect, it } from 'vitest'
import type { LinkWords } from '../../../../src/features/goal/relevance/goal-matcher.js'
import { readGoalTerms } from '../../../../src/features/goal/relevance/goal-words.js'
import { LINK_WEIGHTS, LinkScorer } from '../../../../src/features/goal/relevance/link-scorer.js'

/** Terms of a goal of so many words, without phrases. */
const terms = (size: number) => readGoalTerms(Array.from({ length: size }, (_, nth) => `n${nth}`).join(', '))
const words = (parts: Partial<LinkWords>): LinkWords => ({ anchor: 0, path: 0, heading: 0, near: 0, ...parts })
const scoreOf = (scorer: LinkScorer, parts: Partial<LinkWords>, folder = '/', page = 0): number =>
  scorer.score({ words: words(parts), folder, depth: 1, page }).score

describe('the score of a link', () => {
  it('has weights whose sum is 1', () =>
    expect(Object.values(LINK_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1))

  it('rises with each part, up to 1', () => {
    const scorer = new LinkScorer(terms(2))
    expect(scoreOf(scorer, { anchor: 0b01 })).toBeGreaterThan(scoreOf(scorer, {}))
    expect(scoreOf(scorer, { anchor: 0b11 })).toBeGreaterThan(scoreOf(scorer, { anchor: 0b01 }))
    expect(scoreOf(scorer, { anchor: 1, near: 1 })).toBeGreaterThan(scoreOf(scorer, { anchor: 1 }))
    expect(scoreOf(scorer, {}, '/', 0.5)).toBeGreaterThan(scoreOf(scorer, {}))
    expect(scoreOf(scorer, { anchor: 3, path: 3, near: 3, heading: 3 }, '/', 1)).toBeLessThanOrEqual(1)
  })

  it('is 0.4 of the words and 0.6 of the search index of the site, where the site has one', () => {
    const scorer = new LinkScorer(terms(2))
    const link = { words: words({ anchor: 0b11 }), folder: '/', depth: 1, page: 0 }
    const { score } = scorer.score(link)
    expect(scorer.score(link)).not.toHaveProperty('index')
    expect(scorer.score({ ...link, index: 0.5 })).toMatchObject({ index: 0.5 })
    expect(scorer.score({ ...link, index: 0.5 }).score).toBeCloseTo(0.4 * score + 0.3, 2)
    expect(scorer.score({ ...link, index: 0 }).score).toBeCloseTo(0.4 * score, 2)
  })

  it('counts a word less the more pages of the search index have it', () => {
    const scorer = new LinkScorer(terms(2))
    scorer.model.addCounts({ pages: 100, pagesWith: [90, 2] })
    for (let page = 0; page < 10; page += 1) scorer.addPage({ words: 100, counts: [0, 3], title: 0 }, '/')
    expect(scoreOf(scorer, { anchor: 0b10 })).toBeGreaterThan(2 * scoreOf(scorer, { anchor: 0b01 }))
  })

  it('counts a word less the more pages have it', () => {
    const scorer = new LinkScorer(terms(2))
    for (let page = 0; page < 10; page += 1)
      scorer.addPage({ words: 100, counts: [3, page === 0 ? 3 : 0], title: 0 }, '/')
    expect(scoreOf(scorer, { anchor: 0b10 })).toBeGreaterThan(2 * scoreOf(scorer, { anchor: 0b01 }))
  })

  it('rises with the relevance of the pages in its folder', () => {
    const scorer = new LinkScorer(terms(1))
    for (let page = 0; page < 5; page += 1) {
      scorer.addPage({ words: 100, counts: [5], title: 1 }, '/good/')
      scorer.addPage({ words: 100, counts: [0], title: 0 }, '/dull/')
    }
    expect(scoreOf(scorer, {}, '/good/')).toBeGreaterThan(scoreOf(scorer, {}, '/unknown/'))
    expect(scoreOf(scorer, {}, '/unknown/')).toBeGreaterThan(scoreOf(scorer, {}, '/dull/'))
  })
})
