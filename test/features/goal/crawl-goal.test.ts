import { expect, it } from 'vitest'
import { CrawlGoal } from '../../../src/features/goal/crawl-goal.js'
import { readGoalTerms } from '../../../src/features/goal/relevance/goal-words.js'

const createGoal = (): CrawlGoal => new CrawlGoal({ text: 'refund policy', terms: readGoalTerms('refund, policy') })
const NONE = { anchor: 0, path: 0, heading: 0, near: 0 }

/** Rates links in the order of a page. @returns the first number of the place of each */
const placesOf = (goal: CrawlGoal, links: readonly { readonly url: string; readonly anchor: number }[]): number[] =>
  links.map(({ url, anchor }, index) => {
    const link = { url, text: '', found: { ...NONE, anchor } }
    return goal.rate(link, { depth: 1, index, key: url, relevance: 0 }).place[0]
  })

const family = (count: number, anchor: number) =>
  Array.from({ length: count }, (_link, nth) => ({ url: `https://example.com/family/${nth}.html`, anchor }))

it('lets links of a page into one folder with the same words come later and later, up to 500 pages', () => {
  const places = placesOf(createGoal(), family(150, 1))
  const [first = 0] = places
  expect(places.slice(0, 4).map((place) => place - first)).toEqual([0, 5, 10, 15])
  expect((places.at(-1) ?? 0) - first).toBe(500)
})

it('counts anew on each page, by folder and by words, and not at all without a word of the goal', async () => {
  const goal = createGoal()
  const [one, two] = [family(1, 1), family(1, 2)]
  const [first, other, next] = placesOf(goal, [...one, ...two, { url: 'https://example.com/other/1.html', anchor: 1 }])
  expect(new Set([first, other, next]).size).toBe(1)
  expect(new Set(placesOf(goal, family(9, 0))).size).toBe(1)
  const [before = 0] = placesOf(goal, one)
  await goal.addPage('https://example.com/', { found: undefined, links: [] })
  expect(placesOf(goal, one)[0]).toBeLessThan(before)
})

it('does not count the pages of a sitemap, and fetches one more page at once after each eight', async () => {
  const goal = createGoal()
  const places = [0, 1, 2].map((index) => {
    const link = { url: `https://example.com/refund/${index}`, text: '' }
    return goal.rate(link, { depth: 1, index, key: link.url }).place[0]
  })
  expect(new Set(places).size).toBe(1)
  for (let page = 1; page <= 16; page += 1) {
    expect(goal.maxPagesAtOnce).toBe(page <= 8 ? 1 : 2)
    await goal.addPage(`https://example.com/${page}`, { found: { words: 10, counts: [0, 0], title: 0 }, links: [] })
  }
  expect(goal.maxPagesAtOnce).toBe(3)
})
