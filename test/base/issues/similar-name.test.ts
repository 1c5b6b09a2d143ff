import { describe, expect, it } from 'vitest'
import { findSimilarName } from '../../../src/base/issues/similar-name.js'

const names = ['markdown', 'html', 'rawHtml', 'links', 'images', 'json', 'changeTracking', 'onlyMainContent']

describe('findSimilarName', () => {
  it.each([
    ['Markdown', 'markdown'],
    ['link', 'links'],
    ['raw-html', 'rawHtml'],
    ['CHANGE_TRACKING', 'changeTracking'],
    ['jsom', 'json'],
    ['onlyMainContnet', 'onlyMainContent'],
    ['lniks', 'links'],
  ])('finds for %s the name %s', (word, name) => {
    expect(findSimilarName(word, names)).toBe(name)
  })

  it.each(['', 'pdf', 'text', 'x'.repeat(100_000)])('finds no name for %.10s', (word) => {
    expect(findSimilarName(word, names)).toBeUndefined()
  })
})
