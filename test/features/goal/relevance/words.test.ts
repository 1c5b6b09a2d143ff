import { describe, expect, it } from 'vitest'
import { GoalMatcher } from '../../../../src/features/goal/relevance/goal-matcher.js'
import { MAX_GOAL_PHRASES, MAX_GOAL_WORDS, readGoalTerms } from '../../../../src/features/goal/relevance/goal-words.js'
import { visitWords } from '../../../../src/features/goal/relevance/split-words.js'
import { areForms } from '../../../../src/features/goal/relevance/word-forms.js'

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
    ['Crème brûlée, Straße', 'creme brulee strasse'],
    ['全文検索 test', '全文 文検 検索 test'],
    ['возврат средств', 'возврат средств'],
    ['サーバーのデータ', 'サー ーバ バー ーの のデ デー ータ'],
    ['ｶﾞｲﾄﾞ か\u3099い', 'ガイ イド がい'],
    ['茶 お茶', '茶 お茶'],
    ['हिन्दी में', 'हिन्दी में'],
    ['العربيَّة', 'العربية'],
    ['ສະບາຍ', 'ສະ ະບ ບາ າຍ'],
  ])('%s', (text, words) => expect(wordsOf(text).join(' ')).toBe(words))

  it.each([
    ['QFileDialog', ['qfile file', 'dialog']],
    ['SQLite HTTPServer', ['sqlite lite', 'httpserver server']],
    ['HTTP X camelCase', ['http', 'x', 'camel', 'case']],
  ])('%s has the ends of names with several capital letters', (text, words) => {
    const found: string[] = []
    visitWords(text, (word, end) => found.push(end === undefined ? word : `${word} ${end}`))
    expect(found).toEqual(words)
  })

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

const readWords = (goal: string): readonly string[] => readGoalTerms(goal).words
const readPhrases = (goal: string): readonly string[] => readGoalTerms(goal).phrases.map(({ text }) => text)

describe('words of a goal', () => {
  it('are those of the question without stop words, each form once', () => {
    expect(readWords('What is the refund policy for annual plans, and how do refunds work?')).toEqual([
      'refund',
      'policy',
      'annual',
      'plans',
      'work',
    ])
  })

  it('are not the particles of other words', () => {
    expect(readWords("What's l'eau of Anna's e-mail?")).toEqual(['eau', 'anna', 'mail'])
    expect(readGoalTerms('茶').words).toEqual(['茶'])
    expect(new GoalMatcher(readGoalTerms('茶')).setOf('お茶の水')).toBe(1)
  })

  it('give phrases of texts without spaces as the goal has them', () =>
    expect(readPhrases('年間プランの返金 サーバー')).toEqual(['年間プランの返金 サーバー']))

  it('are stop words in a goal of nothing else', () => expect(readWords('who is who')).toEqual(['who', 'is']))

  it(`are at most ${MAX_GOAL_WORDS}, and at most ${MAX_GOAL_PHRASES} phrases`, () => {
    const { words, phrases } = readGoalTerms(Array.from({ length: 100 }, (_, nth) => `n${nth} m${nth},`).join(' '))
    expect(words).toHaveLength(MAX_GOAL_WORDS)
    expect(phrases).toHaveLength(MAX_GOAL_PHRASES)
    // A set of terms is the bits of one number.
    expect(MAX_GOAL_WORDS + MAX_GOAL_PHRASES).toBeLessThanOrEqual(31)
  })

  it('are found at the end of names, where the whole name is no word of the goal', () => {
    expect(new GoalMatcher(readGoalTerms('choose a file in a dialog')).setOf('QFileDialog')).toBe(0b110)
    const matcher = new GoalMatcher(readGoalTerms('lite, SQLite'))
    expect([matcher.setOf('SQLite'), matcher.setOf('QLite')]).toEqual([0b10, 0b01])
  })

  it('are found inside of words of a path, and in encoded paths', () => {
    const matcher = new GoalMatcher(readGoalTerms('index, create, uberall'))
    expect(matcher.setOfPath('https://example.com/sql-createindex.html')).toBe(0b011)
    expect(matcher.setOfPath('https://example.com/%C3%BCberall?a=%E0%A4%A')).toBe(0)
    expect(matcher.setOfPath('https://example.com/%C3%BCberall')).toBe(0b100)
    expect(matcher.setOfPath('https://index.example.com')).toBe(0)
  })
})

describe('phrases of a goal', () => {
  it.each([
    ['What is the refund policy for annual plans?', ['refund policy', 'annual plans']],
    ['Node.js streams, error handling', ['node js streams', 'error handling']],
    ['what does "point in time" recovery need', ['point in time', 'recovery need']],
    ['„Rückgabe von Waren“ im Ausland', ['ruckgabe von waren']],
    ['an "unclosed quote of words', ['unclosed quote']],
    ['refund policy and refund policies', ['refund policy', 'refund policies']],
    ['"refund" of a plan', []],
    ['refund refunds', []],
    ['全文検索', ['全文検索']],
  ])('%s', (goal, phrases) => expect(readPhrases(goal)).toEqual(phrases))

  it('are found as their words near each other, in any order and form', () => {
    const matcher = new GoalMatcher(readGoalTerms('annual plans'))
    const phrase = 0b100
    for (const text of ['Annual plans', 'plans that are annual', 'our annual subscription plan'])
      expect(matcher.setOf(text) & phrase).toBe(phrase)
    for (const text of ['annual', 'annual prices of all our many plans', 'plan'])
      expect(matcher.setOf(text) & phrase).toBe(0)
  })

  it('are found word by word where the goal quotes them', () => {
    const matcher = new GoalMatcher(readGoalTerms('"point in time" recovery'))
    const phrase = 0b1000
    expect(matcher.setOf('a point-in-time recovery') & phrase).toBe(phrase)
    expect(matcher.setOf('at that point, in good time') & phrase).toBe(0)
    expect(matcher.setOf('time in point') & phrase).toBe(0)
  })

  it('are found in texts that continue each other, and not across blocks', () => {
    const matcher = new GoalMatcher(readGoalTerms('annual plans'))
    const counts = [0, 0, 0]
    matcher.read('annual ', counts)
    expect(matcher.read('plans', counts).set).toBe(0b110)
    matcher.endBlock()
    matcher.read('annual', counts)
    matcher.endBlock()
    matcher.read('plans', counts)
    expect(counts).toEqual([2, 2, 1])
  })
})
