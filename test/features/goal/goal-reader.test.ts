import { expect, it } from 'vitest'
import { findGoalWords } from '../../../src/features/goal/goal-reader.js'
import { findLinks } from '../../../src/content/extract/links.js'
import { LinkResolver } from '../../../src/content/html/link-resolver.js'
import { parse } from '../../../src/content/parse/parse.js'
import { type GoalTerms, readGoalTerms } from '../../../src/features/goal/relevance/goal-words.js'

const url = 'https://example.com/docs/'
const terms = readGoalTerms('refund, annual policy')
const [REFUND, ANNUAL, POLICY, ANNUAL_POLICY] = [1, 2, 4, 8]

/** Finds the words of the goal in a page. */
function find(html: string, more: Partial<GoalTerms> = {}) {
  const plan = { maxHtmlBytes: 1e6, maxDepth: 100, maxNodes: 1e5 }
  const page = parse({ url, body: Buffer.from(html), contentType: 'text/html' }, plan)
  const resolver = new LinkResolver(page.baseUrl)
  const all = findLinks(page, resolver)
  const found = findGoalWords(page, { argument: { ...terms, ...more }, links: all, resolver })
  return {
    page: found.page,
    links: Object.fromEntries(found.links.map((words, nth) => [all[nth]?.url.slice(url.length), words])),
  }
}

it('counts the words of the goal on a page, without scripts, and those of its title', () => {
  const { page } = find(
    '<title>Refunds</title><script>refund()</script><h1>Annual</h1><p>Our policy: <b>annual</b> plans only',
  )
  expect(page).toEqual({ words: 7, counts: [1, 2, 1, 1], title: REFUND | ANNUAL })
})

it('finds the words in the text of a link, its path, the headings over it and beside it', () => {
  const { links } = find(`
    <h1>Annual</h1>
    <h2>Policies</h2>
    <ul><li>Get a <a href="refund-form">form</a> each year<li><a href="b">Refunds</a> <b>annual</b></ul>
    <p>Annual: <a href="c">see</a>.</p>
    <h2>Other</h2>
    <a href="d">more</a>`)
  expect(links).toEqual({
    'refund-form': { anchor: 0, path: REFUND, heading: POLICY, near: 0 },
    b: { anchor: REFUND, path: 0, heading: POLICY, near: ANNUAL },
    c: { anchor: 0, path: 0, heading: POLICY, near: ANNUAL },
    d: { anchor: 0, path: 0, heading: 0, near: 0 },
  })
})

it('finds phrases within a block, also across elements of the text', () => {
  const { page, links } = find(
    '<p>Annual<p><a href="a">policy</a><p><b>Annual</b> <i>leave</i> <a href="b">policies</a>',
  )
  expect(page.counts).toEqual([0, 2, 2, 1])
  expect(links).toMatchObject({ a: { anchor: POLICY }, b: { anchor: POLICY | ANNUAL_POLICY, near: ANNUAL } })
})

it('adds up the words at all links of a page to one URL', () => {
  const { links } = find('<a href="a">Refund</a><p>text</p><a href="a#x">Annual</a>')
  expect(links['a']).toMatchObject({ anchor: REFUND | ANNUAL })
})

it('takes the words beside one link of several to a URL, and none after a heading or beside a link of the head', () => {
  const { links } = find(`
    <link rel="next" href="n"><title>Refund</title>
    <p><a href="a">one</a> annual<p>text <a href="x">other</a><p><a href="a">two</a> refund policy</p>
    <h2>Later</h2><p>annual <a href="b">three</a></p><h2>End</h2><p>refund`)
  expect(links).toMatchObject({ n: { near: 0 }, a: { near: REFUND | POLICY }, b: { near: ANNUAL } })
})

it('keeps the first 2000 characters of the text, and 100 of the heading over a link', () => {
  const long = (word: string): string => `<b>${word.repeat(40)}</b>\n   `.repeat(60)
  const { page, links } = find(`<h2>${long('h')}</h2><p>${long('p')}</p><a href="a">link</a>`, { keepsTexts: true })
  expect(page.text).toHaveLength(2000)
  expect(links['a']?.over).toHaveLength(100)
  const cut = find(`<h2>${'h'.repeat(99)}😀</h2><a href="a">link</a><p>${'p'.repeat(1897)}😀`, { keepsTexts: true })
  expect(cut.links['a']?.over).toBe('h'.repeat(99))
  expect(cut.page.text).toHaveLength(1999)
})

it('takes linear time for a page of links', () => {
  const { links } = find(`<p>${'<a href="x">refund</a> annual '.repeat(20_000)}`)
  expect(Object.keys(links)).toEqual(['x'])
})
