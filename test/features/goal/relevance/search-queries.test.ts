import { describe, expect, it } from 'vitest'
import { writeQueries } from '../../../../src/features/goal/relevance/search-queries.js'

describe('queries for a search page', () => {
  it.each([
    ['What is the refund policy for annual plans?', ['refund policy annual plans', 'refund policy']],
    ['How does it retry a page that answers 429?', ['retry page answers 429', 'answers 429']],
    ['refund policy', ['refund policy', 'refund']],
    ['Refunds', ['Refunds']],
    ['the', ['the']],
    ["comment annuler l'abonnement d'été", ['annuler abonnement été', 'annuler abonnement']],
    ['use "node.js" & C++ -minus (e-mail) foo* site:x', ['node.js C++ minus mail foo site x', 'node.js minus']],
    ['refund 🎉 refund \ud800', ['refund']],
    ['年度计划的退款政策', ['年度 计划 退款 政策', '年度 计划']],
    ['../../etc/passwd?a=b&c#d', ['etc passwd b c d', 'etc passwd']],
    ['🎉', []],
  ])('%s', (goal, expected) => {
    expect(writeQueries(goal)).toEqual(expected)
  })

  it('are short, however long the goal is', () => {
    for (const goal of ['word '.repeat(2000), 'x'.repeat(10_000), '字'.repeat(10_000), `${'a-'.repeat(5000)}b`]) {
      const queries = writeQueries(Array.from(goal, (char, at) => (char === ' ' ? `${at} ` : char)).join(''))
      expect(queries.length).toBeGreaterThan(0)
      for (const query of queries) expect(query.length).toBeLessThanOrEqual(150)
    }
  })
})
