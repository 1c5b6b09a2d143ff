import { describe, expect, it } from 'vitest'
import { compare } from '../../../src/content/compare/compare.js'

const page = `# Opening hours

The library lends books, maps and music to everyone who lives in the town.

## Prices

| What | Price |
| --- | --- |
| A card | $12 |
| A card for children | free |

## How to join

1. Fill in the form at the desk.
2. Bring a letter with your address.
3. Pay the fee.

\`\`\`python
if member:
    lend(book)
\`\`\`

## Contact

Call us, or come by. The house stands at the old market, beside the well.
`

const changed = (from: string, to: string) => compare(page.replace(from, to), { previous: page, diff: true })
const blocksOf = (current: string, previous = page) =>
  compare(current, { previous, diff: true }).diff?.blocks.map(({ change, text, previous: before, headings }) => [
    change,
    text ?? before,
    headings.at(-1),
  ])

/** Lines with a number, and whether it belongs to the page, so that 90 in place of 5 is a change. */
const numbers: readonly [string, boolean][] = [
  ['Price: 5', true],
  ['5', true],
  ['Price | 5', true],
  ['$5', true],
  ['5 €', true],
  ['Price updated: 5.00 €', true],
  ['Last updated 2026-05-01 5,00 €', true],
  ['Last updated 2026-05-01 5 EUR', true],
  ['Stand 5 CHF', true],
  ['$5 downloads', true],
  ['€ 5 downloads', true],
  ['EUR 5 comments', true],
  ['Members: 5 €', true],
  ['Visitors: 5 EUR a day', true],
  ['Downloads: 5 USD', true],
  ['Visits: **5 €**', true],
  ['5 left in stock', true],
  ['5 minutes from the station', true],
  ['delivery in 5 days', true],
  ['5 minutes ago', false],
  ['vor 5 Tagen', false],
  ['il y a 5 heures', false],
  ['5m ago', false],
  ['5 views', false],
  ['Views: 5', false],
  ['5 people are viewing', false],
  ['Last updated 2026-05-01 5:00', false],
]

describe('comparing two versions of a page', () => {
  it.each(numbers)('takes 90 in place of 5 in "%s" for a change: %s', (line, isChanged) => {
    const now = line.replace(/(?<![\d-])5(?!\d)/, '90')
    const [previous, current] = [line, now].map((one) => page.replace('Call us', () => one))
    expect(compare(current ?? '', { previous: previous ?? '', diff: false })).toEqual({ isChanged })
  })

  it('reports one edited block for a changed word', () => {
    expect(changed('lends', 'gives')).toMatchObject({
      isChanged: true,
      diff: {
        blocks: [
          {
            change: 'edited',
            kind: 'text',
            headings: ['Opening hours'],
            previous: expect.stringContaining('lends'),
            text: expect.stringContaining('gives'),
          },
        ],
      },
    })
  })

  it('reports a changed number, even if only its digits swap places', () => {
    expect(blocksOf(page.replace('$12', '$21'))).toEqual([['edited', '| A card | $21 |', 'Prices']])
  })

  it('reports the edited row for a changed table cell', () => {
    expect(blocksOf(page.replace('| free |', '| $2 |'))).toEqual([['edited', '| A card for children | $2 |', 'Prices']])
  })

  it('reports a moved item for a reordered list', () => {
    const current = page.replace(
      '1. Fill in the form at the desk.\n2. Bring a letter with your address.\n3. Pay the fee.',
      '1. Pay the fee.\n2. Fill in the form at the desk.\n3. Bring a letter with your address.',
    )
    expect(blocksOf(current)).toEqual([['moved', '1. Pay the fee.', 'How to join']])
  })

  it('reports the moved blocks of a moved section', () => {
    const [before = '', contact = ''] = page.split('## Contact')
    const current = before.replace('## Prices', `## Contact${contact}\n## Prices`)
    expect(blocksOf(current)).toEqual([
      ['moved', '## Contact', 'Opening hours'],
      ['moved', 'Call us, or come by. The house stands at the old market, beside the well.', 'Contact'],
    ])
  })

  it('reports changed indentation in code, and ignores other white space', () => {
    expect(blocksOf(page.replace('    lend', '        lend'))?.[0]?.[0]).toBe('edited')
    expect(changed('books, maps and', 'books,\nmaps   and')).toEqual({ isChanged: false })
    expect(changed('everyone who', 'everyone\n\nwho')).toEqual({ isChanged: false })
  })

  it('reports an added and a removed block when they have nothing in common', () => {
    const current = page
      .replace('## Contact', 'We are closed on Mondays.\n\n## Contact')
      .replace('3. Pay the fee.\n', '')
    expect(blocksOf(current)).toEqual([
      ['removed', '3. Pay the fee.', 'How to join'],
      ['added', 'We are closed on Mondays.', 'How to join'],
    ])
  })

  it('reports the former headings of a moved block', () => {
    const current = page
      .replace('## Contact\n\nCall us', '## Contact')
      .replace('## How to join', 'Call us\n\n## How to join')
    expect(compare(current, { previous: page, diff: true }).diff?.blocks).toContainEqual(
      expect.objectContaining({ headings: ['Opening hours', 'Prices'] }),
    )
  })
})

