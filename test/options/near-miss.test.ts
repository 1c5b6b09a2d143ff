import { describe, expect, it } from 'vitest'
import { findNearMiss } from '../../src/options/issues/near-miss.js'

const names = ['markdown', 'html', 'rawHtml', 'links', 'images', 'json', 'changeTracking', 'onlyMainContent']

describe('findNearMiss', () => {
  it.each([
    ['Markdown', 'markdown'],
    ['link', 'links'],
    ['raw-html', 'rawHtml'],
    ['CHANGE_TRACKING', 'changeTracking'],
    ['jsom', 'json'],
    ['onlyMainContnet', 'onlyMainContent'],
    ['lniks', 'links'],
  ])('takes %s for %s', (word, name) => {
    expect(findNearMiss(word, names)).toBe(name)
  })

  it.each(['', 'pdf', 'text', 'x'.repeat(100_000)])('takes %.10s for nothing', (word) => {
    expect(findNearMiss(word, names)).toBeUndefined()
  })
})
