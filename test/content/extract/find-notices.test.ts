import { describe, expect, it } from 'vitest'
import { extractHtml, textIn } from './contents.js'

const article =
  '<h1>Harbour light</h1><p>The harbour master counts the boats each evening, and the number is written into a book that nobody ' +
  'but him may open.</p><p>In the third winter the ice closed the channel for nine weeks, so that flour had to be brought over ' +
  'the hills on sledges.</p>'
const main = (inMain: string, after = ''): string =>
  textIn(
    extractHtml(
      `<html><head><title>Harbour light</title></head><body><header><nav><ul><li><a href="/">Home</a></li></ul></nav></header>
       <main>${inMain}</main>${after}<footer><p>© 2024. <a href="/privacy">Privacy</a></p></footer></body></html>`,
      { onlyMainContent: true },
    ),
  )

const english =
  'This site stores small files called cookies on your device. Some are needed to keep you signed in; others tell us which pages ' +
  'you read, so that we can show advertising that fits. With a click on Agree you allow all of them.'

describe('a question for consent beside an article', () => {
  it.each([
    ['a class', `<div class="cookie-notice"><p>${english}</p></div>`],
    ['an id', `<div id="CookieBanner"><p>${english}</p></div>`],
    ['the name of a program', `<div class="onetrust-pc"><p>${english}</p></div>`],
    ['a role', `<div role="dialog" aria-label="Privacy"><p>${english}</p><button>Agree</button></div>`],
    [
      'a label',
      `<section aria-label="Datenschutz"><p>${english}</p><button>OK</button><button>Accept</button></section>`,
    ],
    ['an element', `<dialog open><h2>We value your privacy</h2><p>${english}</p></dialog>`],
    ['a class without a message', `<div class="cookies"><p>${english}</p><a href="#" class="b">Accept all</a></div>`],
    [
      'German',
      '<div class="consent-layer"><p>Wir und unsere Partner verwenden Cookies, um Inhalte zu verbessern und um zu messen, was gelesen ' +
        'wird. Mit einem Klick auf „Zustimmen“ willigen Sie ein, und Sie können das später ändern.</p><button>Zustimmen</button></div>',
    ],
    [
      'German, with a button of another word',
      '<div id="privacy-layer" role="dialog"><p>Wir und unsere Partner verwenden Cookies, um Inhalte zu verbessern und um zu messen, was ' +
        'gelesen wird. Sie können das später ändern.</p><button>Alle annehmen</button></div>',
    ],
    ['the id of a section', `<section id="gdpr-notice"><h2>Your choices</h2><p>${english}</p></section>`],
    [
      'Russian',
      '<div class="cookie-bar"><p>Мы используем файлы куки, чтобы сайт работал, и чтобы понимать, какие страницы вы читаете. Нажимая ' +
        '«Принять», вы соглашаетесь с этим, и это можно изменить позже.</p><button>Принять</button></div>',
    ],
    [
      'Japanese',
      '<div role="dialog"><p>当サイトでは、利便性の向上のためクッキーを使用しています。引き続きご覧になる場合は、クッキーの使用に同意したものとみなします。' +
        '設定はいつでも変更できます。</p><button>同意する</button></div>',
    ],
  ])('is no content, by %s', (_, notice) => {
    const [word = ''] = /cookies on your|Wir und unsere|Мы используем|当サイト/.exec(notice) ?? []
    expect(word).not.toBe('')
    for (const text of [
      main(`<article>${article}</article>${notice}`),
      main(`<article>${article}</article>`, notice),
      main(`${notice}<article>${article}</article>`),
    ]) {
      expect(text).toContain('counts the boats')
      expect(text).toContain('brought over the hills')
      expect(text).not.toContain(word)
    }
  })
})

it('A question for consent is no content beside a short text without spaces', () => {
  const japanese =
    '<h1>港の灯</h1><p>番人は毎晩ランプに火をともし、船の数を帳面に書く。</p><p>三年目の冬、港は氷に閉ざされ、船は出なかった。</p>'
  const notice =
    '<div role="dialog"><p>当サイトではCookieを使用しています。続けることで、同意したものとみなされます。</p></div>'
  const text = main(japanese, notice)
  expect(text).toContain('番人は毎晩')
  expect(text).not.toContain('当サイト')
})

describe('a text about cookies that is content', () => {
  it.each([
    [
      'an article',
      `<article class="cookie-article"><h1>Cookies</h1><p>${english}</p>${'<p>Another one.</p>'.repeat(3)}</article>`,
    ],
    [
      'a policy',
      `<div class="cookie-policy"><h1>Cookie notice</h1><p>${english}</p><h2>Consent</h2><p>${english}</p></div>`,
    ],
    ['the only text of a page', `<div class="cookie-notice"><p>${english}</p></div>`],
    [
      'a section of a policy',
      `<h1>Privacy</h1>${article}<section id="cookies"><h2>Cookies</h2><p>${english}</p></section>`,
    ],
    ['a part without a name', `<article>${article}<div><p>${english}</p></div></article>`],
  ])('is kept: %s', (_, content) => {
    expect(main(content)).toContain('small files called cookies')
  })

  it('is kept where it is about biscuits', () => {
    const text = main(
      `<h1>Biscuits</h1>${article}<div class="cookie-box"><p>Mix the butter with the sugar, and bake the cookies for ten minutes, ` +
        'until they are brown and smell of the island.</p></div>',
    )
    expect(text).toContain('bake the cookies')
  })
})

describe('a message that a script adds beside the whole page', () => {
  const bar = (button: string): string => `<div class="cli-bar"><span>${english}</span> ${button}</div>`

  it('is no content where it has a button that answers, whatever it is called', () => {
    const text = main(`<article>${article}</article>`, bar('<a class="b1">Agree</a> <a href="/more">More</a>'))
    expect(text).toContain('counts the boats')
    expect(text).not.toContain('cookies on your')
  })

  it('is no content of a page of few words', () => {
    const text = textIn(
      extractHtml(
        `<body><main><h1>水車小屋</h1><p>川の曲がり角にある水車小屋は、四つの家のためにライ麦を挽いてきた。</p></main>
        <div class="window" aria-label="cookieconsent"><span>当サイトではクッキーを使用しています。サイトの閲覧を続けた場合、同意いただいたものとみなします。</span><a>同意する</a></div>`,
        { onlyMainContent: true },
      ),
    )
    expect(text).toContain('ライ麦')
    expect(text).not.toContain('クッキー')
  })
})

it('what stands for a player of another site until one consents is no content', () => {
  const stand =
    '<div class="embed-consent"><p>At this point you find external content. With your click you agree that it is shown to you, and that ' +
    'personal data may be sent to third-party platforms.</p><button>Show content</button></div>'
  expect(main(`<article>${article}${stand}<p>Nobody but him may open it.</p></article>`)).not.toContain('At this point')
})
