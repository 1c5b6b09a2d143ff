import { describe, expect, it } from 'vitest'
import { extractHtml, textIn } from './contents.js'

const sentence = (about: string): string =>
  `This sentence is about ${about}, and it is long enough to be read as a sentence. `
const paragraphs = (about: string, count = 6): string =>
  Array.from({ length: count }, (_, at) => `<p>${sentence(`${about} ${at}`).repeat(2)}</p>`).join('')
const links = (count: number): string =>
  `<ul>${Array.from({ length: count }, (_, at) => `<li><a href="/l${at}">Menu entry ${at}</a></li>`).join('')}</ul>`

const main = (html: string, head = ''): string =>
  textIn(extractHtml(`<html><head>${head}</head><body>${html}</body></html>`, { onlyMainContent: true }))

const chrome = (content: string): string =>
  `<header><a href="/">Site name</a>${links(5)}</header><nav>${links(9)}</nav>${content}<footer>Imprint ${links(4)}</footer>`

describe('the main content of a page', () => {
  it('excludes navigation, header and footer', () => {
    const text = main(chrome(`<div class="wrap"><h1>Tides</h1>${paragraphs('tides')}</div>`))
    expect(text).toMatch(/^Tides This sentence is about tides 0/)
    expect(text).not.toMatch(/Menu entry|Site name|Imprint/)
  })

  it('includes the labels of buttons that are a part of the text', () => {
    const text = main(
      chrome(`<main><h1>Tides</h1>${paragraphs('tides', 3)}
        <p>The tide table, says <button data-tooltip="x">Ann Lee</button>, was never so long in all these years.</p>
        <p>So does the harbour master<button>Jo Ray,</button> the head of the pilots.</p>
        <p>这座港口的潮汐表，教授<button>马龙</button>是中心的创始主任，这盏灯可以燃烧很多小时。</p>
        <table><thead><tr><th><button>Harbour</button></th><th><div class="flex"><button>Email <svg></svg></button></div></th></tr></thead>
          <tr><td>Hull</td><td>3</td></tr><tr><td>Ryde</td><td>5</td></tr></table>
        <table><tr><th><button>Lamp</button></th><th><button>Filter</button></th><th><button>Sort</button></th></tr>
          <tr><td>Brass</td><td>red</td><td>A</td></tr><tr><td>Amber</td><td>blue</td><td>B</td></tr></table>
        ${paragraphs('boats', 3)}</main>`),
    )
    expect(text).toContain('Lamp Filter Sort Brass red A')
    expect(text).toContain('says Ann Lee , was')
    expect(text).toContain('harbour master Jo Ray, the head')
    expect(text).toContain('教授 马龙 是')
    expect(text).toContain('Harbour Email Hull 3')
  })

  it.each([
    '<p>By Jane Doe, <button>Command</button> 12 March 2024, with a text of some length.</p>',
    '<p>The lamp burns with a warm light <button>Read more</button> and its light is bright.</p>',
    '<p>The total cost <button><i class="material-icons">command</i></button> of the lamp is high.</p>',
    '<p>The total cost <button><span class="sr-only">Command of costs</span></button> of the lamp is high.</p>',
    '<p>The price of the lamp <button>i</button> is high at all times of the year.</p>',
    '<p>Filter: <button>Command</button>, <button>Command</button>.</p>',
    '<table><tr><th>Name <button>Command</button></th><th>Price <button>▲</button><button>▼</button></th></tr><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>',
    '<table><tr><th><button>Select all</button></th><th>Price</th></tr><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>',
    '<table><tr><th><button>Select all</button></th><th><button>Price</button></th></tr><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>',
    '<button class="navbar-toggler">Command</button><div class="collapse"><p>The lamp burns with a warm light.</p></div>',
    '<button class="btn dropdown-toggle">Command</button><ul class="dropdown-menu"><li>The lamp burns.</li></ul>',
    '<button class="toggle-wrap">Command</button><pre>let lamp = 1</pre>',
  ])('excludes commands in it: %s', (part) => {
    const text = main(chrome(`<main><h1>Tides</h1>${paragraphs('tides', 3)}${part}${paragraphs('boats', 3)}</main>`))
    expect(text).toContain('about boats 0')
    expect(text).not.toMatch(/command|read more|select all|[▲▼]| i is/i)
  })

  it('is the contents of the main element', () => {
    const text = main(chrome(`<main><h1>Tides</h1>${paragraphs('tides')}</main><div>${sentence('a newsletter')}</div>`))
    expect(text).toContain('about tides 5')
    expect(text).not.toContain('newsletter')
  })

  it('is the part with the text if no markup names it', () => {
    const text = main(
      `<div class=a><div class=b>${links(12)}</div><div class=c><div class=d>${paragraphs('tides', 12)}</div></div><div class=e>${sentence('us')}</div></div>`,
    )
    expect(text).toContain('about tides 11')
    expect(text).not.toMatch(/Menu entry|about us/)
  })

  it('includes the text around a list that contains most of it', () => {
    const items = Array.from({ length: 9 }, (_, at) => `<li>${sentence(`change ${at}`).repeat(2)}</li>`).join('')
    const before =
      '<p>A <a href="/all">complete list</a> of changes and a <a href="/time">chronology</a> are available.</p>'
    const text = main(`<div class="menu">${links(9)}</div><h2>Release 3.8 on 1 May</h2>${before}<ol>${items}</ol>`)
    expect(text).toMatch(/^Release 3\.8 on 1 May A complete list/)
  })

  it('keeps the header of an article: its title, subtitle, author and date', () => {
    const text = main(
      chrome(`<article><h1>Tides explained</h1><p>A subtitle</p><address>By Ann Lee</address><time>20 May</time>
        ${paragraphs('tides', 9)}</article>`),
      '<meta property="og:type" content="article">',
    )
    expect(text).toMatch(/^Tides explained A subtitle By Ann Lee 20 May/)
  })

  it('drops parts of an article’s page that do not belong to the article', () => {
    const comments = ['Bo', 'Ida', 'Cy']
      .map(
        (name) =>
          `<div class="comment"><b class="author">${name}</b><p>I liked these comments!</p><a href="#r">Reply</a></div>`,
      )
      .join('')
    const text = main(
      chrome(`<article><h1>Tides</h1><div class="social-share">Share this</div>${paragraphs('tides', 9)}
        <p><a href="/more">Read more about the sea and all that lives in it</a></p>
        <div class="related-posts">${sentence('other things')}</div><section id="comments"><h2>3 comments</h2>${comments}</section></article>
        <aside class="sidebar">${sentence('the side')}</aside><div class="cookie-consent" role="dialog">${sentence('cookies')}</div>`),
      '<meta property="og:type" content="article">',
    )
    expect(text).toContain('about tides 8')
    expect(text).not.toMatch(/Share this|Read more|other things|comments|the side|cookies/)
  })

  it('keeps code and tables in the text, whatever element they are in', () => {
    const code = '<div class="widget popup"><pre><code>let x = 1</code></pre></div>'
    const table = '<table><tr><th><a href=/a>Name</a></th></tr><tr><td><a href=/b>Ann</a></td></tr></table>'
    const text = main(chrome(`<main><h1>Guide</h1>${paragraphs('guides')}${code}${paragraphs('more')}${table}</main>`))
    expect(text).toContain('let x = 1')
    expect(text).toContain('Name Ann')
  })

  it('keeps the caption of a table, a listing and a quote, and the source of a quote', () => {
    const table = '<table><tr><th>Port<th>Range<tr><td>Brest<td>6.1<tr><td>Cuxhaven<td>3</table>'
    const parts = [
      `<figure>${table}<figcaption>Table 1: ranges of two ports</figcaption></figure>`,
      '<figure><pre>rise(1)\nfall(2)</pre><figcaption>Listing 1: a day</figcaption></figure>',
      '<figure><blockquote><p>Time and tide wait for no man.</p></blockquote><figcaption>— Chaucer</figcaption></figure>',
      '<blockquote><p>The sea is everything to a keeper.</p><footer>— Verne, <cite>Depths</cite></footer></blockquote>',
    ]
    const text = main(
      chrome(
        `<main><article><h1>Tides</h1>${parts.map((part) => `${paragraphs('tides')}${part}`).join('')}</article></main>`,
      ),
    )
    expect(text).toContain('Cuxhaven 3 Table 1: ranges of two ports')
    expect(text).toContain('fall(2) Listing 1: a day')
    expect(text).toContain('no man. — Chaucer')
    expect(text).toContain('a keeper. — Verne, Depths')
  })

  it('has no links that edit a section of a wiki, also inside of headings, and no boxes of further articles', () => {
    const edit = '<span class="mw-editsection"><span>[</span><a href="/w?action=edit">edit</a><span>]</span></span>'
    const box = `<div class="navbox"><table><tr><th>Related<td><a href="/ebb">Ebb</a></table></div>`
    const article = `<h1>Tides</h1>${paragraphs('tides')}<h2><span>History</span>${edit}</h2>${paragraphs('moons')}
      <div class="mw-heading"><h2>Use</h2>${edit}</div>${paragraphs('mills')}${box}`
    const page = `<html><body class="skin-vector mediawiki"><div class="mw-parser-output">${article}</div></body></html>`
    const text = textIn(extractHtml(page, { onlyMainContent: true }))
    expect(text).toMatch(/History This sentence is about moons 0.* Use This sentence is about mills 0/)
    expect(text).not.toMatch(/edit|Ebb/)
  })

  it('keeps every post of a discussion', () => {
    const post = (name: string): string =>
      `<div class="comment-body"><b>${name}</b>${paragraphs(name, 2)}<div class="signature">Sent from my ${name} phone</div></div>`
    const text = main(
      `<nav>${links(5)}</nav><h1>How?</h1><div>${['ann', 'bob', 'cy'].map(post).join('')}</div>`,
      '<meta name="generator" content="phpBB">',
    )
    expect(text).toMatch(/about ann 0.*about bob 1.*about cy 1/)
    expect(text).not.toContain('Sent from')
  })

  it('is the list on a listing page', () => {
    const cards = Array.from(
      { length: 12 },
      (_, at) => `<li><h3><a href="/p${at}">Product ${at}</a></h3><span>€ ${at}</span></li>`,
    )
    const text = main(chrome(`<main><h1>All products</h1><ul>${cards.join('')}</ul></main>`))
    expect(text).toMatch(/^All products/)
    expect(text).toContain('Product 11')
  })

  it('weighs the text itself more than a word in a class name', () => {
    const text = main(
      `<div class="menu"><h1>Our menu</h1>${paragraphs('soups')}</div><div class="xQnaV-ad">${sentence('starters')}</div>`,
    )
    expect(text).toContain('about soups 5')
  })

  it('excludes the footer of a page that has no other sentences', () => {
    const notice = `<p>${sentence('the terms of use').repeat(4)}</p><p>© 2024 ${sentence('all rights')}</p>`
    const names = Array.from({ length: 8 }, (_, at) => `<tr><th>Class ${at}</th><td>Package ${at}</td></tr>`).join('')
    const page = `<main><h1>Uses of a class</h1><table>${names}</table></main><footer role="contentinfo">${notice}</footer>`
    expect(main(page)).toMatch(/^Uses of a class.*Package 7$/)
  })

  it('is the whole page if too little would be left', () => {
    expect(main(`<nav><p>Only this</p></nav>`)).toBe('Only this')
    expect(main(`<header>${paragraphs('headers')}</header>`)).toContain('about headers 5')
    expect(main(`<div class="modal">${paragraphs('modals')}</div>`)).toContain('about modals 5')
  })

  it('is empty on a page without text', () => {
    expect(main('')).toBe('')
    expect(main('<img src=a.png>')).toBe('')
  })
})
