import { alone, ARTICLE_HEAD, each, FRAME, inOldSite, inSite, type MadePage, STORY } from './made-page.js'

/** Writes the story with a box after its second paragraph. */
const storyWith = (box: string): string =>
  `<article><h1>Harbour bridge opens</h1><div class="body">${each(STORY, (text, at) => `<p>${text}</p>${at === 1 ? box : ''}`)}</div></article>`

/** Articles with a box between two paragraphs that is no part of them. */
export const boxes: readonly MadePage[] = [
  {
    name: 'a form to subscribe',
    html: inSite(
      storyWith(
        `<div class="newsletter-signup"><h3>Get the harbour news every morning</h3><p>Join 40,000 readers who get our letter before breakfast. You can unsubscribe at any time.</p>
        <form action="/subscribe"><input type="email" name="email" placeholder="Your address"><button>Sign up</button></form></div>`,
      ),
      'Harbour bridge opens',
      ARTICLE_HEAD,
    ),
    wanted: STORY,
    unwanted: [...FRAME, 'Join 40,000 readers', 'Sign up'],
  },
  {
    name: 'a request for a donation',
    html: inSite(
      storyWith(
        `<aside class="donate"><p>Our reporting is free for everyone because readers like you pay for it. <a href="/donate">Give today</a></p></aside>`,
      ),
      'Harbour bridge opens',
      ARTICLE_HEAD,
    ),
    wanted: STORY,
    unwanted: [...FRAME, 'Our reporting is free for everyone', 'Give today'],
  },
  {
    name: 'a link to another story',
    html: inSite(
      storyWith(
        `<div class="read-more"><span>Read more</span><a href="/news/2024/ferry-captain-retires-after-forty-years-48077">Ferry captain retires after forty years</a></div>`,
      ),
      'Harbour bridge opens',
      ARTICLE_HEAD,
    ),
    wanted: STORY,
    unwanted: [...FRAME, 'Ferry captain retires'],
  },
  {
    name: 'a form to subscribe on a site of `div` elements',
    html: inOldSite(
      storyWith(
        `<div class="mc4wp"><div class="h">The harbour by mail</div><div>One letter a week, no advertising.</div><form><input type="email"><input type="submit" value="Subscribe"></form></div>`,
      ),
      'Harbour bridge opens',
      ARTICLE_HEAD,
    ),
    wanted: STORY,
    unwanted: ['Delivery times', 'One letter a week'],
  },
]

const MENU = ['Our ships', 'Timetable', 'Prices', 'History', 'Guest book', 'How to find us', 'Contact']
const PARTNERS = ['Hotel Albatross', 'Fish market', 'Museum of ropes', 'Bicycle rental']

const lines = (names: readonly string[]): string =>
  each(names, (name) => `<a href="/${name.toLowerCase().replaceAll(' ', '-')}.html">${name}</a><br>`)
const line = (names: readonly string[]): string => names.map((name) => `<a href="/${name}.htm">${name}</a>`).join(' | ')

/** Home pages whose layout is made of tables. */
export const oldPages: readonly MadePage[] = [
  {
    name: 'menus in the cells beside the text',
    html: alone(
      `<table width="100%"><tr><td colspan="3" bgcolor="#003"><img src="/logo.gif" alt="Harbour Line"></td></tr>
      <tr><td width="150" valign="top">${lines(MENU)}</td>
      <td valign="top"><h2>Welcome aboard</h2>${each(STORY.slice(0, 2), (text) => `<p>${text}</p>`)}<p><b>New:</b> The evening ferry sails on Sundays, too.</p></td>
      <td width="120" valign="top"><b>Our partners</b><br>${lines(PARTNERS)}</td></tr></table>`,
    ),
    wanted: ['Welcome aboard', ...STORY.slice(0, 2), 'The evening ferry sails on Sundays, too.'],
    unwanted: [...MENU, ...PARTNERS, 'Our partners'],
  },
  {
    name: 'menus in tables above and below the text',
    html: alone(
      `<table><tr><td>${line(MENU)}</td></tr></table><table><tr><td>${each(STORY.slice(3), (text) => `<p>${text}</p>`)}</td></tr></table>
      <table><tr><td>${line(MENU)}</td></tr></table>`,
    ),
    wanted: STORY.slice(3),
    unwanted: MENU,
  },
]

const CARDS = [
  ['Oak stool', '89'],
  ['Birch bench for two', '240'],
  ['Elm shelf, three boards', '130'],
  ['Walnut side table', '310'],
  ['Ash coat rack', '75'],
  ['Pine crate with handles', '42'],
] as const

/** Pages that print a text twice. */
export const copies: readonly MadePage[] = [
  {
    name: 'cards that name a product below its picture and above its price',
    html: inSite(
      `<h1>Furniture</h1><ul class="grid">${each(
        CARDS,
        ([name, price], at) =>
          `<li class="card"><a class="media" href="/p/${at}"><img src="/i/${at}.jpg" alt=""><div class="title">${name}</div></a><div class="info"><h3><a href="/p/${at}">${name}</a></h3><div class="price">€ ${price}</div></div></li>`,
      )}</ul>`,
      'Furniture',
    ),
    wanted: CARDS.map(([name]) => name),
    unwanted: FRAME,
  },
]