describe('text that varies with each visit', () => {
  it.each([
    ['3 minutes ago', '2 hours ago'],
    ['vor 3 Minuten', 'vor 2 Stunden'],
    ['il y a 3 minutes', 'il y a une heure'],
    ['hace 3 minutos', 'hace una hora'],
    ['Last updated: 20 November 2026, 10:33', 'Last updated: 1 December 2026, 09:01'],
    ['Updated on Nov 20, 2026 at 10:33 am', 'Updated on Dec 1, 2026 at 9:01 pm'],
    ['Generated at 2026-11-20T10:33:05Z', 'Generated at 2026-12-01T08:00:01.221+01:00'],
    ['Page rendered 10:33:05', 'Page rendered 10:34:11'],
    ['1,204 views', '1,377 views'],
    ['Downloads: 12k', 'Downloads: 13k'],
    ['12 people are watching', '7 people are watching'],
    ['[map](/map?sid=8f14e45fceea167a5a36dedd4bea2543)', '[map](/map?sid=c9f0f895fb98ab9159f51fd0297e236d)'],
    ['![logo](/logo.3f9a2c1b.png)', '![logo](/logo.77d0ea41.png)'],
    ['[file](/f.pdf?X-Amz-Signature=ab12&X-Amz-Date=1)', '[file](/f.pdf?X-Amz-Signature=cd34&X-Amz-Date=2)'],
    ['![](/pixel.gif?t=1763634785)', '![](/pixel.gif?t=1763638000)'],
    ['[iframe](https://a.test/1)', '[iframe](https://a.test/2)'],
    [
      'Advertisement\n\n[![Shoes](/a.png)](https://shop.test/a)',
      'Advertisement\n\n[![Hats](/b.png)](https://hats.test/b)',
    ],
    ['[![](/a.png)](https://ad.doubleclick.net/x)', '[![](/b.png)](https://ad.doubleclick.net/y)'],
  ])('makes no difference: %s', (before, after) => {
    const previous = page.replace('Call us', `${before}\n\nCall us`)
    const current = page.replace('Call us', `${after}\n\nCall us`)
    expect(compare(current, { previous, diff: true })).toEqual({ isChanged: false })
  })

  it.each([
    ['The fair is on 20 November 2026.', 'The fair is on 21 November 2026.'],
    ['Doors open at 19:00.', 'Doors open at 20:00.'],
    ['The price was changed to 12 euros.', 'The price was changed to 14 euros.'],
    ['We have 120 books.', 'We have 121 books.'],
    ['[next](/list?page=2)', '[next](/list?page=3)'],
    ['[watch](/watch?v=tune)', '[watch](/watch?v=song)'],
    ['[all](/item?id=1204)', '[all](/item?id=1377)'],
    ['[part](/manual#one)', '[part](/manual#two)'],
    ['![map](/old-map.png)', '![map](/new-map.png)'],
    ['Three votes were cast.', 'Four votes were cast.'],
  ])('is not mistaken for content: %s', (before, after) => {
    const previous = page.replace('Call us', `${before}\n\nCall us`)
    const current = page.replace('Call us', `${after}\n\nCall us`)
    expect(blocksOf(current, previous)).toEqual([['edited', after, 'Contact']])
  })
})

describe('the git diff', () => {
  it('is a unified diff, as text and as data', () => {
    const { diff } = changed('$12', '$21')
    expect(diff?.text).toBe(`--- previous
+++ current
@@ -6,7 +6,7 @@
 
 | What | Price |
 | --- | --- |
-| A card | $12 |
+| A card | $21 |
 | A card for children | free |
 
 ## How to join`)
    expect(diff?.json.files).toEqual([
      {
        from: 'previous',
        to: 'current',
        chunks: [
          {
            content: '@@ -6,7 +6,7 @@',
            changes: [
              { type: 'normal', normal: true, ln1: 6, ln2: 6, content: ' ' },
              { type: 'normal', normal: true, ln1: 7, ln2: 7, content: ' | What | Price |' },
              { type: 'normal', normal: true, ln1: 8, ln2: 8, content: ' | --- | --- |' },
              { type: 'del', ln: 9, content: '-| A card | $12 |' },
              { type: 'add', ln: 9, content: '+| A card | $21 |' },
              { type: 'normal', normal: true, ln1: 10, ln2: 10, content: ' | A card for children | free |' },
              { type: 'normal', normal: true, ln1: 11, ln2: 11, content: ' ' },
              { type: 'normal', normal: true, ln1: 12, ln2: 12, content: ' ## How to join' },
            ],
          },
        ],
      },
    ])
  })

  it('contains all lines of two pages with nothing in common', () => {
    const lines = (word: string) =>
      Array.from({ length: 3000 }, (_, at) => `The ${word} number ${at} of them.`).join('\n\n')
    const { diff } = compare(lines('sheep'), { previous: lines('cloud'), diff: true })
    expect(diff?.text.match(/^-The cloud/gm)).toHaveLength(3000)
    expect(diff?.text.match(/^\+The sheep/gm)).toHaveLength(3000)
  })
})
