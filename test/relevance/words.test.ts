import { describe, expect, it } from 'vitest'
import { GoalMatcher } from '../../src/relevance/goal-matcher.js'
import { MAX_GOAL_WORDS, readGoalWords } from '../../src/relevance/goal-words.js'
import { visitWords } from '../../src/relevance/split-words.js'
import { areForms } from '../../src/relevance/word-forms.js'

const wordsOf = (text: string): string[] => {
  const words: string[] = []
  visitWords(text, (word) => words.push(word))
  return words
}

describe('words of a text', () => {
  it.each([
    ['Create an index, quickly!', 'create an index quickly'],
    ['ScheduledExecutorService', 'scheduled executor service'],
    ['snake_case-and/path.html', 'snake case and path html'],
    ['Graphics2D base64', 'graphics2d base64'],
    ['Crème brûlée, Straße', 'creme brulee straße'],
    ['全文検索 test', '全文 文検 検索 test'],
    ['возврат средств', 'возврат средств'],
  ])('%s', (text, words) => expect(wordsOf(text).join(' ')).toBe(words))

  it('are cut when they are long', () => expect(wordsOf('x'.repeat(100_000))[0]?.length).toBe(40))
})

describe('forms of a word', () => {
  it.each([
    ['policy', 'policies'],
    ['index', 'indexing'],
    ['encrypt', 'encryption'],
    ['parse', 'parsing'],
    ['schedule', 'scheduler'],
    ['rückgabe', 'rückgaben'],
    ['возврат', 'возврата'],
  ])('%s and %s are forms of one word', (one, other) =>
    expect([areForms(one, other), areForms(other, one)]).toEqual([true, true]),
  )

  it.each([
    ['string', 'strict'],
    ['list', 'listener'],
    ['run', 'runs'],
    ['utf16', 'utf1632'],
    ['inter', 'international'],
  ])('%s and %s are not', (one, other) => expect(areForms(one, other)).toBe(false))
})

describe('words of a goal', () => {
  it('are those of the question without stop words, each form once', () => {
    expect(readGoalWords('What is the refund policy for annual plans, and how do refunds work?')).toEqual([
      'refund',
      'policy',
      'annual',
      'plans',
      'work',
    ])
  })

  it('are stop words in a goal of nothing else', () => expect(readGoalWords('who is who')).toEqual(['who', 'is']))

  it(`are at most ${MAX_GOAL_WORDS}`, () => {
    const goal = Array.from({ length: 100 }, (_, nth) => `n${nth}`).join(' ')
    expect(readGoalWords(goal)).toHaveLength(MAX_GOAL_WORDS)
  })

  it('are found inside of words of a path, and in encoded paths', () => {
    const matcher = new GoalMatcher(['index', 'create', 'uberall'])
    expect(matcher.setOfPath('https://example.com/sql-createindex.html')).toBe(0b011)
    expect(matcher.setOfPath('https://example.com/%C3%BCberall?a=%E0%A4%A')).toBe(0)
    expect(matcher.setOfPath('https://example.com/%C3%BCberall')).toBe(0b100)
    expect(matcher.setOfPath('https://index.example.com')).toBe(0)
  })
})
