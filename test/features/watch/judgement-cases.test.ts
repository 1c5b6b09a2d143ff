import { expect, it } from 'vitest'
import { CHANGE_FIELDS } from '../../../src/content/compare/change-field.js'
import { type Judgement, judgeChanges, judgeTooLarge } from '../../../src/content/compare/judge-changes.js'
import { NO_NOISE } from '../../../src/content/compare/noise-memory.js'

const AT = Date.UTC(2026, 10, 22, 12)
const DAY = 86_400_000

const judge = (previous: string, current: string): Judgement =>
  judgeChanges({ previous, current, previousAtMs: AT - DAY, atMs: AT, fields: CHANGE_FIELDS })

const row = (cells: string): string => `| Name | Value |\n| --- | --- |\n| ${cells} |`
const HASH = 'a3f5c9e1'.repeat(8)
const OTHER = 'b7d2e8f0'.repeat(8)
const LONG = 'word '.repeat(5000)

it.each([
  [row('API | 🟢'), row('API | 🔴')],
  [row('SSO | ✓'), row('SSO | ✗')],
  ['```\na && b\n```', '```\na || b\n```'],
  [row('2 | 1'), row('1 | 2')],
  ['Basic €5, Pro €9', 'Basic €9, Pro €5'],
  ['Push notifications: €5', 'Push notifications: €9'],
  [row('Newsletter plan | $29'), row('Newsletter plan | $39')],
  ['# Sign in', '# Sign in is broken since the outage'],
  ['Welcome.', 'Welcome.\n\nSign in is broken since the outage'],
  ['## Recommended retail price\n\n€499', '## Recommended retail price\n\n€399'],
  ['# Most popular products\n\n- Lamp €20', '# Most popular products\n\n- Lamp €25'],
  ['# Most popular products\n\n- Lamp of steel', '# Most popular products\n\n- Lamp of glass'],
  ['For up to 10 users', 'For up to 5 users'],
  ['Up to 1000 views', 'Up to 500 views'],
  ['Limit: 50 downloads', 'Limit: 20 downloads'],
  ['1000 views per month', '500 views per month'],
  ['Shirts from 20 €', 'Shirts from 25 €'],
  ['1000 orders per month', '500 orders per month'],
  ['Bin collection is on Monday', 'Bin collection is on Thursday'],
  ['Application deadline: 2026-11-23', 'Application deadline: 2026-11-24'],
  ['Meeting of Alice: 2026-11-21', 'Meeting of Robert: 2026-11-22'],
  [`SHA256 of app.zip: ${HASH}`, `SHA256 of app.zip: ${OTHER}`],
  [`${LONG}one`, `${LONG}two`],
])('alarms: %.60s → %.60s', (previous, current) => {
  expect(judge(previous, current)).toMatchObject({ isChanged: true, isMeaningful: true })
})

it.each([
  ['## Related articles\n\n- [One](/1)\n- [Two](/2)', '## Related articles\n\n- [Two](/2)\n- [One](/1)'],
  ['## Related articles\n\n- [One](/1)', '## Related articles\n\n- [Six](/6)'],
  ['## Customers also bought\n\n- Lamp €20', '## Customers also bought\n\n- Kettle €35'],
  ['1200 views', '1300 views'],
  ['1,204 views', '1,377 views'],
  ['320 ratings', '331 ratings'],
  ['14 comments', '15 comments'],
  ['3 votes', '4 votes'],
  ['Posted 3 minutes ago', 'Posted 9 minutes ago'],
  ['Posted yesterday', 'Posted today'],
  ['Today is Saturday', 'Today is Sunday'],
  ['Today is 2026-11-21', 'Today is 2026-11-22'],
  ['Saturday, 21 November 2026', 'Sunday, 22 November 2026'],
  ['[Style](/a.css?v=123abc)', '[Style](/a.css?v=456def)'],
  ['Build a81f3c2d', 'Build b92e4d3c'],
  [`csrf ${HASH}`, `csrf ${OTHER}`],
  ['Session 9f8a7b6c5d4e3f2a', 'Session 1a2b3c4d5e6f7a8b'],
  ['We and our 300 partners use cookies.', 'We and our 301 partners use cookies.'],
  ['We use cookies.', 'Subscribe to our newsletter and get 12 recipes.'],
  ['Text.', 'Text.\n\nSign in to see your orders'],
  ['© 2025 The Company', '© 2026 The Company'],
  ['![One](/1.jpg)', '![Two](/2.jpg)'],
  ['Advertisement\n\n[Buy a lamp](https://ads.example/1)', 'Advertisement\n\n[Buy a kettle](https://ads.example/2)'],
  ['Apples €5, pears €9', 'Pears €9, apples €5'],
  ['One, two and three', 'One two and three!'],
])('stays quiet: %.60s → %.60s', (previous, current) => {
  expect(judge(previous, current).isMeaningful).toBe(false)
})

it('learns that a page is too large at most checks, and keeps its other noise', () => {
  let noise = { ...NO_NOISE, changes: { b1: 2 } }
  const told = Array.from({ length: 4 }, () => {
    const judged = judgeTooLarge(noise, 'too large')
    noise = judged.noise as typeof noise
    expect(judged.warning).toContain('too large')
    return judged.isMeaningful
  })
  expect(told).toEqual([true, true, true, false])
  expect(noise.changes.b1).toBe(2)
})
