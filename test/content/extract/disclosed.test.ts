import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })
const url = 'https://site.test/help'
const sentence = 'This sentence is long enough to be read as one, and it says something. '
const text = `<h1>Help</h1>${`<p>${sentence.repeat(3)}</p>`.repeat(3)}`
const answer = 'Within thirty days of delivery you may send back whatever you have bought from us.'

const read = async (html: string, options = {}) =>
  await engine.parse({ url, body: `<main>${text}${html}</main>` }, options)

describe('the question above an answer', () => {
  const others = ['Which boat leaves first?', 'Where do I buy a ticket?', 'Who pays for the oil?']
  const list = (write: (question: string) => string): string => others.map(write).join('')

  it.each([
    ['is a button', list((q) => `<div class="item"><button class="q">${q}</button><div>${answer}</div></div>`)],
    [
      'is a button with a sign',
      list((q) => `<div class="item"><button><span>${q}</span><svg></svg></button><p>${answer}</p></div>`),
    ],
    [
      'is a button in an element',
      list((q) => `<li><div class="head"><button>${q}</button></div><section>${answer}</section></li>`),
    ],
    [
      'is a button beside its answer',
      list((q) => `<button class="collapsible">${q}</button><div class="content">${answer}</div>`),
    ],
    [
      'is named a button',
      list((q) => `<div class="item"><div role="button" tabindex="0">${q}</div><div>${answer}</div></div>`),
    ],
    [
      'is an element with a script, above a hidden answer',
      list(
        (q) =>
          `<div class="q" onclick="t(this)"><span>${q}</span><i></i></div><div style="display:none"><p>${q} ${answer}</p></div>`,
      ),
    ],
  ])('is kept where it %s', async (_, html) => {
    const { markdown } = await read(`<div class="faq">${html}</div>`)
    for (const question of others) expect(markdown).toContain(question)
    expect(markdown?.split(answer)).toHaveLength(others.length + 1)
  })

  it.each([
    ['is a word, above buttons that are named for what they open', ['Shipping', 'Returns', 'Sizes'], answer],
    ['has an answer that is shorter', ['May I bring my own boat?', 'Is the lamp lit by day?'], 'Yes.'],
  ])('is kept where it %s', async (_, labels, below) => {
    const html = labels.map((label) => `<button class="accordion">${label}</button><div class="panel">${below}</div>`)
    const { markdown } = await read(`<div class="faq">${html.join('')}</div>`)
    for (const label of labels) expect(markdown).toContain(label)
  })

  it.each([
    [
      'a command',
      list(() => `<div class="item"><button>Subscribe to all news</button><div>${answer}</div></div>`),
      'Subscribe to all',
    ],
    [
      'a command on the text before it',
      list((q) => `<div class="item"><p>${q}</p><button>Translate into German</button><div>${answer}</div></div>`),
      'Translate',
    ],
    ['the only one', `<div class="item"><button>Become a member</button><div>${answer}</div></div>`, 'Become a'],
    [
      'longer than the text after it',
      list(() => '<div class="item"><button>Our offers of the week</button><div>All</div></div>'),
      'Our offers',
    ],
  ])('is none if it is %s', async (_, html, label) => {
    expect((await read(html)).markdown).not.toContain(label)
  })
})

