import { describe, expect, it } from 'vitest'
import { warnOfDropped } from '../../../src/content/extract/main-content/warn-of-dropped.js'
import { measureFidelity } from '../../../src/content/extract/fidelity/fidelity.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { listNodes } from '../../../src/content/html/page-nodes.js'
import { parseHtml } from '../parse/pages.js'

/** Warns of a page of which only `#kept` is the content. */
function warn(html: string): string | undefined {
  const { $ } = parseHtml(html).tree
  const [kept, body] = [$('#kept')[0], $('body')[0]]
  if (kept === undefined || body === undefined) throw new Error('the page has no such elements')
  const choice = { roots: [kept], dropped: new Set<never>() }
  const cleared = findNeverShown(body)
  return warnOfDropped(body, cleared, choice, measureFidelity(body, cleared, choice, listNodes(body)))
}

const repeat = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('')
const words = (count: number): string =>
  `<p>${'The keeper of the harbour counts, as ever, boats. '.repeat(count / 9)}</p>`
const kept = (count: number): string => `<h1>Lights</h1><div id="kept">${words(count)}</div>`
const card = (at: number): string =>
  `<li class="card"><img src="/${at}.jpg"><a href="/lamps/${at}">Lamp of the harbour no. ${at}</a><span class="price">$${at + 20}.95</span></li>`
const story = (at: number): string =>
  `<li class="story"><h3><a href="/${at}">The harbour has another boat, number ${at}, and here is what it is for</a></h3></li>`
const remark = (at: number): string =>
  `<li class="remark"><b>Reader ${at}</b><p>${`We have read of boat ${at}, and know it well. `.repeat(6)}</p></li>`
const row = (at: number): string =>
  `<tr><td>${at}-1202</td><td>Reed against Harbour of the North</td><td>May ${at}</td></tr>`
const menu = `<nav><ul>${repeat(60, (at) => `<li><a href="/${at}">Part ${at} of the harbour</a></li>`)}</ul></nav>`

describe('what was left out is named by its kind', () => {
  it.each([
    ['a text', `${kept(36)}<div>${words(360)}</div>`, /^Only \d+% of the page's text is in the content/],
    [
      'a list of links beside a note',
      `${kept(18)}<ul>${repeat(12, story)}</ul>`,
      /^A series of 12 parts of one form, which begins with "The harbour has/,
    ],
    [
      'remarks far longer than the text',
      `${kept(180)}<ul>${repeat(9, remark)}</ul>`,
      /^A series of 9 parts|^Only \d+%/,
    ],
    [
      'the rows of a table',
      `${kept(81)}<table>${repeat(8, row)}</table>`,
      /^A series of 8 parts of one form, which begins with "0-1202/,
    ],
    [
      'a table of sums, beside a long text',
      `${kept(810)}<table>${repeat(12, (at) => `<tr><td>Part ${at}</td><td>$${at}0</td></tr>`)}</table>`,
      /^A table of 12 rows, which begins with "Part 0", was left out/,
    ],
    [
      'a few properties with their names, beside a long text',
      `${kept(360)}<table>${repeat(4, (at) => `<tr><th>Property ${at}</th><td>of ${at + 3} grams</td></tr>`)}</table>`,
      /^A table of 4 rows, which begins with "Property 0"/,
    ],
    [
      'several tables, beside a long text',
      `${kept(810)}<table>${repeat(7, row)}</table><h2>More</h2><table>${repeat(8, row)}</table>`,
      /^2 tables of 15 rows, the first of which begins with "0-1202", were left out/,
    ],
    [
      'the prices of a shop, beside a long text',
      `${kept(270)}<ul>${repeat(24, card)}</ul>`,
      /^All 24 prices of the page/,
    ],
    [
      'a few prices, beside a title',
      `<h1 id="kept">Lights</h1><ul>${repeat(6, card)}</ul>`,
      /series of 6 parts|All 6 prices/,
    ],
    [
      'nearly everything, by what its markup declares',
      `${menu}${kept(18)}`,
      /^Only 18 of the page's \d+ visible words are in the content: its markup/,
    ],
    [
      'Chinese text',
      `<div id="kept"><p>港口的灯。</p></div><div>${'<p>码头的管理员每天傍晚都要数船，然后把数字写进账本里。</p>'.repeat(8)}</div>`,
      /^A series of 8 parts|^Only \d+%/,
    ],
  ])('%s', (_, html, expected) => expect(warn(`<main>${html}</main>`)).toMatch(expected))
})

describe('no warning is given', () => {
  it.each([
    ['of related stories after a text', `${kept(180)}<ul>${repeat(30, story)}</ul>`],
    ['of remarks that are as long as the text', `${kept(180)}<ul>${repeat(5, remark)}</ul>`],
    ['of a table in the menu', `<nav><table>${repeat(12, row)}</table></nav>${kept(180)}`],
    [
      'of a calendar to choose a day from',
      `${kept(180)}<table><tr>${repeat(7, (at) => `<th>Day ${at}</th>`)}</tr>${repeat(5, (week) => `<tr>${repeat(7, (at) => `<td>${week * 7 + at + 1}</td>`)}</tr>`)}</table>`,
    ],
    [
      'of a table of links to others',
      `${kept(180)}<table>${repeat(9, (at) => `<tr><td><a href="/${at}">Boat number ${at}</a></td><td><a href="/${at}/b">Its harbour</a></td></tr>`)}</table>`,
    ],
    ['of a table of layout', `${kept(180)}<table role="presentation">${repeat(9, row)}</table>`],
    [
      'of a copy of a table that is in the content',
      `<div id="kept">${words(180)}<table>${repeat(9, row)}</table></div><table>${repeat(9, row)}</table>`,
    ],
    ['of a few rows that no header declares data', `${kept(180)}<table>${repeat(6, row)}</table>`],
    ['of a table of two rows', `${kept(180)}<table>${repeat(2, row)}</table>`],
    ['of the menu around a text', `${menu}${kept(90)}`],
    ['of a short text that is all there is', kept(36)],
    ['of a short page', `<nav>${'<a href="/">Home</a> '.repeat(60)}</nav>${kept(18)}`],
  ])('%s', (_, html) => expect(warn(`<main>${html}</main>`)).toBeUndefined())
})
