import { describe, expect, it } from 'vitest'
import { markdownOf } from '../convert/markdown-of.js'

const NAMES = ['Oak Table', 'Wool Rug', 'Salt Pot', 'Desk Mat']
const page = (card: (name: string, at: number) => string, count = 4): string =>
  `<main><h1>Goods</h1><div class="grid">${NAMES.slice(0, count).map(card).join('')}</div></main>`

describe('custom elements that are the cards of a series', () => {
  it.each([
    ['two texts', (name: string, at: number) => `<item-card><span>${name}</span><span>$${at}.50</span></item-card>`],
    [
      'a link around both',
      (name: string, at: number) => `<item-card><a href="/${at}"><b>${name}</b><i>$${at}.50</i></a></item-card>`,
    ],
    [
      'comments between them',
      (name: string, at: number) =>
        `<!--lit--><item-card><span>${name}</span> <span>$${at}.50</span></item-card><!--/lit-->\n`,
    ],
    [
      'a shadow tree',
      (name: string, at: number) =>
        `<item-card><template shadowrootmode="open"><style>a{color:red}</style><a href="/${at}">${name}</a><span>$${at}.50</span></template></item-card>`,
    ],
  ])('are lines of their own: %s', (_, card) => {
    const lines = markdownOf(page(card))
      .split('\n')
      .filter((line) => line.includes('.50'))
    expect(lines).toHaveLength(4)
    for (const [at, line] of lines.entries()) expect(line).toContain(NAMES[at])
  })

  it('have their custom parts on lines of their own', () => {
    const card = (name: string, at: number): string =>
      `<item-card><item-title>${name}</item-title><item-price>$${at}.50</item-price></item-card>`
    expect(markdownOf(page(card)).split('\n')).toEqual(expect.arrayContaining(['Oak Table', '$0.50', 'Wool Rug']))
  })
})

describe('custom elements that stay in the line', () => {
  it.each([
    [
      'words of a sentence',
      `<p>See ${NAMES.map((name) => `<x-ref><b>no.</b><i>${name}</i></x-ref>`).join(' ')} here.</p>`,
    ],
    [
      'between words',
      `<div>See ${NAMES.map((name) => `<x-ref><b>no.</b><i>${name}</i></x-ref>`).join(' ')} here.</div>`,
    ],
    ['of one text each', `<div>${NAMES.map((name) => `<x-tag><span>${name}</span></x-tag>`).join(' ')}</div>`],
    [
      'of an icon and a text',
      `<div>${NAMES.map((name) => `<x-tag><x-icon></x-icon><span>${name}</span></x-tag>`).join(' ')}</div>`,
    ],
    [
      'fewer than three',
      `<div>${NAMES.slice(0, 2)
        .map((name) => `<x-tag><b>no.</b> <i>${name}</i></x-tag>`)
        .join(' ')}</div>`,
    ],
  ])('%s', (_, html) => {
    const lines = markdownOf(html)
      .split('\n')
      .filter((line) => line.trim() !== '')
    expect(lines).toHaveLength(1)
  })
})
