import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { PRODUCTS } from '../../quality/made-pages/articles.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const read = async (content: string, head = '<meta property="og:type" content="article">'): Promise<string> => {
  const body = `<html><head><title>Harbour bridge opens after nine years of work</title>${head}</head><body>
    <header><a href="/">The Harbour Post</a><nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li>
    <li><a href="/culture">Culture</a></li></ul></nav></header>${content}
    <footer><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer></body></html>`
  const { markdown } = await engine.parse({
    url: 'https://post.test/news/2024/harbour-bridge-opens-after-nine-years-48121',
    body,
  })
  return markdown ?? ''
}

const story = `<h1>Harbour bridge opens after nine years of work</h1><p>By Ann Lee</p>
  <p>The bridge over the outer harbour opened to traffic on Monday, nine years after the first pile was driven into the mud. Some two thousand people walked across it before the first cars were let through.</p>
  <p>"We were told that it could not be built on this ground," said Maria Olsen, who led the design. "It turned out that the ground was the smaller problem." The larger one, she said, was the wind.</p>
  <p>In its first year of work the contractor went bankrupt, and for three winters nothing but a row of pillars stood in the water. The city took over the site in 2018, and hired many of the same workers again.</p>
  <p>The bridge is 1,240 metres long and cost 310 million, a third more than was planned. A toll of two euros is to pay for half of that within twenty years, if traffic grows as the port expects.</p>
  <p>Ferries will continue to run until the end of the month. After that, the old landing is to become a park, and the two ships will be sold to an island in the north.</p>`

const stories = [
  [
    'harbour-ferry-captain-retires-after-forty-years-48077',
    'Ferry captain retires',
    'He crossed the harbour some ninety thousand times and was late, by his own count, on eleven of them.',
  ],
  [
    'new-park-planned-at-the-old-landing-place-48013',
    'A park at the old landing',
    'The council voted for trees, a playground and a café on Tuesday, against the advice of the port.',
  ],
  [
    'toll-roads-what-drivers-pay-elsewhere-today-47950',
    'What drivers pay elsewhere',
    'From three cents a kilometre to nothing at all: a comparison of tolls in nine countries.',
  ],
  [
    'storm-damages-sea-wall-in-the-northern-bay-47911',
    'Storm damages sea wall',
    'Waves of six metres broke through in two places on Sunday night. Nobody was hurt.',
  ],
  [
    'port-records-best-quarter-since-the-war-began-47902',
    'Port has its best quarter',
    'More containers than ever were unloaded between January and March, most of them from the east.',
  ],
  [
    'school-ship-returns-from-a-year-at-sea-again-47860',
    'School ship returns',
    'Thirty pupils came home on Friday with salt in their hair and, says the captain, better marks.',
  ],
] as const

const cards = (): string =>
  stories
    .map(
      ([path, title, text]) =>
        `<div class="item"><a href="/news/2024/${path}"><img src="/i/${path}.jpg" alt=""></a><h4><a href="/news/2024/${path}">${title}</a></h4><p>${text}</p></div>`,
    )
    .join('')

describe('the end of an article', () => {
  it.each([
    ['beside the article', `<article>${story}</article><div class="grid">${cards()}</div>`],
    ['in the article', `<article>${story}<div class="grid"><h3>Mehr dazu</h3>${cards()}</div></article>`],
    [
      'in the element of the paragraphs',
      `<div class="page"><div class="text">${story}<h3>続きを読む</h3>${cards()}</div></div>`,
    ],
  ])('is before the cards of other stories that stand %s', async (_, content) => {
    const markdown = await read(content)
    expect(markdown).toMatch(/The bridge over the outer harbour.*sold to an island in the north/s)
    for (const [, title, text] of stories) {
      expect(markdown).not.toContain(title)
      expect(markdown).not.toContain(text)
    }
  })

  it('is before tags, categories, a poll and links to share', async () => {
    const tags = ['bridge', 'harbour', 'traffic', 'toll'].map((tag) => `<a href="/tag/${tag}">${tag}</a>`).join(' ')
    const markdown = await read(`<article>${story}<div class="topics">Filed under: ${tags}</div>
      <div class="share"><a href="mailto:?subject=bridge">Send it to a friend</a> <a href="https://facebook.com/sharer?u=x">Put it on Facebook</a></div>
      <form class="poll"><p>Will you use the new bridge?</p><label><input type="radio" name="v"> Every day</label><label><input type="radio" name="v"> Hardly ever</label><button>Vote</button></form>
      <ul class="categories"><li><a href="/news/city">City</a></li><li><a href="/news/region">Region</a></li></ul></article>`)
    expect(markdown).toContain('sold to an island in the north')
    expect(markdown).not.toMatch(/Filed under|Send it to a friend|Every day|Hardly ever|Region/)
  })

  it('is before comments of many readers', async () => {
    const comments = Array.from(
      { length: 12 },
      (_, at) =>
        `<li class="c"><b>Reader ${at}</b> <span>${at + 1} hours ago</span><p>I crossed it this morning and thought that remark ${at} had to be made, whatever others may say.</p><a href="#r${at}">Answer</a></li>`,
    )
    const markdown = await read(
      `<article>${story}</article><section><h3>12 comments</h3><ol class="comment-list">${comments.join('')}</ol></section>`,
    )
    expect(markdown).toContain('sold to an island in the north')
    expect(markdown).not.toMatch(/remark \d/)
  })
})

describe('cards that belong to an article', () => {
  const products = [
    ...PRODUCTS,
    ['Echo Lite', 'We wanted to like it. After a week, two of our three test devices did not start any more.', '59'],
  ] as const

  it('are kept in a review of products', async () => {
    const reviews = products.map(
      ([name, text, price]) =>
        `<div class="product"><img src="/p/${price}.jpg" alt=""><h3>${name}</h3><p>${text}</p><p><a href="https://shop.test/p/${price}">${price} euros at the shop</a></p></div>`,
    )
    const markdown = await read(`<article><h1>Five handheld weather stations in our test</h1>
      <p>We carried five small weather stations around the harbour for a month, in rain, wind and one hailstorm. This is what we found, and which of them we would buy ourselves.</p>
      ${reviews.join('')}
      <p>All five measure pressure well. Wind is another matter: none was within ten percent of the mast on the pier, and two were off by half.</p></article>`)
    for (const [name, text] of products) {
      expect(markdown).toContain(name)
      expect(markdown).toContain(text)
    }
  })

  it('are kept in an article that is a list', async () => {
    const places = products.map(
      ([name, text], at) =>
        `<h2>${at + 1}. <a href="/places/${at}">${name}</a></h2><figure><img src="/p/${at}.jpg" alt=""></figure><p>${text}</p>`,
    )
    const markdown = await read(`<article><h1>The five best views of the harbour</h1>
      <p>Since the bridge opened there are more places to look at the harbour from than ever. We walked to all of them, and these are the five that we would go back to.</p>
      ${places.join('')}</article>`)
    for (const [name, text] of products) {
      expect(markdown).toContain(name)
      expect(markdown).toContain(text)
    }
  })
})
