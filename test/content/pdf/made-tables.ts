import { lines, type PageContent, type Piece } from './make-pdf.js'
import { count, type MadeFile, spell } from './made-text.js'

/** A table without lines: rows over pages, so many on each. */
function table(
  rows: readonly (readonly string[])[],
  perPage: number,
  options: { head?: readonly string[]; isRuled?: boolean; step?: number; foot?: boolean; top?: readonly Piece[] } = {},
): PageContent[] {
  const { head, isRuled = false, step = 16, foot = false, top = [] } = options
  const pages = Math.ceil(rows.length / perPage)
  return count(pages).map((page) => {
    const own = [...(head ? [head] : []), ...rows.slice(page * perPage, (page + 1) * perPage)]
    const pieces = own.flatMap((row, index) =>
      row.map((text, column) => ({
        text,
        x: 76 + column * 150,
        y: 84 + index * step,
        ...(head && index === 0 && { font: 'Times-Bold' as const }),
      })),
    )
    const right = 72 + 150 * (own[0]?.length ?? 1)
    const rules = isRuled
      ? [
          ...count(own.length + 1).map((index) => [72, 73 + index * step, right, 73 + index * step] as const),
          ...count((own[0]?.length ?? 1) + 1).map(
            (column) => [72 + column * 150, 73, 72 + column * 150, 73 + own.length * step] as const,
          ),
        ]
      : []
    const feet = foot ? [{ text: `Page ${page + 1} of ${pages}`, x: 280, y: 770, size: 8 }] : []
    return { pieces: [...top, ...pieces, ...feet], rules }
  })
}

const rowsOf = (amount: number, row: (index: number) => readonly string[]): string[][] =>
  count(amount).map((index) => [...row(index)])

const rows = {
  numbers: rowsOf(150, (index) => [String(index * 37 + 10_000), String(index * 11), String(index * 3 + 500)]),
  counting: rowsOf(150, (index) => [`Person ${index + 1}`, `Town ${index + 1}`, String(index + 1)]),
  dates: rowsOf(150, (index) => [
    `2025-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`,
    `Trip ${index + 1}`,
    `${index * 7}.50`,
  ]),
  lamps: rowsOf(150, (index) => [`Lamp ${6500 + index}`, 'yes', 'in stock']),
}

const cellsOf = (made: readonly (readonly string[])[]): string[] => made.map(([first = '']) => first)

/** Tables, lists and logs that go on over pages. */
export const longTables: MadeFile[] = [
  { name: 'a table of numbers', pages: table(rows.numbers, 40), wanted: cellsOf(rows.numbers) },
  {
    name: 'a table that counts, with a head on each page',
    pages: table(rows.counting, 39, { head: ['Name', 'Town', 'Number'] }),
    wanted: cellsOf(rows.counting),
  },
  {
    name: 'a table with lines drawn',
    pages: table(rows.counting, 39, { head: ['Name', 'Town', 'Number'], isRuled: true }),
    wanted: cellsOf(rows.counting),
  },
  {
    name: 'a table of dates with page numbers',
    pages: table(rows.dates, 38, { head: ['Date', 'Trip', 'Price'], foot: true }),
    wanted: rows.dates.map(([, trip = '']) => trip),
    gone: [/Page \d/],
  },
  { name: 'a table of lamps without a head', pages: table(rows.lamps, 40), wanted: cellsOf(rows.lamps) },
  {
    name: 'a price list with lines, a head above and page numbers',
    pages: table(rows.lamps, 38, {
      head: ['Lamp', 'Sold', 'Where'],
      isRuled: true,
      foot: true,
      top: [{ text: 'Harbour Lamps, prices of 2025', x: 72, y: 40, size: 8 }],
    }),
    wanted: cellsOf(rows.lamps),
    gone: [/Page \d/, 'Harbour Lamps'],
  },
  { name: 'a table of wide rows', pages: table(rows.counting, 20, { step: 30 }), wanted: cellsOf(rows.counting) },
  (() => {
    const items = count(150).map((index) => `${index + 1}. Item ${spell(index)} of the list of things to bring`)
    return {
      name: 'a numbered list over pages',
      pages: count(4).map((page) => ({ pieces: lines(items.slice(page * 40, (page + 1) * 40), { x: 72, y: 72 }, 16) })),
      wanted: items.map((item) => item.replace(/^\d+\. /, '')),
    }
  })(),
  (() => {
    const items = count(120).map((index) => `${index + 1}. Knot number ${index + 1}`)
    return {
      name: 'a numbered list that differs by its numbers alone',
      pages: count(3).map((page) => ({ pieces: lines(items.slice(page * 40, (page + 1) * 40), { x: 72, y: 72 }, 16) })),
      wanted: items.map((item) => item.replace(/^\d+\. /, '')),
    }
  })(),
  (() => {
    const items = count(220).map(
      (index) =>
        `2025-03-01 10:${String(index % 60).padStart(2, '0')}:${String(index % 50).padStart(2, '0')} INFO ping ${1000 + index}`,
    )
    return {
      name: 'a log',
      pages: count(5).map((page) => ({
        pieces: lines(items.slice(page * 50, (page + 1) * 50), { x: 72, y: 72, font: 'Courier', size: 9 }, 13),
      })),
      wanted: items,
    }
  })(),
  (() => {
    const items = count(200).map((index) => `Reading ${index + 1}: ${(index * 37) % 91} mm`)
    return {
      name: 'measurements, one a line',
      pages: count(5).map((page) => ({ pieces: lines(items.slice(page * 40, (page + 1) * 40), { x: 72, y: 72 }, 16) })),
      wanted: items,
    }
  })(),
]
