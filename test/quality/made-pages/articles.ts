import { ARTICLE_HEAD, each, FRAME, inOldSite, inSite, type MadePage, STORY } from './made-page.js'

const PLACES: readonly (readonly [name: string, text: string])[] = [
  [
    'The roof of the fish market',
    'Open on Sundays only, and worth the stairs: the whole outer harbour lies below you, with the ferry in front.',
  ],
  [
    'Customs pier',
    'Go before nine, when the light comes from behind. The bench at the end was put there by a photographer.',
  ],
  [
    'The old crane',
    'Forty metres of ladder, then a platform for six. Children under twelve must stay below with someone.',
  ],
  ['Dune path', 'A walk of an hour along the water. The last stretch is under sand after every storm, so bring boots.'],
  ['Café Albatross', 'The cake is better than the view, but the view is very good. Ask for the table in the corner.'],
]
/** Products of a review. */
export const PRODUCTS: readonly (readonly [name: string, text: string, price: string])[] = [
  [
    'Alto 300',
    'The lightest of the four, and the only one that still worked after a night in the rain. Its strap is too short for tall people.',
    '89',
  ],
  [
    'Brisk One',
    'Heavy, loud and nearly impossible to break. We dropped it from a roof twice, and only the paint came off.',
    '129',
  ],
  [
    'Corvo Mini',
    'A fair price for what it does. Its battery lasts four hours, which is less than the maker promises.',
    '45',
  ],
  [
    'Delta Pro',
    'The best display, and by far the worst manual. Once it is set up, nothing else comes close to it.',
    '210',
  ],
]
const OTHERS: readonly (readonly [path: string, title: string, text: string])[] = [
  [
    'ferry-captain-retires-48077',
    'Ferry captain retires',
    'He crossed the harbour some ninety thousand times and was late on eleven of them.',
  ],
  [
    'a-park-at-the-old-landing-48013',
    'A park at the old landing',
    'The council voted for trees, a playground and a café on Tuesday, against the port.',
  ],
  [
    'what-drivers-pay-elsewhere-47950',
    'What drivers pay elsewhere',
    'From three cents a kilometre to nothing: a comparison of tolls in nine countries.',
  ],
  [
    'storm-damages-sea-wall-47911',
    'Storm damages sea wall',
    'Waves of six metres broke through in two places on Sunday night. Nobody was hurt.',
  ],
]
const names = (of: readonly (readonly string[])[]): string[] => of.flatMap(([name = '', text = '']) => [name, text])
const story = `<h1>Harbour bridge opens</h1><p class="byline">By Ann Lee</p>${each(STORY, (text) => `<p>${text}</p>`)}`
const article = (content: string): string => inSite(`<article>${content}</article>`, 'The Harbour Post', ARTICLE_HEAD)
const list = (content: string): string =>
  article(
    `<h1>The best views of the harbour</h1><p>Since the bridge opened there are more places to look at the harbour from than ever. These are those that we would go back to.</p>${content}`,
  )

/** Articles that are lists. */
export const listArticles: readonly MadePage[] = [
  {
    name: 'numbered headings with pictures',
    html: list(
      each(
        PLACES,
        ([name, text], at) =>
          `<h2>${at + 1}. ${name}</h2><figure><img src="/i/${at}.jpg" alt=""></figure><p>${text}</p>`,
      ),
    ),
    wanted: [...names(PLACES), '/i/4.jpg'],
    unwanted: FRAME,
  },
  {
    name: 'headings that are links',
    html: list(
      each(
        PLACES,
        ([name, text], at) => `<div class="list-item"><h3><a href="/places/${at}">${name}</a></h3><p>${text}</p></div>`,
      ),
    ),
    wanted: names(PLACES),
    unwanted: FRAME,
  },
  {
    name: 'cards with a picture, a linked headline and a text',
    html: list(
      `<div class="cards">${each(PLACES, ([name, text], at) => `<div class="card"><a href="/places/${at}"><img src="/i/${at}.jpg" alt=""></a><h3><a href="/places/${at}">${name}</a></h3><p>${text}</p></div>`)}</div>`,
    ),
    wanted: names(PLACES),
    unwanted: FRAME,
  },
  {
    name: 'items of an ordered list',
    html: list(`<ol>${each(PLACES, ([name, text]) => `<li><strong>${name}</strong> ${text}</li>`)}</ol>`),
    wanted: names(PLACES),
    unwanted: FRAME,
  },
  {
    name: 'a list of places, then other stories',
    html: list(
      `${each(PLACES, ([name, text]) => `<h2>${name}</h2><p>${text}</p>`)}<section class="related"><h2>More from the Post</h2>${each(OTHERS, ([path, title, text]) => `<div class="teaser"><a href="/2025/${path}"><img src="/t/${path}.jpg" alt=""></a><h4><a href="/2025/${path}">${title}</a></h4><p>${text}</p></div>`)}</section>`,
    ),
    wanted: names(PLACES),
    unwanted: [...FRAME, ...OTHERS.map(([, title]) => title)],
  },
]

