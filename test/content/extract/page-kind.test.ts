import { expect, it } from 'vitest'
import { findPageKind } from '../../../src/content/extract/blocks/page-kind.js'
import { parseHtml } from '../parse/pages.js'

const kindOf = (...objects: object[]): string =>
  findPageKind(parseHtml(`<script type="application/ld+json">${JSON.stringify(objects)}</script><p>Ebb</p>`))
const reviews = [
  { '@type': 'Review', reviewBody: 'Good' },
  { '@type': 'Review', reviewBody: 'Bad' },
]

it('A page with the reviews of a thing is no article', () => {
  for (const thing of ['Product', 'Recipe', 'MusicEvent'])
    expect(kindOf({ '@type': thing, review: reviews })).toBe('other')
})

it('A page that is a review, or has an article about a thing, is an article', () => {
  expect(kindOf({ '@type': 'Review', itemReviewed: { '@type': 'Book' } })).toBe('article')
  expect(kindOf({ '@type': 'NewsArticle' }, { '@type': 'Product', review: reviews })).toBe('article')
})
