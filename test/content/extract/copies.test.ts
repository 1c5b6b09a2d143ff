import { describe, expect, it } from 'vitest'
import type { ContentKind } from '../../../src/content/extract/blocks/page-kind.js'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findCopies } from '../../../src/content/extract/selection/copies.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'
import { extractHtml, textIn } from './contents.js'

/** Finds copies among the blocks of a page of which all are kept but the given ones. */
function find(html: string, kind: ContentKind = 'other', dropped: readonly number[] = []): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const { blocks } = readBlocks(body, findNeverShown(body))
  const kept = new Set(blocks.filter(({ at }) => !dropped.includes(at)))
  return findCopies(blocks, kept, kind).map(({ at, text }) => `${at} ${text}`)
}

const text = 'A mug for tea and coffee, made of stoneware.'

describe('copies of a text', () => {
  it.each([
    ['wide and narrow screens', `<div class="desktop"><p>${text}</div><div class="mobile"><p>${text}</div>`],
    ['narrow screens only', `<div><p>${text}</div><div class="textMobile"><p>${text}</div>`],
    ['some sizes, named by one framework', `<p class="d-none d-md-block">${text}</p><p class="d-md-none">${text}</p>`],
    [
      'some sizes, named by another',
      `<p class="hidden md:block">${text}</p><div><p class="md:hidden">${text}</p></div>`,
    ],
    ['sizes that a class names', `<div class="hidden-xs"><p>${text}</div><div class="visible-xs"><p>${text}</div>`],
    ['sizes after the word', `<div><p>${text}</div><div class="show-for-small-only"><p>${text}</div>`],
    ['a slide that comes round', `<div class="slide"><p>${text}</div><div class="slide slick-cloned"><p>${text}</div>`],
  ])('are the second one if they are for %s', (_, html) => {
    expect(find(html)).toEqual([`1 ${text}`])
  })

  it('are the first one if only that is for some screens, so that a text stays in its place', () => {
    const heading = '<h2>How to wash a mug of stoneware by hand</h2>'
    const contents = '<ul class="desktop"><li>How to wash a mug of stoneware by hand</ul>'
    expect(find(`${contents}${heading}<p>${text}`)).toEqual(['0 How to wash a mug of stoneware by hand'])
  })

  it('are those on the slides of further pictures', () => {
    const slide = (picture: string): string => `<div class="swiper-slide"><img src="${picture}.png"><p>${text}</div>`
    expect(find(['a', 'b', 'c'].map(slide).join(''))).toEqual([`1 ${text}`, `2 ${text}`])
    const other = `<div class="swiper-slide"><p>A bowl, in three colours.</div>`
    expect(find(`${slide('a')}${other}${slide('b')}`)).toEqual([`2 ${text}`])
  })

  it('stay if the first is dropped', () => {
    const html = `<div class="desktop"><p>${text}</div><div class="mobile"><p>${text}</div>`
    expect(find(html, 'other', [0])).toEqual([])
  })

  it.each([
    ['the descriptions of two functions', `<dl><dt>open()<dd>${text}<dt>close()<dd>${text}</dl>`],
    ['two cards of a price list', `<div class="card"><li>${text}</div><div class="card"><li>${text}</div>`],
    [
      'one element for some screens',
      `<div class="mobile"><div class="card"><p>${text}</div><div class="card"><p>${text}</div></div>`,
    ],
    [
      'cards for some screens that differ otherwise',
      `<div class="mobile"><h3>A blue mug with two handles and a lid</h3><p>${text}</div>
      <div class="mobile"><h3>A white mug without a handle or a lid</h3><p>${text}</div>`,
    ],
    [
      'elements whose names of sizes are about their looks',
      ['rounded-lg block', 'leading-none text-sm', 'wp-block-image size-large', 'lg:overflow-hidden', 'lg:flex']
        .map((name) => `<div class="${name}"><p>${text}</div>`)
        .join(''),
    ],
    ['tables', `<table class="desktop"><tr><td>${text}</table><table class="mobile"><tr><td>${text}</table>`],
    ['a quotation and an article', `<p>${text}</p><blockquote><p>${text}</blockquote>`],
  ])('stay in %s', (_, html) => {
    expect(find(html)).toEqual([])
  })

  it('stay if they have two words', () => {
    expect(find('<p class="desktop">Free shipping</p><p class="mobile">Free shipping</p>')).toEqual([])
  })

  it('are what a quotation in a discussion repeats of a post', () => {
    const post = `<div class="post"><p>${text}</p></div>`
    const quoting = (tag: string): string =>
      `${post}<div class="post"><${tag}<p>${text}</p></div><p>Where is it sold?</p></div>`
    expect(find(quoting('blockquote>'), 'discussion')).toEqual([`1 ${text}`])
    expect(find(quoting('div class="bbcode_quote">'), 'discussion')).toEqual([`1 ${text}`])
  })

  it('stay in a discussion in two posts that can be quoted, and in a quotation of another page', () => {
    const post = `<div class="post js-selectToQuote"><p>${text}</p></div>`
    expect(find(post + post, 'discussion')).toEqual([])
    expect(find('<p>What is this?</p><blockquote>A mug for tea and coffee.</blockquote>', 'discussion')).toEqual([])
  })
})

describe('a page with copies', () => {
  const paragraphs = Array.from({ length: 8 }, (_, at) => `<p>${at}. ${text} ${text.toLowerCase()}</p>`).join('')
  const part = (name: string, picture: string): string =>
    `<div class="${name}"><h2>Details</h2><img src="/${picture}.jpg">${paragraphs}</div>`
  const html = `<main><h1>Mugs of all kinds</h1>${part('desktop', 'wide')}${part('mobile', 'narrow')}</main>`

  it('has each text once, with its headings, and all pictures', () => {
    const page = extractHtml(html, { onlyMainContent: true })
    const content = textIn(page)
    for (const once of ['Details', '0. A mug', '7. A mug']) expect(content.split(once)).toHaveLength(2)
    expect(page.tree.$('img').length).toBe(2)
  })
})
