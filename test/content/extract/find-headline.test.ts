import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findHeadline } from '../../../src/content/extract/selection/find-headline.js'
import { parseHtml } from '../parse/pages.js'

const PROSE = '<p>The tide rises and falls twice a day, and every harbour has its own table of it. </p>'
const TITLE = 'Tide tables of the north coast'

/** Finds the headline of a page of which the blocks with a text are kept. */
const headlineOf = (...page: Parameters<typeof changesOf>): string[] => changesOf(...page).added

/** Finds what is added to the kept blocks of a page, and dropped of them. */
function changesOf(
  body: string,
  facts: Readonly<Record<string, string>> = {},
  keptText = 'twice a day',
  url = 'https://coast.test/tides',
): { added: string[]; dropped: string[] } {
  const root = parseHtml(`<body>${body}</body>`).tree.$('body')[0]
  if (root === undefined) throw new Error('the page has no body')
  const { blocks } = readBlocks(root, new Set())
  const kept = new Set(blocks.filter(({ text }) => text.includes(keptText)))
  const metadata = { title: `${TITLE} | Harbour News`, ...facts }
  const { added, dropped } = findHeadline(blocks, kept, metadata, url)
  return { added: added.map(({ text }) => text), dropped: dropped.map(({ text }) => text) }
}

describe('the headline of a page', () => {
  it.each([
    ['above the text, far from it', `<div class="hero"><h1>${TITLE}</h1></div><div><i>Share</i>${PROSE}</div>`],
    ['of another level', `<h1>Harbour News</h1><h2>${TITLE}</h2>${PROSE}`],
    [
      'in an element with the text that is named after a side bar',
      `<div class="with-sidebar"><h1>${TITLE}</h1>${PROSE}</div>`,
    ],
    ['in a bar that is named after its breadcrumbs', `<div class="breadcrumb-bar"><h1>${TITLE}</h1></div>${PROSE}`],
    [
      'in a bar with anchors',
      `<div class="anchor-nav"><h1>${TITLE}</h1><a href="#a">Tables</a></div><h2>North</h2>${PROSE}`,
    ],
    ['that is one by its name alone', `<div class="imp-headline">${TITLE}</div><p>Lead</p>${PROSE}`],
    ['that is one by its property alone', `<span itemprop="headline">${TITLE}</span>${PROSE}`],
    ['that the bar above the page repeats', `<div><h3>${TITLE}</h3></div><h1>${TITLE}</h1>${PROSE}`],
  ])('is found: %s', (_, body) => {
    expect(headlineOf(body)).toEqual([TITLE])
  })

  it('has all lines of its heading', () => {
    const body = `<h1><div>Coast:</div><div>${TITLE}</div></h1>${PROSE}`
    expect(headlineOf(body, { title: `Coast: ${TITLE}` })).toEqual(['Coast:', TITLE])
  })

  it.each([
    ['the first', 'Low tide | The tide tables of all harbours'],
    ['the last', 'The tide tables of all harbours - Low tide'],
    ['the last, in quotation marks of another language', 'The tide tables of all harbours » Low tide'],
  ])('is a short part of a long title: %s', (_, title) => {
    const site = '<div><h1><a href="/">The tide tables of all harbours</a></h1></div>'
    for (const heading of ['Low tide', '<a href="/tides/">Low tide</a>', '<a href="#low">Low tide</a>'])
      expect(headlineOf(`${site}<h2>${heading}</h2>${PROSE}`, { title })).toEqual(['Low tide'])
    // The name of the site is in the text that is kept.
    expect(headlineOf(`${site}<h2>Low tide</h2>${PROSE}`, { title }, 'a')).toEqual(['Low tide'])
  })

  it.each([
    ['other words', 'The tide tables for our north coast', `${TITLE} | Harbour News`],
    [
      'fewer words, beside a long name of the site',
      'Tables of the north coast',
      `${TITLE} | Harbour News of the Isles - Coast`,
    ],
  ])('is a first heading that says the title in %s', (_, heading, title) => {
    expect(headlineOf(`<h1>${heading}</h1>${PROSE}`, { title })).toEqual([heading])
    expect(headlineOf(`<h2>${heading}</h2>${PROSE}`, { title })).toEqual([])
  })

  it('is found above a text without sentences, of which another heading is kept', () => {
    const body = `<h1>Harbour News</h1><h2>${TITLE}</h2><ul><li>Harbour News one</li><li>two</li></ul>`
    expect(headlineOf(body, {}, 'Harbour News')).toEqual([TITLE])
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
    ['a section that the title names', '<h2>Tides</h2>' + PROSE, { title: 'Low water | Tides | Harbour News' }],
    ['a short name that leads elsewhere', `<h2><a href="/x">Tides</a></h2>${PROSE}`, { title: 'Tides | Harbour News' }],
    ['what the host says', `<h1>Coast</h1>${PROSE}`, { title: 'Low water and high water | Coast' }],
    ['a heading in a link to the first page', `<a href="/"><h1>${TITLE}</h1></a>${PROSE}`, {}],
    ['the last of the breadcrumbs', `<nav><h1>${TITLE}</h1></nav>${PROSE}`, {}],
    ['in a menu by its class that is no first heading', `<div class="menu"><h2>${TITLE}</h2></div>${PROSE}`, {}],
    ['another first heading of a text', `<h1>Tides alert</h1>${PROSE}`, { title: 'Tides! | Harbour' }],
    ['in a side bar', `<aside><h2>${TITLE}</h2></aside>${PROSE}`, {}],
    ['below the text', `${PROSE}<h2>${TITLE}</h2>`, {}],
    ['a paragraph', `<p>${TITLE}</p>${PROSE}`, {}],
    ['a page without a title', `<h1>${TITLE}</h1>${PROSE}`, { title: '' }],
  ])('is not %s', (_, body, facts) => {
    expect(headlineOf(body, facts)).toEqual([])
  })

  it('is not the title of a book in its bar, above a page with a heading of its own', () => {
    const bar = '<div id="menu-bar"><h1 class="menu-title">The tide tables of all harbours</h1></div>'
    const title = 'Low tide twice a day - The tide tables of all harbours'
    expect(headlineOf(`${bar}<h2>Low tide twice a day</h2>${PROSE}`, { title })).toEqual([])
    expect(headlineOf(`${bar}${PROSE}`, { title })).toEqual(['The tide tables of all harbours'])
  })

  it('is the only text that states to be it, whatever the title says', () => {
    const stated = (text: string): string => `<div itemprop="headline">${text}</div>`
    expect(headlineOf(`${stated('The pier is back')}<div>A line</div>${PROSE}`)).toEqual(['The pier is back'])
    expect(headlineOf(`${stated('The pier is back')}${stated('A ferry ran late')}${PROSE}`)).toEqual([])
    expect(headlineOf(`<nav>${stated('The pier is back')}</nav>${PROSE}`)).toEqual([])
    expect(headlineOf(`<a href="/pier">${stated('The pier is back')}</a>${PROSE}`)).toEqual([])
  })

  it('is not added where it is kept already', () => {
    expect(headlineOf(`<div><h3>${TITLE}</h3></div><h1>${TITLE}</h1>${PROSE}`, {}, 'a')).toEqual([])
  })
})

