import { describe, expect, it } from 'vitest'
import { CHANGE_FIELDS } from '../../../src/content/compare/change-field.js'
import { judgeChanges } from '../../../src/content/compare/judge-changes.js'
import type { NoiseMemory } from '../../../src/content/compare/noise-memory.js'

const DAY = 86_400_000
const atMs = Date.UTC(2026, 10, 22, 12)

const judge = (previous: string, current: string) =>
  judgeChanges({ previous, current, previousAtMs: atMs - DAY, atMs, fields: CHANGE_FIELDS })

const page = (block: string, heading = '# Page'): string =>
  `${heading}\n\nA first paragraph that stays as it is.\n\n${block}\n\nA last paragraph.`
const table = (row: string): string => `| a | b |\n| --- | --- |\n| x | y |\n| ${row} |\n| z | w |`
const long = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ')

describe('a change is meaningful:', () => {
  it.each([
    ['a light that tells a state', table('API | 🟢'), table('API | 🔴')],
    ['a tick that becomes a cross', table('SSO | ✓'), table('SSO | ✗')],
    ['signs in code', '```\nif (a && b) run()\n```', '```\nif (a || b) run()\n```'],
    ['a score the other way round', table('2 | 1'), table('1 | 2')],
    ['two prices that were exchanged', 'Basic €5, Pro €9.', 'Basic €9, Pro €5.'],
    ['a price beside the name of an offer', 'Push notifications: €5 a month', 'Push notifications: €9 a month'],
    ['a currency', 'Price: 15,00 €', 'Price: 15,00 $'],
    ['a currency by its code', 'Price: 15.00 EUR', 'Price: 15.00 USD'],
    ['a price for members', 'Members: 5 €', 'Members: 90 €'],
    ['a price for visitors, by its code', 'Visitors: 5 EUR', 'Visitors: 90 EUR'],
    ['a price of downloads', 'EUR 5 downloads', 'EUR 90 downloads'],
    ['a price after the time of its update', 'Last updated 2026-11-21 5 €', 'Last updated 2026-11-21 90 €'],
    ['a price in a row', table('Newsletter plan | $29'), table('Newsletter plan | $39')],
    ['a heading about a service', '## Sign in works', '## Sign in is broken since the outage'],
    ['the recommended retail price', '## Recommended retail price\n\n€499', '## Recommended retail price\n\n€399'],
    ['a limit of an offer', '- up to 10 users', '- up to 5 users'],
    ['an allowance', '- 1000 orders per month', '- 500 orders per month'],
    ['a day of the week', 'Bin collection is on Monday.', 'Bin collection is on Thursday.'],
    ['a deadline near the visit', 'Application deadline: 2026-11-23', 'Application deadline: 2026-11-24'],
    [
      'news beside the date of the visit',
      'Updated 2026-11-21: the port is open',
      'Updated 2026-11-22: the port is closed to all ships',
    ],
    ['the checksum of a download', `SHA256 ${'0a1b2c3d'.repeat(8)}`, `SHA256 ${'9f8e7d6c'.repeat(8)}`],
    ['the end of a long block', `${long} port 80`, `${long} port 8080`],
  ])('%s', (_, previous, current) => {
    const { isMeaningful, reasons } = judge(page(previous), page(current))
    expect([isMeaningful, reasons]).toEqual([true, expect.any(Array)])
  })

  it('a price below the title of a page that names popular products', () => {
    const title = '# Most popular products'
    expect(judge(page('Lamp: €12', title), page('Lamp: €9', title)).isMeaningful).toBe(true)
    expect(judge(page('The lamp is blue.', title), page('The lamp is red.', title)).isMeaningful).toBe(true)
  })
})

describe('a reason names what has changed by', () => {
  it.each([
    [
      'the first words of a list item',
      '- [Lamp 7](/7) €12 In stock',
      '- [Lamp 7](/7) €9 In stock',
      '€12 → €9 (Lamp 7)',
    ],
    ['the first cells of a row', table('Lamp 7 | €12'), table('Lamp 7 | €9'), '€12 → €9 (Lamp 7)'],
    ['the heading above it', '## Lamp 7\n\n€12 In stock', '## Lamp 7\n\n€9 In stock', '€12 → €9 (Lamp 7)'],
    ['nothing, below the title of the page', 'Price: €12', 'Price: €9', '€12 → €9'],
    [
      'at most 60 characters',
      `- ${'lamp '.repeat(20)}€12`,
      `- ${'lamp '.repeat(20)}€9`,
      `€12 → €9 (${'lamp '.repeat(12)}…)`,
    ],
  ])('%s', (_, previous, current, message) => {
    const { reasons } = judge(page(previous), page(current))
    expect(reasons).toEqual([
      {
        field: 'price',
        message: `price: ${message}`,
        previous: '€12',
        current: '€9',
      },
    ])
  })
})