describe('keeps elements that a control opens:', () => {
  it.each([
    [
      'named by `aria-controls`',
      `<h3><button aria-expanded="false" aria-controls="a">How?</button></h3><div id="a" hidden>${answer}</div>`,
    ],
    [
      'hidden by its style',
      `<h3><button aria-controls="a">How?</button></h3><div id="a" style="display: none">${answer}</div>`,
    ],
    [
      'after a control',
      `<div class="faq"><button aria-expanded="false">How?</button><div hidden>${answer}</div></div>`,
    ],
    [
      'after the heading with a control',
      `<h3><button aria-expanded="false">How?</button></h3><div style="display:none">${answer}</div>`,
    ],
    [
      'named by Bootstrap',
      `<a data-bs-toggle="collapse" data-bs-target="#a">How?</a><div id="a" style="display:none">${answer}</div>`,
    ],
    [
      'named by an older Bootstrap',
      `<a data-toggle="collapse" href="#a">How?</a><div id="a" style="display:none">${answer}</div>`,
    ],
    [
      'a tab panel',
      `<ul><li><a href="#t1">One</a></li><li><a href="#t2">Two</a></li></ul><div id="t1">Here</div><div id="t2" style="display:none">${answer}</div>`,
    ],
    [
      'named by its panel',
      `<div role="button" id="b">How?</div><section hidden aria-labelledby="b">${answer}</section>`,
    ],
    [
      'after headings that all have a hidden element',
      `<h3>How?</h3><div style="display:none">${answer}</div><h3>Why?</h3><div style="display:none">Because the law and our own good will both say so.</div>`,
    ],
    [
      'after headings of which the first is open',
      `<h3>Why?</h3><div><p>Because the law and our own good will both say so.</p></div><h3>How?</h3><div style="display:none">${answer}</div>`,
    ],
    [
      'after buttons without text',
      `<button class="c">How?</button><div style="display:none">${answer}</div><button class="c">Why?</button><div style="display:none">Because the law says so.</div>`,
    ],
    [
      'after questions',
      `<div><div class="question">How?</div><div class="answer" style="display:none">${answer}</div></div><div><div class="question">Why?</div><div class="answer" style="display:none">Because the law says so.</div></div>`,
    ],
    [
      'named by a script',
      `<button onclick="toggle('a')">Read more</button><div id="a" style="display:none">${answer}</div>`,
    ],
    [
      'after the terms of a definition list',
      `<dl><dt>How?</dt><dd hidden>${answer}</dd><dt>Why?</dt><dd hidden>Because the law says so.</dd></dl>`,
    ],
    [
      'inside of an element that another control opens',
      `<button aria-controls="a">More</button><div id="a" hidden><p>More of it stands here.</p><button aria-controls="b">How?</button><div id="b" hidden>${answer}</div></div>`,
    ],
  ])('%s', async (_, html) => {
    const { markdown, fidelity } = await read(html)
    expect(markdown).toContain(answer)
    expect(fidelity?.words).toBeGreaterThan(0.9)
  })

  it('shows disclosed elements as open in the whole page and in HTML', async () => {
    const html = `<button aria-controls="a">How?</button><div id="a" hidden style="color:red;display:none">${answer}</div>`
    const document = await read(html, { onlyMainContent: false, formats: ['markdown', 'html'] })
    expect(document.markdown).toContain(answer)
    expect(document.html).toContain(`<div id="a" style="color:red;">${answer}`)
  })

  it('keeps all blocks beside disclosed elements that are kept without them', async () => {
    const names = ['Ada', 'Berta', 'Carla', 'Doris', 'Emma', 'Frida', 'Gerda', 'Heidi', 'Irma', 'Jutta']
    const cards = names.map((name) => `<div class="team-item"><p><a href="/t/${name}">${name} Miller</a></p></div>`)
    const makePage = (questions: string): string =>
      `<html><head><title>Course</title></head><body><nav><a href="/">Home</a><a href="/courses">Courses</a></nav><main>
      <section class="hero"><h1>Graphic design course</h1><p>${sentence.repeat(4)}</p><a href="/enrol">Enrol now</a></section>
      <section class="faq"><h2>Questions</h2>${questions}</section><section>${`<p>${sentence.repeat(2)}</p>`.repeat(3)}</section>
      <section class="team"><h2>Our teachers</h2><div class="team-list">${cards.join('')}</div></section>
      </main><footer><a href="/imprint">Imprint</a> © Course Ltd</footer></body></html>`
    const question = (at: number, panel: string): string =>
      `<div class="faq"><button aria-expanded="false" aria-controls="a${at}">What about number ${at}?</button>${panel}</div>`
    const readWith = async (panelOf: (at: number) => string): Promise<string> => {
      const body = makePage([0, 1, 2].map((at) => question(at, panelOf(at))).join(''))
      return (await engine.parse({ url, body })).markdown ?? ''
    }
    const linesOf = (markdown: string): string[] => markdown.split('\n').filter((line) => line !== '')
    const without = await readWith(() => '')
    const beside = await readWith((at) => `<div id="a${at}" hidden><p>Answer ${at}. ${sentence.repeat(2)}</p></div>`)
    expect(names.filter((name) => without.includes(`${name} Miller`))).toEqual(names)
    expect(linesOf(without).filter((line) => !linesOf(beside).includes(line))).toEqual([])
    for (const at of [0, 1, 2]) expect(beside).toContain(`Answer ${at}.`)
  })

  it('keeps nothing besides the panels on a page that consists of them', async () => {
    const questions = Array.from(
      { length: 4 },
      (_, at) =>
        `<h3><button aria-expanded="false" aria-controls="a${at}">What about number ${at}?</button></h3><div id="a${at}" hidden><p>Answer ${at}. ${sentence.repeat(4)}</p></div>`,
    )
    const popular = '<aside><h3>Popular</h3><ul><li><a href="/a">The best shoes of the year</a></li></ul></aside>'
    const body = `<main><h1>Questions and answers</h1>${questions.join('')}${popular}</main>`
    const { markdown } = await engine.parse({ url, body })
    expect(markdown).toContain('Answer 3.')
    expect(markdown).not.toContain('The best shoes')
  })

  it('counts dropped parts of disclosed elements as lost in the fidelity', async () => {
    const panel = `<button aria-controls="a">More</button><div id="a" hidden>${'<a href="/x">Link of a list</a> '.repeat(60)}</div>`
    const body = `<main>${text}</main><aside>${panel}</aside>`
    const { fidelity, markdown } = await engine.parse({ url, body })
    expect(markdown).not.toContain('Link of a list')
    expect(fidelity?.words).toBeLessThan(0.9)
  })
})