const review = (content: string): string =>
  article(
    `<h1>Four weather stations in our test</h1><p>We carried four small weather stations around the harbour for a month, in rain, wind and one hailstorm. This is what we found.</p>${content}<p>All four measure pressure well. Wind is another matter: none was within ten percent of the mast on the pier.</p>`,
  )

/** Reviews with cards of products. */
export const reviews: readonly MadePage[] = [
  {
    name: 'cards with picture, text and price',
    html: review(
      each(
        PRODUCTS,
        ([name, text, price]) =>
          `<div class="product"><img src="/p/${price}.jpg" alt=""><h3>${name}</h3><p>${text}</p><p><a href="https://shop.test/p/${price}">${price} euros at the shop</a></p></div>`,
      ),
    ),
    wanted: names(PRODUCTS),
    unwanted: FRAME,
  },
  {
    name: 'cards with a button to the shop',
    html: review(
      `<div class="product-list">${each(PRODUCTS, ([name, text, price]) => `<div class="product-card"><h3><a href="https://shop.test/p/${price}">${name}</a></h3><div class="rating">4 of 5</div><p>${text}</p><a class="btn" href="https://shop.test/p/${price}">Check price</a></div>`)}</div>`,
    ),
    wanted: names(PRODUCTS),
    unwanted: FRAME,
  },
  {
    name: 'lists of what is good and what is not',
    html: review(
      each(
        PRODUCTS,
        ([name, text, price]) =>
          `<section><h2>${name}</h2><p>${text}</p><div class="pros"><h4>Good</h4><ul><li>costs ${price} euros</li></ul></div><div class="cons"><h4>Bad</h4><ul><li>weighs ${price} grams</li></ul></div></section>`,
      ),
    ),
    wanted: [...names(PRODUCTS), 'costs 210 euros', 'weighs 45 grams'],
    unwanted: FRAME,
  },
  {
    name: 'a table of products before the text',
    html: review(
      `<table><tr><th>Product</th><th>Price</th></tr>${each(PRODUCTS, ([name, , price]) => `<tr><td>${name}</td><td>€ ${price}</td></tr>`)}</table>${each(PRODUCTS, ([name, text]) => `<h2>${name}</h2><p>${text}</p>`)}`,
    ),
    wanted: [...names(PRODUCTS), '€ 210'],
    unwanted: FRAME,
  },
]

const unwanted = [...FRAME, ...OTHERS.flatMap(([, title, text]) => [title, text])]
const ending = (name: string, cards: string, around = inSite): MadePage => ({
  name,
  html: around(`<article>${story}</article>${cards}`, 'The Harbour Post', ARTICLE_HEAD),
  wanted: STORY,
  unwanted,
})

/** Articles with cards of other stories at their end. */
export const endings: readonly MadePage[] = [
  ending(
    'a grid of cards',
    `<div class="grid">${each(OTHERS, ([path, title, text]) => `<div class="item"><a href="/2025/${path}"><img src="/t/${path}.jpg" alt=""><h3>${title}</h3></a><p>${text}</p></div>`)}</div>`,
  ),
  ending(
    'articles of their own',
    `<section><h2>Mehr zum Thema</h2>${each(OTHERS, ([path, title, text]) => `<article><h3><a href="/2025/${path}">${title}</a></h3><p>${text}</p></article>`)}</section>`,
    inOldSite,
  ),
  ending(
    'cards that are one link',
    `<div class="more">${each(OTHERS, ([path, title, text]) => `<a class="tile" href="/2025/${path}"><img src="/t/${path}.jpg" alt=""><strong>${title}</strong><span>${text}</span></a>`)}</div>`,
  ),
  ending(
    'a list of headlines',
    `<div class="box"><h4>Most read</h4><ol>${each(OTHERS, ([path, title]) => `<li><a href="/2025/${path}">${title}</a></li>`)}</ol></div>`,
  ),
  ending(
    'a carousel that a control moves',
    `<div class="carousel" aria-roledescription="carousel">${each(OTHERS, ([path, title, text], at) => `<div class="slide" role="group"${at > 1 ? ' hidden' : ''}><a href="/2025/${path}"><img src="/t/${path}.jpg" alt=""></a><h3><a href="/2025/${path}">${title}</a></h3><p>${text}</p></div>`)}<button aria-controls="x">Next</button></div>`,
  ),
  ending(
    'headlines, then a paragraph of one word',
    `<div class="box"><h4>Most read</h4>${each(OTHERS, ([path, title]) => `<p><a href="/2025/${path}">${title}</a></p>`)}</div><p>End</p>`,
  ),
  ending(
    'cards, then a paragraph of one word',
    `<div class="related"><h3>More</h3>${each(OTHERS, ([path, title, text]) => `<div class="card"><a href="/2025/${path}"><img src="/t/${path}.jpg" alt=""><h4>${title}</h4></a><p>${text}</p></div>`)}</div><p>Advertisement</p>`,
    inOldSite,
  ),
]
