import { describe, expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf, type PageContent, type Piece } from './make-pdf.js'

async function toMarkdown(page: PageContent): Promise<string> {
  const body = makePdf([page])
  const made = await digestFile({ url: 'https://a.test/a.pdf', body, contentType: 'application/pdf' }, digestPlan())
  return (made.fields.markdown ?? '').replace(/ +/g, ' ')
}

type Drawn = NonNullable<PageContent['rules']>[number]

/** The lines of a table, across at `ys` and down at `xs`. */
const grid = (xs: readonly number[], ys: readonly number[]): Drawn[] => [
  ...ys.map((y): Drawn => [xs[0] ?? 0, y, xs.at(-1) ?? 0, y]),
  ...xs.map((x): Drawn => [x, ys[0] ?? 0, x, ys.at(-1) ?? 0]),
]

const row = (texts: readonly string[], xs: readonly number[], y: number, font?: Piece['font']): Piece[] =>
  texts.map((text, at) => ({ text, x: xs[at] ?? 0, y, ...(font && { font }) }))

const LEFT = [
  'The harbour master counts the boats',
  'each evening, and the number is put',
  'into a book that he alone may open.',
]
const RIGHT = [
  'In the third winter the ice closed',
  'the channel for nine weeks, so that',
  'flour had to be brought on sledges.',
]
const MIDDLE = [
  'A widow from the upper street sold',
  'candles to the fleet, and she kept a',
  'drawer full of notes about that.',
]
const PROSE = [
  'A line as wide as the page, which says how far the text of the page may reach to its right side, and',
  'goes on.',
]

describe('a table with drawn lines', () => {
  it('is one if it has two rows, the first of which is a head', async () => {
    const markdown = await toMarkdown({
      rules: grid([70, 160, 230, 300], [90, 108, 126]),
      pieces: [
        ...lines(PROSE, { x: 70, y: 60 }),
        ...row(['Item', 'Barrels', 'Town'], [100, 178, 252], 103, 'Times-Bold'),
        ...row(['Rape oil', '12', 'Cork'], [74, 164, 234], 121),
        ...lines(PROSE, { x: 70, y: 150 }),
      ],
    })
    expect(markdown).toContain('| Item | Barrels | Town |\n| --- | --- | --- |\n| Rape oil | 12 | Cork |\n\nA line')
  })

  it('is one if its lines are across only, and its heads are centred', async () => {
    const markdown = await toMarkdown({
      rules: [90, 108, 126].map((y): Drawn => [70, y, 430, y]),
      pieces: [
        ...row(['Item', 'Barrels', 'Town'], [110, 230, 360], 103, 'Times-Bold'),
        ...row(['Rape oil', '12', 'Cork'], [74, 194, 324], 121),
      ],
    })
    expect(markdown).toBe('| Item | Barrels | Town |\n| --- | --- | --- |\n| Rape oil | 12 | Cork |')
  })

  it.each(['in drawing order', 'column by column'])('keeps long cells beside each other, drawn %s', async (order) => {
    const cells = [LEFT, RIGHT, RIGHT, MIDDLE, MIDDLE, LEFT].map((text, at) =>
      lines(text, { x: at % 2 === 0 ? 74 : 294, y: 104 + 44 * Math.floor(at / 2) }),
    )
    const drawn = order === 'in drawing order' ? cells : [0, 2, 4, 1, 3, 5].map((at) => cells[at] ?? [])
    const markdown = await toMarkdown({ rules: grid([70, 290, 500], [90, 134, 178, 222]), pieces: drawn.flat() })
    expect(markdown.split('\n').slice(2)).toEqual([
      `| ${LEFT.join(' ')} | ${RIGHT.join(' ')} |`,
      `| ${RIGHT.join(' ')} | ${MIDDLE.join(' ')} |`,
      `| ${MIDDLE.join(' ')} | ${LEFT.join(' ')} |`,
    ])
  })

  it('keeps the sentences of a row whose cells have as many lines as each other', async () => {
    const markdown = await toMarkdown({
      rules: grid([70, 290, 500], [70, 90, 134]),
      pieces: [
        ...row(['Rule', 'Reason'], [74, 294], 84),
        ...lines(LEFT, { x: 74, y: 104 }),
        ...lines(RIGHT, { x: 294, y: 104 }),
      ],
    })
    expect(markdown).toBe(`| Rule | Reason |\n| --- | --- |\n| ${LEFT.join(' ')} | ${RIGHT.join(' ')} |`)
  })

  it('is none if the lines are the margins of a page', async () => {
    const long = Array.from({ length: 26 }, (_, at) => `${at} ${PROSE[0] ?? ''}`)
    const markdown = await toMarkdown({
      rules: grid([20, 60, 560, 600], [20, 60, 700, 760]),
      pieces: [...lines(long, { x: 70, y: 90 }), ...row(['1 in', '1 in', 'head'], [22, 570, 300], 50)],
    })
    expect(markdown).not.toContain('| ---')
  })

  it('is none if the lines are a frame around text, a line between columns, or below words', async () => {
    const markdown = await toMarkdown({
      rules: [...grid([66, 560], [48, 80]), [66, 101, 100, 101], [66, 200, 560, 200]],
      pieces: [...lines(PROSE, { x: 70, y: 60 }), ...lines(PROSE, { x: 70, y: 100 })],
    })
    expect(markdown).toBe(`${PROSE.join(' ')}\n\n${PROSE.join(' ')}`)
  })
})

