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

it('A page with the reviews of a thing in its microdata is no article', () => {
  const markedUp = (outer: string, inner: string): string =>
    findPageKind(
      parseHtml(
        `<div itemscope itemtype="https://schema.org/${outer}"><p>Ebb</p><div ${inner} itemscope itemtype="https://schema.org/Review">Good</div></div>`,
      ),
    )
  for (const name of ['review', 'reviews']) expect(markedUp('Product', `itemprop="${name}"`)).toBe('other')
  expect(markedUp('NewsArticle', 'itemprop="review"')).toBe('article')
  expect(markedUp('WebPage', '')).toBe('article')
})

it.each([
  ['https://boards.greenhouse.io/acme', 'other'],
  ['https://boards.greenhouse.io/acme/jobs/4012345?gh_jid=4012345', 'other'],
  ['https://board.town.example/members', 'other'],
  ['https://board.example/index.php?topic=81.0', 'discussion'],
  ['https://boards.example/index.php?showtopic=81', 'discussion'],
  ['https://boards.example/showthread.php?t=81', 'discussion'],
  ['https://boards.example/g/thread/81', 'discussion'],
  ['https://forum.example/81', 'discussion'],
])('A page at %s is of the kind %s by its address', (url, kind) => {
  expect(findPageKind(parseHtml('<p>Ebb</p>', {}, url))).toBe(kind)
})
