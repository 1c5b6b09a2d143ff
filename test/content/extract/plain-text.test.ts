import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const SENTENCE =
  'The wind vane turns on two bearings of brass, which want a drop of oil before the first frost of each year.'
const P = `<p>${SENTENCE} ${SENTENCE}</p>`

const engine = createEngine({ threads: 0, cache: false })
afterAll(() => engine.close())

/** Returns the Markdown of the main content of a page. */
async function read(body: string): Promise<string> {
  const { markdown } = await engine.parse({
    url: 'https://wind.test/vane.html',
    body: `<title>Wind vane</title><body>${body}`,
  })
  return markdown
}

const link = (text: string): string => `<a href="${text.toLowerCase()}.html">${text}</a>`
const MENU = `<div class=menu><ul><li>${link('Home')}<li>${link('Download')}<li>${link('Support')}</ul></div>`
const WAYS = `${link('Previous')} | ${link('Contents')} | ${link('Next')}`

describe('a page that was written by hand, without a template', () => {
  it('keeps the short lines of a reference with its links', async () => {
    const text = await read(
      `${MENU}<h2>Reset a vane</h2><blockquote><pre>int vane_reset(vane*);</pre></blockquote><p>Turns the vane north.</p>` +
        `<p>See also lists of ${link('Objects')}, ${link('Constants')}, and ${link('Functions')}.</p>`,
    )
    expect(text).toContain('int vane_reset(vane*);')
    for (const name of ['objects', 'constants', 'functions']) expect(text).toContain(`/${name}.html)`)
    expect(text).not.toContain('Download')
  })

  it('keeps lines of links with a name or below a heading, and lists of links', async () => {
    const text = await read(
      `${MENU}<h1>vane</h1>${P}Used by:&nbsp; ${link('Mast')} &nbsp; ${link('Yard')}<br>See also: ${link('Cup')} ${link('Flag')}` +
        `<h2>FILES</h2><tt>vane.conf</tt><div class=columns><ul><li>${link('North')}<li>${link('South')}</ul></div>` +
        `<h2>SEE ALSO</h2>${link('Kite')}, ${link('Sail')}, ${link('Rope')}`,
    )
    for (const name of 'mast yard cup flag north south kite sail rope'.split(' '))
      expect(text).toContain(`/${name}.html)`)
    expect(text).toContain('`vane.conf`')
  })

  it('keeps the closing paragraph of a list of changes', async () => {
    const text = await read(
      `${MENU}<h2>Vane 2.1</h2><ol class=tight><li>Turns faster.<li>Fix ${link('Leaks')}.</ol><p>A ${link('List')} of all releases is available.</p>`,
    )
    expect(text).toMatch(/Turns faster\.[^]*\/list\.html\) of all releases/)
  })

  it('loses the ways to the chapters around it', async () => {
    const text = await read(`${WAYS}<hr><h1>2. Bearings</h1>${P.repeat(4)}<p>${link('Tables')}</p><hr>${WAYS}`)
    expect(text).toContain('/tables.html)')
    expect(text).not.toMatch(/Previous|Contents|Next/)
  })

  it.each([
    `<p>Follow us on ${link('Twitter')} and ${link('Facebook')}</p>`,
    `<p>Share this page: ${link('Facebook')} ${link('Mail')}</p>`,
    `<p>${link('Home')}</p>`,
    `<hr><address>Ada Lee</address>`,
  ])('adds nothing that closes it: %s', async (closing) => {
    const text = await read(`<h1>Vane</h1>${P.repeat(5)}<p>See also ${link('Cup')}.</p>${closing}`)
    expect(text.trim()).toMatch(/See also \[Cup\]\(\S+\)\.$/)
  })
})

describe('a page by hand that is no manual', () => {
  const links = ['North', 'South', 'East'].map(link)
  const story = `<h1>Vane</h1>${P.repeat(5)}<p>See also ${link('Cup')}.</p>`

  it.each([
    ['a list of other stories', `<h3>More news</h3><ul><li>${links.join('<li>')}</ul>`],
    ['a weblog roll', `<div class=roll><h4>Blogroll</h4>${links.join('<br>')}</div>`],
    ['archives by month', `<h4>Archives</h4>${links.join('<br>')}`],
    ['tags and categories', `<p>Tags: ${links.join(', ')}</p><p>Posted in ${link('North')} | ${link('South')}</p>`],
    ['goods of others', `<h2>Customers also bought</h2>${links.map((one) => `<p>${one}<br>12 pounds</p>`).join('')}`],
  ])('adds nothing that stands beside its text: %s', async (_, beside) => {
    const text = await read(story + beside)
    expect(text).not.toMatch(/north|south|east\.html|pounds/)
  })

  it.each([
    ['paragraphs', links.map((one) => `<p>${one}</p>`).join('')],
    ['a list', `<ul><li>${links.join('<li>')}</ul>`],
    ['a table', `<table><tr><td>${links.join('<td>')}</table>`],
    ['a line', `<p>${links.join(' | ')}</p>`],
  ])('adds no menu between the title and the text: %s', async (_, menu) => {
    expect(await read(`<h1>Vane</h1>${menu}${P.repeat(5)}`)).not.toContain('south')
  })

  it('keeps a table of contents there, and what is below such a heading in sentences', async () => {
    const contents = ['North', 'South', 'East'].map((name) => `<li><a href="#${name}">${name}</a>`).join('')
    const text = await read(
      `<h1>Vane</h1><ul>${contents}</ul>${P.repeat(2)}<h2>Related articles</h2>${P}<p>So ${link('Cup')}.</p>`,
    )
    expect(text).toContain('South')
    expect(text).toContain('/cup.html)')
  })
})

describe('a page with a template', () => {
  const lines = `<p>See also lists of ${link('Objects')}, ${link('Constants')}, and ${link('Functions')}.</p>`

  it.each([
    ['parts of HTML 5', `<main><h1>Vane</h1>${P}${P}${P}</main><aside>${lines}</aside>`],
    ['containers in containers', `<div><div><h1>Vane</h1>${P}${P}${P}</div><div>${lines}</div></div>`],
    ['a table of columns', `<table><tr><td>${lines}</td><td><h1>Vane</h1>${P}${P}${P}</td></tr></table>`],
    ['a foot right in the page', `<div><div><div><h1>Vane</h1>${P}${P}${P}</div></div></div>${lines}`],
  ])('is no such page: %s', async (_, body) => {
    expect(await read(body)).not.toContain('Objects')
  })
})
