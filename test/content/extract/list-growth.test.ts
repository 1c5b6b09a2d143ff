import { describe, expect, it } from 'vitest'
import { extract } from '../../../src/content/extract/extract.js'
import { parseHtml } from '../parse/pages.js'

const repeat = (size: number, write: (at: number) => string): string =>
  Array.from({ length: size }, (_, at) => write(at)).join('')

/** Returns a class of its own for each number. */
const letters = (at: number): string =>
  Array.from(at.toString(16))
    .map((digit) => 'abcdefghijklmnop'[parseInt(digit, 16)])
    .join('')

const shapes: Record<string, (size: number) => string> = {
  siblings: (size) => repeat(size, (at) => `<div class="c"><a href="/p/${at}">t${at}</a> <span>x</span></div>`),
  'bare links': (size) => '<a href="x">b</a>'.repeat(size),
  'nested groups': (size) => '<div class="a"><p>x</p><p>y</p><p>z</p>'.repeat(size),
  'classes of their own': (size) =>
    repeat(size, (at) => `<div class="c"><i class="${'k'.repeat(1 + (at % 400))}">v</i></div>`),
  'rows of a table': (size) => `<table><tr><th>a<th>b${repeat(size, (at) => `<tr><td>x${at}<td>y`)}</table>`,
  'spans of a table': (size) =>
    `<table>${'<tr>'.concat('<td rowspan=1000 colspan=1000>x'.repeat(10)).repeat(size / 10)}`,
  'nested tables': (size) => '<table><tr><td>a<td>'.repeat(size / 10),
  terms: (size) => `<dl>${'<dt>a<dd>b'.repeat(size)}</dl>`,
  grids: (size) =>
    `<div class="r">${'<div class="c"><a href="x">t</a><p>y</p></div>'.repeat(20)}</div>`.repeat(size / 20),
  labels: (size) => '<li>Size: 4<b>Key: </b>'.repeat(size),
  'kinds of their own in two parts, after many siblings': (size) => {
    const part = repeat(size, (at) => `<p class="${letters(at)}">t</p>`.repeat(2))
    return `${'<hr>'.repeat(size * 8)}<div class="a">${part}</div><div class="b">${part}</div>`
  },
  'names of their own': (size) => repeat(size, (at) => `<e-${letters(at)} class="q">v</e-${letters(at)}>`.repeat(3)),
  'one large entry': (size) =>
    `<li><a href="1">a</a><li><a href="2">a</a><li><a href="3">a</a>${'<i class="q">v</i>'.repeat(size)}`,
  'spans in spans': (size) => repeat(40, () => `<li>${'<span class="q">v '.repeat(size / 40)}</li>`),
}

/** Measures processor time, so that other load does not count. Both sizes are parsed alike. */
function cost(html: string): number {
  const plan = { onlyMainContent: false, includeTags: [], excludeTags: [], fidelity: false, list: { all: true } }
  const runs = Array.from({ length: 2 }, () => {
    const page = parseHtml(`<main>${html}</main>`)
    const before = process.cpuUsage()
    extract(page, plan)
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...runs)
}

describe('reading lists takes linear time', () => {
  it.each(Object.entries(shapes))('%s', { timeout: 60_000 }, (_, make) => {
    cost(make(2_000))
    const small = cost(make(2_000))
    const large = make(8_000)
    // Four times the size costs four times the time; quadratic growth would cost sixteen times, each time.
    const most = Math.max(small, 10_000) * 10
    expect([1, 2, 3].some(() => cost(large) < most)).toBe(true)
  })
})

it('a list of 50,000 entries has 10,000 rows at most', { timeout: 60_000 }, () => {
  const plan = { onlyMainContent: false, includeTags: [], excludeTags: [], fidelity: false, list: {} }
  const entries = repeat(50_000, (at) => `<li class="entry"><a href="/${at}">Entry ${at}</a></li>`)
  const { lists = [] } = extract(parseHtml(`<ul>${entries}</ul>`), plan)
  expect(lists[0]?.items).toHaveLength(10_000)
  expect(lists[0]?.keys.at(-1)).toBe('https://site.test/9999')
})
