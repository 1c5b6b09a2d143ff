import { describe, expect, it } from 'vitest'
import { extractHtml, textIn } from './contents.js'
import { judgePage, PROSE } from './recorded-page.js'

const SENTENCES = [
  'The keeper climbs the tower every evening, and writes the hour and the height of the water into a book.',
  'In the third winter the ice stayed until April, so that the oil for the lamps had to come over the hills.',
  'A new lens was ground in Genoa, packed in straw, and carried up the stairs by eight men who were paid in bread.',
  'When the council voted on the pier last month, most members wanted stone, but there was only money for oak.',
  'Nobody knows who painted the door red, yet the colour has been renewed each spring by a hand never seen.',
  'Storms have taken the outer wall twice, and each time the town has built it again, a little higher.',
]
const text = SENTENCES.map((one, at) => `<p>${one} ${SENTENCES[(at + 2) % 6]}</p>`)

/** Extracts an article with a part in its midst, or at its end. */
const article = (part: string, at = 3): string =>
  textIn(
    extractHtml(
      `<html><head><title>Harbour lights</title><meta property="og:type" content="article"></head><body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
       <main><article><h1>Harbour lights</h1><div class="entry">${text.slice(0, at).join('')}${part}${text.slice(at).join('')}</div></article></main>
       <aside class="sidebar"><h3>Most read</h3><ul><li><a href="/a">Ferry runs late</a></li><li><a href="/b">A new head</a></li></ul></aside>
       <footer><p>© 2026 Coast Gazette</p></footer></body></html>`,
      { onlyMainContent: true },
    ),
  )

const post = (name: string, html: string): string => `<blockquote class="${name}">${html}</blockquote>`

describe('a post of another site within an article', () => {
  it.each([
    [
      'twitter-tweet',
      '<p>No ferry.</p>&mdash; Ann (@ann) <a href="https://x.com/ann/status/9">2 May</a>',
      ['No ferry', '@ann', '2 May'],
    ],
    [
      'bluesky-embed',
      '<p>No ferry.</p>&mdash; Ann (<a href="https://bsky.app/p">@ann.test</a>) <a href="https://bsky.app/p/3">2 May</a>',
      ['No ferry', '@ann.test'],
    ],
    [
      'instagram-media',
      '<div><a href="https://www.instagram.com/p/A/"><div>View this post</div></a><p><a href="https://www.instagram.com/p/A/">A post shared by Ann (@ann)</a></p></div>',
      ['shared by Ann (@ann)'],
    ],
    [
      'tiktok-embed',
      '<section><a href="https://www.tiktok.com/@ann">@ann</a><p>How to trim a wick</p></section>',
      ['@ann', 'trim a wick'],
    ],
    [
      'mastodon-embed',
      '<a href="https://m.test/@ann/1"><div>Post by @ann@m.test</div><div>View on Mastodon</div></a>',
      ['@ann@m.test'],
    ],
    [
      'reddit-embed-bq',
      '<a href="https://www.reddit.com/r/l/1">Which oil?</a><br> by <a href="https://www.reddit.com/u/ann">u/ann</a>',
      ['Which oil?', 'u/ann'],
    ],
    [
      'fb-xfbml-parse-ignore',
      '<p>Closed.</p>Posted by <a href="https://facebook.com/h">Harbour Office</a>',
      ['Closed.', 'Harbour Office'],
    ],
  ])('is kept with its author: %s', (name, html, wanted) => {
    for (const around of ['div class="embed social"', 'figure class="wp-block-embed"', 'div'])
      for (const place of [3, 6]) {
        const found = article(`<${around}>${post(name, html)}</${around.split(' ')[0]}>`, place)
        for (const words of wanted) expect(found).toContain(words)
        expect(found).not.toContain('Ferry runs late')
      }
  })

  it('is kept beside others of its kind', () => {
    const posts = ['one', 'two', 'three'].map((each) => post('twitter-tweet', `<p>Post ${each}</p>— Ann ${each} (@a)`))
    const found = article(posts.join(''))
    for (const each of ['one', 'two', 'three']) expect(found).toContain(`Post ${each}`)
    expect(found).toContain('Ann three')
  })

  it('is left out with the boxes after the end of the article', () => {
    const html = `</div></article></main><aside>${post('twitter-tweet', '<p>Follow us</p>— Gazette')}</aside><main><article><div>`
    expect(article(html, 6)).not.toContain('Follow us')
  })
})

describe('a quotation within an article', () => {
  it.each([
    ['alone', '<blockquote><p>Rope first.</p></blockquote>', ['Rope first.']],
    ['with its source', '<blockquote><p>Rope first.</p><cite>Ben Ost</cite></blockquote>', ['Rope first.', 'Ben Ost']],
    [
      'in a figure',
      '<figure><blockquote>Rope first.</blockquote><figcaption>— Ben Ost</figcaption></figure>',
      ['Rope first.', 'Ben Ost'],
    ],
  ])('is kept, %s', (_, html, wanted) => {
    for (const words of wanted) expect(article(html)).toContain(words)
  })
})

describe('a quotation that is not likely to be content is left out', () => {
  const prose = `<p>${PROSE}</p>`
  it.each([
    ['where it repeats words of the text', `${prose}<blockquote>every harbour has its own table</blockquote>${prose}`],
    ['where it is a link', `${prose}<blockquote><a href="/1">New head</a></blockquote>${prose}`],
    ['beside what is none of the text', `${prose}<p>Menu</p><blockquote>Rope first</blockquote>${prose}`],
    ['after the text', `${prose.repeat(2)}<blockquote>Rope first</blockquote>`],
  ])('%s', (_, html) => {
    expect(judgePage(`<body><section>${prose.repeat(4)}${html}</section></body>`).reasonOf('blockquote')).toBeDefined()
  })
})

it('A link in a figure to another page is kept with its title within an article', () => {
  const card =
    '<figure class="kg-card kg-bookmark-card"><a href="https://other.test/lens"><div>How lenses are ground</div><div>A visit</div></a><figcaption>Worth it</figcaption></figure>'
  expect(article(card)).toContain('How lenses are ground')
  expect(article(card)).toContain('Worth it')
})

describe('the caption of a picture within a text', () => {
  const figure = (caption: string): string =>
    `<figure><img src="/a.jpg" alt="" width="800" height="500"><figcaption>${caption}</figcaption></figure>`
  const elsewhere = (part: string): string =>
    textIn(
      extractHtml(
        `<html><head><title>Harbour lights</title></head><body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
         <main><h1>Harbour lights</h1>${text.slice(0, 3).join('')}${part}${text.slice(3).join('')}</main><footer><p>© 2026</p></footer></body></html>`,
        { onlyMainContent: true },
      ),
    )

  it.each(['Fig. 3. Depths of the harbour', 'Abbildung 2: Tiefen', '図1 港の深さ', 'Figure IV', 'Рис. 7. Глубины'])(
    'is kept in news if it has a number: %s',
    (caption) => {
      expect(article(figure(caption))).toContain(caption)
    },
  )

  it('is left out of news if it has none, and elsewhere if it names the photographer', () => {
    expect(article(figure('The pump room in May'))).not.toContain('pump room')
    for (const credit of ['Photo: Ida Roth', 'The pump room (Getty Images)', '© Ida Roth'])
      expect(elsewhere(figure(credit))).not.toContain(credit)
  })

  it('is kept on other pages', () => {
    expect(elsewhere(figure('The pump room in May'))).toContain('The pump room in May')
  })
})