describe('texts side by side', () => {
  const head = (texts: readonly string[], xs: readonly number[], y: number) => row(texts, xs, y, 'Times-Bold')
  const beside = (texts: readonly (readonly string[])[], xs: readonly number[], y: number): Piece[] =>
    [0, 1, 2].flatMap((at) => texts.flatMap((text, column) => row([text[at] ?? ''], [xs[column] ?? 0], y + 12 * at)))

  it.each([2, 3])('are read one after the other, each with its heading: %i', async (count) => {
    const [xs, texts] = [[70, 240, 410].slice(0, count), [LEFT, RIGHT, MIDDLE].slice(0, count)]
    const names = ['Repair', 'Rental', 'Courses'].slice(0, count)
    const markdown = await toMarkdown({ pieces: [...head(names, xs, 80), ...beside(texts, xs, 100)] })
    expect(markdown.replace(/^#+ /gm, '').split('\n\n')).toEqual(
      names.flatMap((name, at) => [name, (texts[at] ?? []).join(' ')]),
    )
  })

  it('keep their lists', async () => {
    const items = [
      ...row(['\x95 Lenses', '\x95 By the day'], [70, 300], 152),
      ...row(['\x95 Wicks', '\x95 By the month'], [70, 300], 164),
    ]
    const markdown = await toMarkdown({
      pieces: [...head(['Repair', 'Rental'], [70, 300], 80), ...beside([LEFT, RIGHT], [70, 300], 100), ...items],
    })
    expect(markdown).toContain(`${LEFT.join(' ')}\n\n- Lenses\n- Wicks\n`)
    expect(markdown).toContain(`${RIGHT.join(' ')}\n\n- By the day\n- By the month`)
  })

  it('are not longer than their lists', async () => {
    const [left, right] = [LEFT.slice(0, 2), RIGHT.slice(0, 2)]
    const items = [3, 4, 5].flatMap((at) => row([`\x95 Lens ${at}`, `\x95 Day ${at}`], [70, 300], 98 + 12 * at))
    const markdown = await toMarkdown({
      pieces: [
        ...head(['Repair', 'Rental'], [70, 300], 80),
        ...lines(left, { x: 70, y: 100 }),
        ...lines(right, { x: 300, y: 100 }),
        ...items,
      ],
    })
    expect(markdown).toContain(`${left.join(' ')}\n\n- Lens 3\n- Lens 4\n- Lens 5\n`)
    expect(markdown).toContain(`${right.join(' ')}\n\n- Day 3`)
  })

  it('are read one after the other if one is shorter', async () => {
    const markdown = await toMarkdown({
      pieces: [
        ...head(['Repair', 'Rental'], [70, 300], 80),
        ...lines(LEFT, { x: 70, y: 100 }),
        ...row(['By boat.'], [300], 100),
      ],
    })
    expect(markdown.replace(/^#+ /gm, '')).toBe(`Repair\n\n${LEFT.join(' ')}\n\nRental\n\nBy boat.`)
  })

  it('are rows of cards if a second row of headings follows', async () => {
    const markdown = await toMarkdown({
      pieces: [
        ...head(['Repair', 'Rental'], [70, 300], 80),
        ...beside([LEFT, RIGHT], [70, 300], 95),
        ...head(['Courses', 'Boats'], [70, 300], 145),
        ...beside([MIDDLE, LEFT], [70, 300], 160),
      ],
    })
    expect(markdown.match(/^#+ (?:Repair|Rental|Courses|Boats)$/gm)).toHaveLength(4)
    for (const text of [LEFT, RIGHT, MIDDLE]) expect(markdown).toContain(text.join(' '))
  })

  it('are a table if the entries of each column are words in small letters', async () => {
    const rows = [
      ['name of it', 'text', 'no default at all'],
      ['size', 'number of bytes', 'none'],
      ['colour', 'name of a colour', 'black'],
      ['height of a line', 'number', 'one'],
    ]
    const markdown = await toMarkdown({ pieces: rows.flatMap((texts, at) => row(texts, [70, 200, 330], 80 + 14 * at)) })
    expect(markdown.split('\n').filter((line) => !line.includes('---'))).toEqual(
      rows.map((texts) => `| ${texts.join(' | ')} |`),
    )
  })
})

describe('text with a line through it', () => {
  const pieces: Piece[] = [
    { text: 'The keeper gets ', x: 70, y: 100 },
    { text: 'nine', x: 135, y: 100 },
    { text: ' twelve coins a week.', x: 152.5, y: 100 },
  ]

  it.each([
    ['a line', [[135, 97, 152, 97]] as Drawn[], ''],
    [
      'two lines',
      [
        [135, 96, 152, 96],
        [135, 98, 152, 98],
      ] as Drawn[],
      '',
    ],
    ['a thin rectangle', [], '135 694.5 17 0.8 re f'],
    [
      'a broken line',
      [
        [135, 97, 138, 97],
        [140, 97, 144, 97],
        [146, 97, 149, 97],
        [150, 97, 152, 97],
      ] as Drawn[],
      '',
    ],
  ])('is marked as such: %s', async (_name, rules, drawing) => {
    expect(await toMarkdown({ pieces, rules, drawing })).toBe('The keeper gets ~~nine~~ twelve coins a week.')
  })

  it('is found within a text that is drawn at once', async () => {
    const text = 'The keeper may not may sleep in the tower.'
    const markdown = await toMarkdown({ pieces: [{ text, x: 70, y: 100 }], rules: [[118, 97, 149, 97]] })
    expect(markdown).toBe('The keeper ~~may not~~ may sleep in the tower.')
  })

  it('can be whole lines, and words of a cell', async () => {
    const markdown = await toMarkdown({
      pieces: [
        ...lines(['The first line is struck out.', 'The second line stays.'], { x: 70, y: 60 }),
        ...[
          ['Item', 'Price'],
          ['Oil', '12'],
          ['Wick', '7'],
        ].flatMap((texts, at) => row(texts, [74, 164], 104 + 18 * at)),
      ],
      rules: [...grid([70, 160, 230], [90, 108, 126, 144]), [70, 57, 176, 57], [164, 119, 174, 119]],
    })
    expect(markdown).toContain('~~The first line is struck out.~~')
    expect(markdown).toContain('| Oil | ~~12~~ |\n| Wick | 7 |')
  })

  it.each([
    ['below it', [[135, 101.5, 152, 101.5]] as Drawn[], ''],
    ['above it', [[135, 92, 152, 92]] as Drawn[], ''],
    [
      'beside it',
      [
        [60, 97, 69, 97],
        [260, 97, 300, 97],
      ] as Drawn[],
      '',
    ],
    ['behind it and far beyond it', [[20, 97, 500, 97]] as Drawn[], ''],
    ['thick, as a marker draws it', [], '0.9 g 8 w 135 695 m 152 695 l S'],
    ['the edge of a box behind half of it', [], '0.9 g 135 689 17 6 re f'],
    [
      'two lines through a letter, as in a currency sign',
      [
        [81.7, 96, 86.7, 96],
        [81.7, 98, 86.7, 98],
      ] as Drawn[],
      '',
    ],
  ])('is none if the line is %s', async (_name, rules, drawing) => {
    expect(await toMarkdown({ pieces, rules, drawing })).toBe('The keeper gets nine twelve coins a week.')
  })
})

it('words right after a line that is drawn through others, in their colour, are read', async () => {
  const words =
    'BT /F0 10 Tf 72 692 Td (The keeper gets ) Tj (nine) Tj ET 134 694.5 17 1 re f BT /F0 10 Tf 151 692 Td ( twelve coins.) Tj ET'
  expect(await toMarkdown({ drawing: `0 0 0 rg ${words}` })).toMatch(/twelve coins\.$/)
})

describe('text along a path', () => {
  const along = (text: string, turn: number): string =>
    text
      .split('')
      .map((sign, at) => {
        const angle = 0.6 - turn * at
        const [cos, sin] = [Math.cos(angle).toFixed(4), Math.sin(angle).toFixed(4)]
        return `BT /F0 12 Tf ${cos} ${sin} ${(-Number(sin)).toFixed(4)} ${cos} ${72 + 9 * at} ${500 + 4 * at - 0.3 * at * at} Tm (${sign}) Tj ET`
      })
      .join(' ')
  const pieces = [
    { text: 'The sign of the mill is shown below, with its words along the wheel.', x: 72, y: 100 },
    { text: 'It was painted in the year in which the bridge was carried off.', x: 72, y: 400 },
  ]

  it('is read as one line', async () => {
    const markdown = await toMarkdown({ pieces, drawing: along('boundhound', 0.12) })
    expect(markdown).toContain('boundhound')
    expect(markdown).toContain('along the wheel')
  })

  it('is none if all of it is slanted alike, as a watermark is', async () => {
    expect(await toMarkdown({ pieces, drawing: along('Specimen', 0) })).not.toMatch(/S ?p ?e ?c/)
  })
})
