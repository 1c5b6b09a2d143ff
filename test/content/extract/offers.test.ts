import { describe, expect, it } from 'vitest'
import { extractHtml, textIn } from './contents.js'

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
const article = (part: string, at = 3, after = ''): string =>
  textIn(
    extractHtml(
      `<html><head><title>Harbour lights</title><meta property="og:type" content="article"></head><body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
       <main><article><h1>Harbour lights</h1><div class="entry">${text.slice(0, at).join('')}${part}${text.slice(at).join('')}</div></article>${after}</main>
       <footer><p>© 2026 Coast Gazette</p></footer></body></html>`,
      { onlyMainContent: true },
    ),
  )

describe('an offer among the paragraphs of an article is no content:', () => {
  it.each([
    [
      'to subscribe',
      '<section class="x1"><h2>Subscribe now to read the latest news in your city.</h2><ul><li>Unlimited online access to all articles.</li><li>Enjoy insights and analysis from our award-winning journalists.</li></ul><h2>Create an account or sign in to continue with your reading.</h2></section>',
      'award-winning',
    ],
    [
      'to pay',
      '<div class="c2"><p>Subscribe now for unlimited access to our journalism. From just $1 a week.</p><a href="/s">Subscribe</a></div>',
      'From just',
    ],
    [
      'to give',
      '<div class="c3"><p><b>A small favor to ask of you.</b> We hope you enjoyed this story, and we do not put it behind a paywall. Will you chip in $5 today?</p><p><a href="/d">Make a gift</a></p></div>',
      'paywall',
    ],
    [
      'to support',
      '<div><h3>We have a small favour to ask</h3><p>Tens of millions trust in our journalism: if you can, please consider supporting us each month.</p><a href="/s">Continue</a></div>',
      'Tens of millions',
    ],
    [
      'to get letters',
      '<div><p><strong>Sign up for our newsletter</strong> and get the best stories of the week delivered to your inbox every Friday.</p></div>',
      'every Friday',
    ],
    [
      'in German',
      '<div class="box"><h3>Jetzt weiterlesen mit Küste+</h3><p>Testen Sie unser Abo einen Monat kostenlos. Danach nur 9,90 € im Monat, jederzeit kündbar.</p><a href="/a">Jetzt abonnieren</a></div>',
      'kostenlos',
    ],
  ])('%s', (_, html, words) => {
    for (const at of [2, 3, 6]) {
      const found = article(html, at)
      expect(found).not.toContain(words)
      for (const sentence of SENTENCES) expect(found).toContain(sentence)
    }
  })

  it.each([
    [
      'a report on one',
      '<p>The paper asked its readers to subscribe now, and promised unlimited access for a dollar a week.</p>',
    ],
    [
      'a command in the text',
      '<p>Sign up for our newsletter, he told the fishermen in the harbour, and they laughed at him for a while.</p>',
    ],
  ])('but %s is', (_, html) => {
    expect(article(html)).toContain(html.replace(/<[^>]*>/g, ''))
  })
})

