import { alone, each, FRAME, inOldSite, inSite, type MadePage } from './made-page.js'

type Rows = readonly (readonly string[])[]

const table = (rows: Rows, attributes = ''): string =>
  `<table${attributes}>${each(rows, (row, at) => `<tr>${each(row, (cell) => (at === 0 ? `<th>${cell}</th>` : `<td>${cell}</td>`))}</tr>`)}</table>`

const HOURS: Rows = [
  ['Day', 'Opens', 'Closes'],
  ['Monday', '8.00', '16.30'],
  ['Wednesday', '9.15', '18.45'],
  ['Saturday', '10.00', '13.00'],
]
const STANDINGS: Rows = [
  ['Team', 'Played', 'Points'],
  ...['Gulls', 'Anchors', 'Pilots', 'Herons', 'Tides'].map((team, at) => [
    `<a href="/teams/${team}">${team}</a>`,
    `${18 - (at % 2)}`,
    `${41 - 5 * at}`,
  ]),
]
const DEPARTURES: Rows = [5, 6, 7, 8, 9, 10].map((hour) => [`${hour}.05`, `${hour}.25`, `${hour}.45`])
const PRICES: Rows = [
  ['Ticket', 'Adult', 'Child'],
  ['Single', '€ 4.20', '€ 2.10'],
  ['Ten rides', '€ 36.00', '€ 18.00'],
  ['Month', '€ 71.50', '€ 35.75'],
]
const cellsOf = (rows: Rows): string[] => rows.flat().map((cell) => cell.replace(/<[^>]*>/g, ''))

/** Pages of tables without a sentence. */
export const tables: readonly MadePage[] = [
  {
    name: 'a table of opening hours',
    html: inSite(`<h1>Opening hours</h1>${table(HOURS)}`),
    wanted: ['Opening hours', ...cellsOf(HOURS)],
    unwanted: FRAME,
  },
  {
    name: 'a table of opening hours on a site of `div` elements',
    html: inOldSite(`<h1>Opening hours</h1><div class="table-responsive">${table(HOURS)}</div>`),
    wanted: cellsOf(HOURS),
    unwanted: FRAME,
  },
  {
    name: 'a table whose names are links',
    html: inSite(table(STANDINGS, ' class="standings"'), 'Standings'),
    wanted: cellsOf(STANDINGS),
    unwanted: FRAME,
  },
  {
    name: 'a table of numbers without a header',
    html: inOldSite(
      `<table><tbody>${each(DEPARTURES, (row) => `<tr>${each(row, (cell) => `<td>${cell}</td>`)}</tr>`)}</tbody></table>`,
      'Departures',
    ),
    wanted: cellsOf(DEPARTURES),
    unwanted: FRAME,
  },
  {
    name: 'two tables with captions',
    html: inSite(
      `<h1>Fares</h1>${table(PRICES).replace('>', '><caption>Bus and tram</caption>')}${table(HOURS).replace('>', '><caption>Ticket office</caption>')}`,
    ),
    wanted: ['Bus and tram', 'Ticket office', ...cellsOf(PRICES), ...cellsOf(HOURS)],
    unwanted: FRAME,
  },
  {
    name: 'a table in a layout of tables',
    html: alone(
      `<table width="100%"><tr><td colspan="2"><a href="/">Home</a> | <a href="/fleet">Fleet</a> | <a href="/crew">Crew</a></td></tr>
      <tr><td><b>Fares</b><br>${table(PRICES, ' border="1"')}</td></tr></table>`,
    ),
    wanted: cellsOf(PRICES),
  },
  {
    name: 'a table of specifications in a `dl` element',
    html: inSite(
      `<h1>Ferry Alba</h1><dl>${each(
        [
          ['Length', '48.2 m'],
          ['Built', '1997'],
          ['Engine', '2 × 640 kW'],
          ['Cars', '34'],
        ],
        ([name = '', value = '']) => `<dt>${name}</dt><dd>${value}</dd>`,
      )}</dl>`,
    ),
    wanted: ['Ferry Alba', 'Length', '48.2 m', '1997', '2 × 640 kW', '34'],
    unwanted: FRAME,
  },
]

const COURSES = ['Knots and ropes', 'Reading charts', 'First aid at sea', 'Radio for beginners', 'Sails and rigging']

/** Pages of one list, or of a form with text. */
export const lists: readonly MadePage[] = [
  {
    name: 'a list of links to courses',
    html: inSite(
      `<h1>Courses</h1><ul>${each(COURSES, (name, at) => `<li><a href="/courses/${at + 1}">${name}</a></li>`)}</ul>`,
    ),
    wanted: ['Courses', ...COURSES],
    unwanted: FRAME,
  },
  {
    name: 'a ranking in a list',
    html: inOldSite(
      `<h2>Fastest crossings</h2><ol>${each(COURSES, (name, at) => `<li>${name}, ${at + 3}0 s</li>`)}</ol>`,
    ),
    wanted: COURSES,
    unwanted: FRAME,
  },
  {
    name: 'a list without a heading',
    html: inSite(
      `<ul class="downloads">${each(COURSES, (name, at) => `<li><a href="/files/${at}.pdf">${name}</a> (${at + 2} MB)</li>`)}</ul>`,
    ),
    wanted: COURSES,
    unwanted: FRAME,
  },
  {
    name: 'a form with text',
    html: inSite(
      `<form action="/book" method="post"><h1>Book a berth</h1><p>Guests may stay for up to seven nights.</p>
      <label for="n">Name of the boat</label><input id="n"><label for="l">Length in metres</label><input id="l">
      <p>Berths on the east pier have no electricity.</p><button>Send</button></form>`,
    ),
    wanted: ['Book a berth', 'Guests may stay for up to seven nights.', 'Berths on the east pier have no electricity.'],
    unwanted: FRAME,
  },
  {
    name: 'an address and a telephone number',
    html: inOldSite(
      `<h1>Find us</h1><address>Harbour office<br>12 Pier Road<br>Elm 4012<br><a href="tel:+4312345">+43 12345</a></address>`,
    ),
    wanted: ['Find us', '12 Pier Road', '+43 12345'],
    unwanted: FRAME,
  },
  {
    name: 'one short message',
    html: inSite('<div class="message">The ferry to the island is cancelled today.</div>'),
    wanted: ['The ferry to the island is cancelled today.'],
    unwanted: FRAME,
  },
]