describe('keeps elements hidden that open over the page or belong to its frame:', () => {
  it.each([
    ['a dialog', `<button aria-controls="a">Open</button><div id="a" role="dialog" hidden>${answer}</div>`],
    [
      'an element with such a name',
      `<a data-toggle="collapse" href="#a">Open</a><div id="a" class="modal fade" style="display:none">${answer}</div>`,
    ],
    [
      'an element that opens over the page',
      `<a data-toggle="modal" data-target="#a">Open</a><div id="a" style="display:none">${answer}</div>`,
    ],
    ['a menu', `<button aria-haspopup="menu" aria-controls="a">Open</button><ul id="a" hidden><li>${answer}</li></ul>`],
    ['a part of the frame', `<nav><button aria-controls="a">Open</button></nav><div id="a" hidden>${answer}</div>`],
    [
      'a cookie notice',
      `<div class="cookie-notice"><button aria-controls="a">More</button><div id="a" hidden>${answer}</div></div>`,
    ],
    [
      'a form',
      `<button aria-controls="a">Write to us</button><div id="a" hidden>${answer}<input><input><textarea></textarea></div>`,
    ],
    [
      'a copy of visible text',
      `<p>${answer}</p><button aria-controls="a">More</button><div id="a" hidden><p>${answer}</p></div>`,
    ],
    [
      'a list of links',
      `<button aria-controls="a">More</button><ul id="a" hidden><li><a href="/a">${answer}</a></li><li><a href="/b">B</a> 2</li></ul>`,
    ],
    [
      'links to diagrams',
      `<button aria-controls="a">Show</button><div id="a" hidden><a href="/a">${answer}</a><svg><text>${'term '.repeat(40)}</text></svg></div>`,
    ],
    ['an element that no control opens', `<div id="a" hidden>${answer}</div>`],
    [
      'an element that a hidden control opens',
      `<div hidden><button aria-controls="a">More</button></div><div id="a" hidden>${answer}</div>`,
    ],
    ['a template', `<button aria-controls="a">More</button><template id="a">${answer}</template>`],
    ['a single element after a heading', `<h3>How?</h3><div style="display:none">${answer}</div>`],
  ])('%s', async (name, html) => {
    const { markdown } = await read(html)
    expect(markdown?.split(answer).length).toBe(name.startsWith('a copy') ? 2 : 1)
  })

  it('finds disclosed elements in linear time', async () => {
    const many = Array.from(
      { length: 6000 },
      (_, at) =>
        `<button aria-expanded="false" aria-labelledby="x" id="x">a</button><p hidden aria-labelledby="x">b${at}`,
    )
    expect((await read(many.join(''))).markdown).toContain('Help')
    const form = `<div id="f" hidden><input><input>${'<p>word</p>'.repeat(80)}${'<i></i>'.repeat(60_000)}</div>`
    const named = '<button aria-controls="f">a</button>'.repeat(6000)
    expect((await read(`${form}${named}`)).markdown).toContain('Help')
    const deep = `${'<div>'.repeat(3000)}${'<button aria-expanded="false">a</button>'.repeat(3000)}<p hidden>x`
    expect((await read(deep)).markdown).toContain('Help')
  })
})

describe('items of a list that a click ticks off', () => {
  const items = (labels: readonly string[]): string =>
    `<ul>${labels.map((label) => `<li><button type="button"><b></b>${label}</button></li>`).join('')}</ul>`

  it('are content if they are amounts or sentences', async () => {
    const ingredients = ['120 g butter', '½ cup rye flour', '2 eggs']
    const steps = ['Melt the butter.', 'Beat in the eggs.', 'Bake it for an hour.']
    const { markdown } = await read(`<h2>Ingredients</h2>${items(ingredients)}<h2>Method</h2>${items(steps)}`)
    for (const item of [...ingredients, ...steps]) expect(markdown).toContain(`- ${item}`)
  })

  it('are none if they are commands', async () => {
    const { markdown } = await read(items(['Share this page.', 'Save this page.', 'Newest posts']))
    expect(markdown).not.toMatch(/Share|Save|Newest/)
  })
})