describe('what leads from an article to another is no content:', () => {
  const others = [1, 2, 3]
    .map(
      (at) =>
        `<div class="post"><h2><a href="/s/${at}">Other story ${at}</a></h2><p>Story ${at} is a tale of boats which ran on rocks when the lamp was dark, told by those who were aboard.</p></div>`,
    )
    .join('')
  it.each([
    ['a line', '<p><strong>READ MORE: <a href="/n">Rumours about the trainer</a></strong></p>', 'Rumours'],
    ['a link', '<p><a href="/n">Read more: Rumours about the trainer</a></p>', 'Rumours'],
    ['a line in German', '<p><em>Lesen Sie auch: <a href="/n">Gerüchte um den Trainer</a></em></p>', 'Gerüchte'],
    ['a line in Spanish', '<p>Lee también: <a href="/n">Rumores sobre el entrenador</a></p>', 'Rumores'],
    ['a list below a heading', `<div><h3>You might like</h3>${others}</div>`, 'Other story'],
    ['a list below a heading in the element of the text', `<h2>Related</h2>${others}`, 'Other story'],
  ])('%s', (_, html, words) => {
    const found = article(html)
    expect(found).not.toContain(words)
    for (const sentence of SENTENCES) expect(found).toContain(sentence)
  })

  const other = SENTENCES.map(
    (one) => `<p>${one.replace(/keeper|lens|door|council|winter|Storms/, 'trainer')} He said so.</p>`,
  ).join('')
  it.each([
    [
      'an article of its own type',
      `<article itemscope itemtype="https://schema.org/NewsArticle"><h2>Rumours about him</h2>${other}</article>`,
    ],
    [
      'an article elsewhere on the page',
      `<div class="under"><article><h2>Rumours about him</h2>${other}</article></div>`,
    ],
    ['an article with a link to itself', `<article><h2><a href="/n">Rumours about him</a></h2>${other}</article>`],
    ['an article with a date', `<article><h2>Rumours about him</h2><time>2 May</time>${other}</article>`],
    ['an article with a heading of the first level', `<article><h1>Rumours about him</h1>${other}</article>`],
  ])('%s', (_, html) => {
    const found = article('', 6, html)
    expect(found).toContain('renewed each spring')
    expect(found).not.toMatch(/Rumours|He said so/)
  })

  it.each([
    ['a section in an article', `<article><h2>The second winter</h2>${other}</article>`],
    ['an article in the article', ''],
  ])('but %s is', (name, html) => {
    const inner = `<article itemtype="https://schema.org/Article"><h2>The second winter</h2>${other}</article>`
    expect(name.startsWith('a section') ? article('', 6, html) : article(inner, 6)).toContain('The second winter')
  })
})

describe('an advertisement in an article is left out:', () => {
  const images = (html: string): string[] => {
    const { tree } = extractHtml(
      `<html><head><meta property="og:type" content="article"></head><body><main><article><h1>Harbour lights</h1>${text.slice(0, 3).join('')}${html}${text.slice(3).join('')}</article></main></body></html>`,
      { onlyMainContent: true },
    )
    return tree
      .$('img')
      .toArray()
      .map(({ attribs }) => attribs['src'] ?? '')
  }

  it.each([
    [
      'with a place for the number of the reader',
      '<p><a href="http://x.test/r?e={{GUID}}"><img src="http://x.test/i?e={{GUID}}" alt=""></a></p>',
    ],
    [
      'of a host for advertisements',
      '<p><a href="https://ads.test.com/1"><img src="https://ads.test.com/1.jpg" alt=""></a></p>',
    ],
    [
      'of a server for advertisements',
      "<p><a href='https://x.test/www/delivery/ck.php?n=a'><img src='https://x.test/www/delivery/avw.php?zoneid=5' alt=''></a></p>",
    ],
    [
      'that is paid and has the size of one',
      '<p><a rel="sponsored" href="https://x.test/"><img src="/b/spring-728x90.gif" alt="Sale"></a></p>',
    ],
    [
      'below the word for one',
      '<div><span>Advertisement</span><a href="https://x.test/"><img src="/up/offer.jpg" alt=""></a></div>',
    ],
  ])('%s', (_, html) => {
    expect(images(html)).toEqual([])
  })

  it.each([
    ['of its size', '<p><img src="/img/pier-300x250.jpg" alt="" width="300" height="250"></p>'],
    [
      'of a thing in a paid link',
      '<p><a rel="sponsored" href="https://x.test/lamp"><img src="/img/lamp.jpg" alt="Lamp"></a></p>',
    ],
    [
      'with a like name',
      '<p><a href="https://loads.test/adds"><img src="https://uploads.test/ad-lib.jpg" alt=""></a></p>',
    ],
  ])('but not a picture %s', (_, html) => {
    expect(images(html)).toHaveLength(1)
  })
})