describe('a row whose price and state have changed', () => {
  const versions = [page(table('Lamp 7 | €12 | in stock')), page(table('Lamp 7 | €9 | out of stock'))] as const

  it('is told as two changes', () => {
    expect(judge(...versions).reasons).toMatchObject([
      { field: 'price', message: 'price: €12 → €9 (Lamp 7)', previous: '€12', current: '€9' },
      {
        field: 'availability',
        message: 'availability: in stock → out of stock (Lamp 7)',
        previous: 'in stock',
        current: 'out of stock',
      },
    ])
  })

  it('is told with its currency where that alone has changed', () => {
    expect(judge(page('15,00 €'), page('15,00 $')).reasons).toMatchObject([
      { field: 'price', message: 'price: 15,00 € → 15,00 $', previous: '15,00 €', current: '15,00 $' },
    ])
  })

  it('is told with both where its date has changed as well', () => {
    expect(judge(page('Price 15 € until 3 May'), page('Price 15 $ until 4 May')).reasons).toMatchObject([
      { field: 'price', message: 'price: 15 € → 15 $' },
    ])
  })

  it.each([
    ['a seller', '| [Alpha](/s/alpha) | [Lamp](/p/lamp) | €12 |', '| [Beta](/s/beta) | [Lamp](/p/lamp) | €9 |'],
    ['a price in the link', '- [Oak lamp €12](/out/8f3a1)', '- [Oak lamp €9](/out/77b2c)'],
    ['a session', '- [Oak lamp €12](/lamp;jsessionid=AAAA1111)', '- [Oak lamp €9](/lamp;jsessionid=BBBB2222)'],
    ['a day', '- [Yesterday](/day/1) [Lamp](/lamp) €12', '- [Today](/day/2) [Lamp](/lamp) €9'],
  ])('is told of an entry whose link has changed: %s', (_, before, now) => {
    const around = (entry: string): string =>
      page(entry.startsWith('|') ? `| a | b | c |\n| --- | --- | --- |\n${entry}` : `- [One](/one) €3\n${entry}`)
    expect(judge(around(before), around(now)).reasons).toMatchObject([{ field: 'price', current: '€9' }])
  })

  it('is no change of a product that left and of one that came', () => {
    const list = (name: string, price: string): string =>
      page(`- [Lamp a1](/a1) €12\n- [Lamp ${name}](/${name}) ${price}\n- [Lamp a9](/a9) €14`)
    const fields = judge(list('a4', '€45'), list('b5', '€9')).reasons.map((reason) => reason.field)
    expect(fields).toEqual(['item', 'item'])
    expect(judge(list('a4', '€45'), list('a4', '€9')).reasons).toMatchObject([
      { field: 'price', previous: '€45', current: '€9' },
    ])
  })

  it.each(['price', 'availability'] as const)('is meaningful where %s alone is asked for', (field) => {
    const [previous, current] = versions
    const { isMeaningful, reasons } = judgeChanges({
      previous,
      current,
      previousAtMs: atMs - DAY,
      atMs,
      fields: [field],
    })
    expect([isMeaningful, reasons.map((reason) => reason.field)]).toEqual([true, [field]])
  })
})

