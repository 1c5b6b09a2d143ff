import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const english =
  '<p>The harbour master counts the boats each evening.</p><p>In the third winter the keeper put up a second lamp.</p>'
const chinese =
  '<p>码头的管理员每天傍晚数船，把数目写进一本谁也打不开的簿子里。</p><p>第三年冬天，他在旧灯旁边又挂了一盏灯。</p>'
const lastWords = (html: string): string => /([^<> ]+)<\/p>$/.exec(html)?.[1] ?? ''

const parse = async (body: string) => await engine.parse({ url: 'https://site.test/', body })

/** A page that shows a heading and its frame. */
const around = (html: string): string =>
  `<title>Pier</title><nav><a href="/">Home</a></nav><h1>Pier</h1>${html}<footer>© Pier</footer>`

describe.each([
  ['English', english],
  ['Chinese', chinese],
])('a short text that only a script shows, in %s,', (_, text) => {
  it.each([
    ['keeps its place', `<div style="visibility: hidden; opacity: 0">${text}</div>`],
    ['takes no place', `<div style="display:none">${text}</div>`],
    ['has the attribute', `<article hidden>${text}</article>`],
    ['is hidden twice', `<div hidden><div style="visibility:hidden">${text}</div></div>`],
    ['has paragraphs hidden each', text.replaceAll('<p>', '<p class="wow" style="visibility: hidden;">')],
    [
      'has parts hidden each',
      `<section hidden>Read</section>${text.replace(/(<p>.*?<\/p>)/g, '<section hidden>$1</section>')}`,
    ],
    ['stands beside a placeholder', `<p>Loading…</p><div hidden>${text}</div>`],
    ['is for readers without scripts', `<div id="root"></div><noscript>${text}</noscript>`],
  ])('is content where it %s', async (_how, html) => {
    const { markdown, warning } = await parse(around(html))
    expect(markdown).toContain(lastWords(text))
    expect(markdown).toContain(text.slice(3, 12))
    expect(warning).toBeUndefined()
  })

  it('stays hidden where the page shows a text, with a warning', async () => {
    const hidden = `${text.replaceAll(/d|灯/g, 'x')}${text.replaceAll(/e|船/g, 'y')}`
    const { markdown, warning } = await parse(around(`${text}<div hidden>${hidden}</div>`))
    expect(markdown).toContain(lastWords(text))
    expect(markdown).not.toMatch(/[xy]/)
    expect(warning).toMatch(
      /^The page hides more text than it shows: \d+ words are left out, beside \d+ visible ones\.$/,
    )
  })
})

it.each([
  ['a dialog', `<div class="modal" style="display:none">${english}</div>`],
  ['a consent text', `<div class="cookie-notice" style="display:none">${english}</div>`],
  ['a form', `<form hidden>${english}</form>`],
  ['a menu', `<nav hidden>${english}</nav>`],
  ['a message', '<div hidden>Copied to the clipboard.</div>'],
  ['a label that many parts repeat', '<div hidden>Loading…</div>'.repeat(40)],
])('does not take %s for the content of a page with hardly any text', async (_, html) => {
  const { markdown } = await parse(around(html))
  expect(markdown).toBe('# Pier')
})

it.each([
  'You need to enable JavaScript to run this app.',
  '<p>Please enable <b>JavaScript</b> in your browser to see this page as it is meant to be seen.</p>',
  '<h1>JavaScript required</h1><p>Turn it on in the settings of your program to see this page, and reload it.</p>',
  'Sorry, your browser is too old for this page. Take another one to see it, or ask us for help.',
  'Bitte aktivieren Sie JavaScript, um diese Seite in ihrer ganzen Pracht zu sehen.',
  '本网站需要启用脚本才能正常使用，请打开后刷新页面，谢谢合作。',
  '<img src="/pixel.gif?id=1" alt=""><iframe src="/count.html"></iframe>',
])('does not take a request for scripts for the content: %s', async (notice) => {
  const { markdown, warning } = await parse(`<div id="root"></div><noscript>${notice}</noscript>`)
  expect({ markdown, warning }).toEqual({ markdown: '', warning: 'The page has no text.' })
})

it('keeps the content for readers without scripts that asks for them as well', async () => {
  const text = '<h1>Pier Works</h1><p>We build piers of oak and stone.</p><p>Please enable JavaScript for the map.</p>'
  expect((await parse(`<div id="root"></div><noscript>${text}</noscript>`)).markdown).toContain('We build piers')
})

it('counts each character of Chinese and Japanese as a word', async () => {
  const { fidelity } = await parse('<p>番人は毎晩 the lamp を数える</p>')
  expect(fidelity?.visibleWords).toBe(11)
})
