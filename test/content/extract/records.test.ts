import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const CASES = [
  ['2026-CA-0112', 'Marsh v. Harbour Board', 'February 3, 2026'],
  ['2025-CA-0987', 'In re Estate of Holm', 'February 3, 2026'],
  ['2025-KA-0801', 'State v. Pell', 'January 28, 2026'],
  ['2025-CA-0755', 'City of Arden v. Dry Dock Co.', 'January 20, 2026'],
] as const

const INTRODUCTION =
  '<p>The recordings of all hearings are open to the public at the end of each week. They are listed by the name of the case, its number and the date of the hearing.</p>'.repeat(
    2,
  )

const MENU =
  '<header><a href="/">Court of Arden</a><nav><ul><li><a href="/clerk">Clerk</a></li><li><a href="/rules">Rules</a></li><li><a href="/forms">Forms</a></li></ul></nav></header>'

/** Returns the words of the content of a page, without marks and addresses. */
async function read(content: string, path = '/opinions'): Promise<string> {
  const body = `<html><head><title>Opinions</title></head><body>${MENU}<main><h1>Opinions</h1>${content}</main><footer><a href="/help">Help</a> © 2026 Court of Arden</footer></body></html>`
  const { markdown } = await engine.parse({ url: `https://court.test${path}`, body })
  return markdown
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/[[\]*#|\\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

const join = (write: (one: (typeof CASES)[number], nth: number) => string): string => CASES.map(write).join('\n')

describe('a list of dated or numbered records', () => {
  it.each([
    [
      'a table in a panel below an introduction',
      `${INTRODUCTION}<div class="panel-group"><div class="panel"><div class="panel-body"><table><tr><th>Hearing</th><th>Date</th></tr>${join(([number, name, day]) => `<tr><td><span style="float:left"><a href="/audio/${number}">${number}</a></span> <span style="display:block">${name}</span></td><td>${day}</td></tr>`)}</table></div></div></div>`,
    ],
    [
      'items of which every other has a class of its own',
      `<form><label>Words <input name="q"></label><label>From <input type="date"></label><button>Search</button></form><ul>${join(([number, name, day], nth) => `<li class="${nth % 2 === 0 ? 'odd' : 'even'} item"><div class="no">${nth + 1}.</div><div class="info"><h3><a href="/item/${number}">${name}</a> - <span>${day}</span></h3><div class="meta"><span>${number}</span></div></div></li>`)}</ul>`,
    ],
    [
      'buttons that open nothing, with links to papers',
      `${INTRODUCTION}<div class="results">${join(([number, name, day]) => `<div class="day"><h3>${day}</h3></div><div class="case"><button aria-expanded="false" aria-controls="c"><span>${number}</span> <span>${name}</span></button><div class="info"><p></p></div><p><a href="/pdf/${number}.pdf">Download</a></p></div>`)}</div>`,
    ],
    [
      'summaries below numbers and days in a column beside the text',
      `${INTRODUCTION}<div class="sidebar-list">${join(([number, name, day]) => `<div class="entry"><div class="no"><h4><a href="/o/${number}">${number}</a></h4></div><div class="day">${day}</div><div class="text"><p>A court would likely conclude that the law lets ${name} appeal within the year, whatever the harbour has written in its rules.</p></div></div>`)}</div>`,
    ],
  ])('is content as a whole: %s', async (_, html) => {
    const text = await read(html)
    for (const [number, name, day] of CASES) {
      expect(text).toContain(number)
      expect(text).toContain(name)
      expect(text).toContain(day)
    }
  })

  it('is no content below an article', async () => {
    const article = Array.from(
      { length: 8 },
      (_, nth) =>
        `<p>The harbour office keeps a record of every vessel that enters the basin, and compares it with the list of pilot ${nth}, who writes down what he has seen at the end of each week.</p>`,
    ).join('')
    const others = `<div class="more"><h2>More stories</h2><ul>${join(([, name, day]) => `<li><a href="/story/${name.length}">${name}</a> <span>${day}</span></li>`)}</ul></div>`
    const text = await read(`<article>${article}</article>${others}`, '/2026/a-story.html')
    expect(text).toContain('pilot 7')
    expect(text).not.toContain('State v. Pell')
  })
})

describe('the line above an entry', () => {
  const SUMMARY =
    'The appeal is dismissed, because it was lodged a year after the judgment had been read to both sides.'
  const lines = (write: (nth: number) => string): string =>
    Array.from({ length: 4 }, (_, nth) => `${write(nth)}<ul><b>Case ${nth}</b>; Disposition: ${SUMMARY}</ul><hr>`).join(
      '',
    )

  it.each([
    ['a number', lines((nth) => `<br>EN BANC<br><b>89-R-9900${nth}-SCT</b><br>`), ['89-R-99000-SCT', '89-R-99003-SCT']],
    [
      'a day',
      lines((nth) => `<div class="day"><b>March ${nth + 3}, 2026</b></div>`),
      ['March 3, 2026', 'March 6, 2026'],
    ],
  ])('is content with it: %s', async (_, html, wanted) => {
    const text = await read(html)
    for (const want of wanted) expect(text).toContain(want)
  })
})

describe('papers and dates', () => {
  it('a list of links to files is content', async () => {
    const html = `${INTRODUCTION}<h2>Minutes</h2><div>${[1, 2, 3, 4].map((nth) => `<a href="/files/minutes-${nth}.pdf">Minutes of meeting ${nth}</a>`).join(' ')}</div>`
    expect(await read(html)).toContain('Minutes of meeting 4')
  })

  it('the dates of one list are content all or none', async () => {
    const days = [
      'January 29, 2026 Annual meeting, moved from January 17, 2026',
      'March 29, 2026',
      'May 16, 2026',
      'July 18, 2026',
      'September 19, 2026 CANCELLED',
    ]
    const html = `${INTRODUCTION}<div>${days.map((day, nth) => (nth % 2 === 1 ? `<p><a href="/notice/${nth}">${day}</a></p>` : `<p>${day}</p>`)).join('')}</div>`
    const text = await read(html, '/notices')
    const there = days.filter((day) => text.includes(day))
    expect([0, days.length]).toContain(there.length)
    expect(there.length).toBe(days.length)
  })
})

describe('a value and its name', () => {
  it.each(['Number: 278526196', 'Place: A-6805 Feldkirch', 'Kind: private'])('are content both: %s', async (want) => {
    const facts = ['Place: A-6805 Feldkirch', 'Number: 278526196', 'Date: Today, 09:06', 'Kind: private']
    const html = `<div class="offer"><div class="price">€ 20,-</div><div class="details">${facts.map((fact) => `<div class="fact"><div class="lbl">${fact.split(': ')[0]}:</div><strong>${fact.split(': ')[1]}</strong></div>`).join('')}</div><p>A remote control, as new and never used, in its box and with its batteries, for a set of any make.</p></div>`
    expect(await read(html, '/offer/278526196')).toContain(want)
  })

  it('a line with a colon right above a list of the content is content', async () => {
    const html = `${INTRODUCTION}<h2>Steps</h2><div class="steps"><p>For the prawns:</p><ol><li>Heat the oil in a wide pan until it shimmers.</li><li>Add the prawns, and turn them after a minute.</li><li>Serve them on the rice at once, with lemon.</li></ol></div>`
    expect(await read(html)).toContain('For the prawns:')
  })
})

it('the label of a control is content with the text that it opens', async () => {
  const days = ['February 3, 2026', 'January 28, 2026', 'January 20, 2026']
  const html = `<div class="accordion">${days.map((day, nth) => `<div class="item"><h2><button class="accordion-button" data-bs-toggle="collapse" data-bs-target="#c${nth}">${day}</button></h2><div id="c${nth}" class="collapse show"><div class="body"><a href="/${nth}.pdf">2026-CA-01${nth}2 - Marsh v. Board ${nth}</a><p>Reversed and sent back to the court of the district, whose costs the board bears.</p></div></div></div>`).join('')}</div>`
  const text = await read(html)
  for (const day of days) expect(text).toContain(day)
})

it('the pictures of a gallery in an article are content, whatever their captions', async () => {
  const text = (nth: number): string =>
    `<p>The harbour office keeps a record of every vessel that enters the basin, and compares it with list ${nth} of the pilots at the end of each week.</p>`
  const html = `<article>${[1, 2, 3].map(text).join('')}<div class="pictures">${[1, 2, 3, 4].map((nth) => `<figure><a href="/large-${nth}.jpg"><img src="/small-${nth}.jpg" alt=""></a><figcaption>Plate ${nth}</figcaption></figure>`).join('')}</div>${[4, 5, 6].map(text).join('')}</article>`
  const { markdown } = await engine.parse({
    url: 'https://site.test/story',
    body: `<html><body>${MENU}<main><h1>Ice</h1>${html}</main></body></html>`,
  })
  for (const nth of [1, 2, 3, 4]) expect(markdown).toContain(`/small-${nth}.jpg`)
})

it('the only picture in an element of an article is content, whatever its caption', async () => {
  const text = (nth: number): string =>
    `<p>The harbour office keeps a record of every vessel that enters the basin, and compares it with list ${nth} of the pilots at the end of each week.</p>`
  const picture =
    '<div class="captioned"><figure><a href="/large.jpg"><div><img src="/small.jpg" alt=""></div></a><figcaption>Ann Lee</figcaption></figure></div>'
  const { markdown } = await engine.parse({
    url: 'https://site.test/story',
    body: `<html><body>${MENU}<main><article><h1>Ice</h1>${[1, 2, 3].map(text).join('')}${picture}${[4, 5, 6].map(text).join('')}</article></main></body></html>`,
  })
  expect(markdown).toContain('/small.jpg')
})
