import { ARTICLE_HEAD, each, FRAME, inOldSite, inSite, type MadePage, STORY } from './made-page.js'

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