describe('a change is noise:', () => {
  it.each([
    ['a counter of views', '1,204 views', '1,310 views'],
    ['a counter of comments', 'Comments: 12 comments', 'Comments: 14 comments'],
    ['a number of ratings', '4.5 stars from 210 ratings', '4.5 stars from 214 ratings'],
    ['an age', 'Posted 3 minutes ago', 'Posted 5 minutes ago'],
    ['a relative day', 'Posted yesterday', 'Posted today'],
    ['the date of the visit', 'Saturday, 21 November 2026', 'Sunday, 22 November 2026'],
    ['a date in digits', 'Today is 2026-11-21', 'Today is 2026-11-22'],
    ['an identifier of a session', 'Request id 7f3a9c21bd', 'Request id 0c44e1f7a2'],
    ['a token of a form', 'csrf: ab12cd34ef56gh78', 'csrf: zz99yy88xx77ww66'],
    ['the year of a copyright', '© 2025 Example Ltd.', '© 2026 Example Ltd.'],
    ['an offer of cookies', 'We use cookies to improve this site.', 'We and our partners use cookies.'],
    ['an offer of a newsletter', 'Subscribe to our newsletter', 'Subscribe to our newsletter now'],
    [
      'other related links',
      '## Related articles\n\n- [One](/1)\n- [Two](/2)',
      '## Related articles\n\n- [Two](/2)\n- [Three](/3)',
    ],
    ['recommendations', '## Recommended for you\n\n- A blue lamp', '## Recommended for you\n\n- A red chair'],
    ['the order of items', '- one\n- two\n- three', '- three\n- one\n- two'],
    ['an image', '![a](https://a.test/1.png)', '![a](https://a.test/2.png)'],
    ['the query of a link', '[Shop](https://a.test/shop?sid=1)', '[Shop](https://a.test/shop?sid=2)'],
    ['punctuation', 'One, two and three', 'One, two, and three'],
    ['a mark of emphasis', 'One **two** three', 'One two three'],
    ['followers', '1.2k followers', '1.3k followers'],
  ])('%s', (_, previous, current) => {
    const { isMeaningful, reasons } = judge(page(previous), page(current))
    expect([isMeaningful, isMeaningful ? reasons : []]).toEqual([false, []])
  })
})

it('takes linear time for long blocks', () => {
  const signs = '🔴✓1 '.repeat(60_000)
  expect(judge(page(signs), page(`${signs}✗`)).isChanged).toBe(true)
})

describe('a block that appears or vanishes', () => {
  const without = '# Page\n\nA first paragraph that stays as it is.\n\nA last paragraph.'

  it.each([
    ['an age', '5 minutes ago'],
    ['a counter', '1,234 views'],
    ['a row of both', '3 hours ago | 12 comments'],
  ])('is noise, and is quoted, when it is %s', (_, block) => {
    for (const [change, previous, current] of [
      ['added', without, page(block)],
      ['removed', page(block), without],
    ] as const) {
      const { isChanged, isMeaningful, reasons } = judge(previous, current)
      expect([isChanged, isMeaningful]).toEqual([true, false])
      expect(reasons[0]?.message).toContain(`${change}: ${block} (not meaningful: an age or a counter)`)
    }
  })

  it('is quoted when it is code without a word', () => {
    const { isMeaningful, reasons } = judge(without, page('```\n{ }\n```'))
    expect(isMeaningful).toBe(true)
    expect(reasons[0]?.message).toMatch(/^code: added: [^ ]/)
  })
})

describe('a change of how a text is written is not meaningful:', () => {
  it.each([
    ['decomposed letters', 'Café crème', 'Café crème'.normalize('NFD')],
    ['zero-width characters', 'The widget works', 'The wid\u200bget works'],
    ['printed apostrophes and dashes', "It's well-known", 'It’s well\u2010known'],
  ])('%s', (_, previous, current) => expect(judge(page(previous), page(current)).isMeaningful).toBe(false))

  it('but signs in code are', () =>
    expect(judge(page('```\na - b\n```'), page('```\na – b\n```')).isMeaningful).toBe(true))
})

describe('dates of Chinese, Japanese and Korean', () => {
  it.each([
    ['今天是2026年11月21日。', '今天是2026年11月22日。'],
    ['오늘은 2026년 11월 21일입니다', '오늘은 2026년 11월 22일입니다'],
    ['更新日：2026年3月1日', '更新日：2026年10月3日'],
  ])('are those of the visit, or of an update: %s', (previous, current) =>
    expect(judge(page(previous), page(current)).isMeaningful).toBe(false),
  )

  it('are dates where they are news', () =>
    expect(judge(page('展览将于2027年3月1日开幕。'), page('展览将于2027年4月1日开幕。')).reasons[0]?.message).toBe(
      'date: 2027年3月1日 → 2027年4月1日',
    ))
})

it.each(['Everything is cheaper this week.', '- a new item', '## Two\n\nblocks that come together'])(
  'what appears and disappears by turns is noise after three changes: %j',
  (block) => {
    const versions = [page('Text.'), page(`Text.\n\n${block}`)] as const
    let noise: NoiseMemory | undefined
    const told: number[] = []
    for (let visit = 0; visit < 12; visit += 1) {
      const [previous = '', current = ''] = visit % 2 === 0 ? versions : versions.toReversed()
      const judged = judgeChanges({ previous, current, previousAtMs: atMs - DAY, atMs, fields: CHANGE_FIELDS, noise })
      ;({ noise } = judged)
      if (judged.isMeaningful) told.push(visit)
    }
    expect(told).toEqual([0, 1, 2])
  },
)
