import { describe, expect, it } from 'vitest'
import { judgePage, PROSE } from './recorded-page.js'

const LEAD = 'The council wants to rebuild the whole harbour within three years, and has asked for drawings.'
const text = `<div class="text">${`<p>${PROSE}</p>`.repeat(5)}</div>`
const reasonOf = (html: string, probability = 0.4): string | undefined =>
  judgePage(`<body><div class="page"><nav><a href="/">Home</a></nav>${html}</div></body>`, {
    [LEAD]: probability,
  }).reasonOf('#lead')

describe('the lead before a text', () => {
  it.each([
    ['beside its element', `<div class="story"><p id="lead">${LEAD}</p>${text}</div>`],
    ['in an element of its own', `<div class="story"><div class="teaser"><p id="lead">${LEAD}</p></div>${text}</div>`],
    ['above the author', `<div class="story"><p id="lead">${LEAD}</p><span>By Ann</span>${text}</div>`],
  ])('is content, %s', (_, html) => {
    expect(reasonOf(html)).toBeUndefined()
  })

  it.each([
    [
      'the caption of a picture',
      `<div class="story"><div class="pic"><img src="a.jpg"><p class="wp-caption-text" id="lead">${LEAD}</p></div>${text}</div>`,
      0.4,
    ],
    ['a link to another text', `<div class="story"><p id="lead"><a href="/other">${LEAD}</a></p>${text}</div>`, 0.4],
    [
      'a teaser elsewhere on the page',
      `<div><div><div><p id="lead">${LEAD}</p></div></div></div><div class="story">${text}</div>`,
      0.4,
    ],
    ['hardly likely to be content', `<div class="story"><p id="lead">${LEAD}</p>${text}</div>`, 0.2],
  ])('is none if it is %s', (_, html, probability) => {
    expect(reasonOf(html, probability)).toBeDefined()
  })
})
