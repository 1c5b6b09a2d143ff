import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../src/extract/blocks/read-blocks.js'
import { findHeadline } from '../../src/extract/selection/find-headline.js'
import { parseHtml } from '../parse/pages.js'

const PROSE = '<p>The tide rises and falls twice a day, and every harbour has its own table of it. </p>'
const TITLE = 'Tide tables of the north coast'

/** Finds the headline of a page of which the blocks with a text are kept. */
function headlineOf(body: string, facts: Readonly<Record<string, string>> = {}, keptText = 'twice a day'): string[] {
  const root = parseHtml(`<body>${body}</body>`).tree.$('body')[0]
  if (root === undefined) throw new Error('the page has no body')
  const { blocks } = readBlocks(root, new Set())
  const kept = new Set(blocks.filter(({ text }) => text.includes(keptText)))
  return findHeadline(blocks, kept, { title: `${TITLE} | Harbour News`, ...facts }).map(({ text }) => text)
}

describe('the headline of a page', () => {
  it.each([
    ['above the text, far from it', `<div class="hero"><h1>${TITLE}</h1></div><div><i>Share</i>${PROSE}</div>`],
    ['of another level', `<h1>Harbour News</h1><h2>${TITLE}</h2>${PROSE}`],
    [
      'in an element with the text that is named after a side bar',
      `<div class="with-sidebar"><h1>${TITLE}</h1>${PROSE}</div>`,
    ],
    ['that the bar above the page repeats', `<div><h3>${TITLE}</h3></div><h1>${TITLE}</h1>${PROSE}`],
  ])('is found: %s', (_, body) => {
    expect(headlineOf(body)).toEqual([TITLE])
  })

  it('has all lines of its heading', () => {
    const body = `<h1><div>Coast:</div><div>${TITLE}</div></h1>${PROSE}`
    expect(headlineOf(body, { title: `Coast: ${TITLE}` })).toEqual(['Coast:', TITLE])
  })

  it('is the one that `og:title` says', () => {
    expect(headlineOf(`<h1>${TITLE}</h1>${PROSE}`, { title: 'Home', 'og:title': TITLE })).toEqual([TITLE])
  })

  it.each([
    [
      'the name of the site',
      `<h1>Harbour News</h1>${PROSE}`,
      { title: 'Harbour News', 'og:site_name': 'Harbour News' },
    ],
    ['the name of a section', `<h1>The north coast</h1>${PROSE}`, {}],
    ['the last of the breadcrumbs', `<nav><h1>${TITLE}</h1></nav>${PROSE}`, {}],
    ['in a side bar', `<aside><h2>${TITLE}</h2></aside>${PROSE}`, {}],
    ['below the text', `${PROSE}<h2>${TITLE}</h2>`, {}],
    ['a paragraph', `<p>${TITLE}</p>${PROSE}`, {}],
    ['a page without a title', `<h1>${TITLE}</h1>${PROSE}`, { title: '' }],
  ])('is not %s', (_, body, facts) => {
    expect(headlineOf(body, facts)).toEqual([])
  })

  it('is not added where it is kept already', () => {
    expect(headlineOf(`<div><h3>${TITLE}</h3></div><h1>${TITLE}</h1>${PROSE}`, {}, 'a')).toEqual([])
  })
})