describe('the name of a site in a heading', () => {
  const NAME = '<h1><a href="/">Harbour News</a></h1>'

  it.each([
    ['leads to the first page', `${NAME}<h2>${TITLE}</h2>${PROSE}`, {}],
    ['is in a link to it', `<a href="https://coast.test/"><h1>Harbour News</h1></a><h2>${TITLE}</h2>${PROSE}`, {}],
    ['is stated', `<h1>Harbour News</h1><h2>${TITLE}</h2>${PROSE}`, { 'og:site_name': 'Harbour News' }],
  ])('is dropped beside a headline if it %s', (_, body, facts) => {
    expect(changesOf(body, facts)).toEqual({ added: [TITLE], dropped: ['Harbour News'] })
    expect(changesOf(body, facts, 'a')).toEqual({ added: [], dropped: ['Harbour News'] })
  })

  it('is dropped if the host says it as well', () => {
    const body = `<h1><a href="/">Coast</a></h1><h2>${TITLE}</h2>${PROSE}`
    expect(changesOf(body, { title: `${TITLE} | Coast` })).toEqual({ added: [TITLE], dropped: ['Coast'] })
  })

  it('stays on the first page', () => {
    const page = [`<h1>Harbour News</h1><h2>${TITLE}</h2>${PROSE}`, { 'og:site_name': 'Harbour News' }, 'a'] as const
    expect(changesOf(...page, 'https://coast.test/')).toEqual({ added: [], dropped: [] })
    expect(changesOf(...page).dropped).toEqual(['Harbour News'])
  })

  it.each([
    ['on a page without a headline', `${NAME}${PROSE}`],
    [
      'that leads to the first page of another site',
      `<h1><a href="//x.test/">Harbour News</a></h1><h2>${TITLE}</h2>${PROSE}`,
    ],
    ['that leads to another page', `<h2><a href="/news">Harbour News</a></h2><h2>${TITLE}</h2>${PROSE}`],
    ['that leads nowhere', `<h1>Harbour News</h1><h2>${TITLE}</h2>${PROSE}`],
    ['below the text', `<h2>${TITLE}</h2>${PROSE}${NAME}`],
  ])('stays %s', (_, body) => {
    expect(changesOf(body).dropped).toEqual([])
  })
})
