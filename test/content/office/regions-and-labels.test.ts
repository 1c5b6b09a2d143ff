import { describe, expect, it } from 'vitest'
import { makeDocx, makePptx, makeXlsx } from './make-zip.js'
import { makeOpenDocument } from './office-samples.js'
import { markdownOf, readFile } from './read.js'

type Value = string | number | undefined

/** Rows of a sheet by their numbers, from 1. */
const sheetOf = (rows: Readonly<Record<number, readonly Value[]>>, hidden: readonly number[] = []): string =>
  `<sheetData>${Object.entries(rows)
    .map(([row, values]) => {
      const cells = values.map((value, at) => {
        const place = `r="${'ABCDEFGH'[at]}${row}"`
        if (value === undefined) return ''
        return typeof value === 'number'
          ? `<c ${place}><v>${value}</v></c>`
          : `<c ${place} t="inlineStr"><is><t>${value}</t></is></c>`
      })
      return `<row r="${row}"${hidden.includes(Number(row)) ? ' hidden="1"' : ''}>${cells.join('')}</row>`
    })
    .join('')}</sheetData>`

const read = (sheet: string): Promise<string> => markdownOf(makeXlsx({ S: sheet }))
const table = (...rows: (readonly Value[])[]): string =>
  rows
    .toSpliced(
      1,
      0,
      (rows[0] ?? []).map(() => '---'),
    )
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const items = [
  ['Item', 'Barrels'],
  ['Oil', 12],
  ['Tar', 9],
] as const
const ports = [
  ['Port', 'Boats', 'Year'],
  ['Cork', 200, 2020],
  ['Faro', 60, 2021],
] as const
const [itemHead, oil, tar] = items
const [portHead, cork, faro] = ports

describe('tables of a sheet', () => {
  it('are parted by empty rows and columns', async () => {
    const both = `## S\n\n${table(...items)}\n\n${table(...ports)}`
    expect(await read(sheetOf({ 1: itemHead, 2: oil, 3: tar, 5: portHead, 6: cork, 7: faro }))).toBe(both)
    const beside = [0, 1, 2].map((at) => [...(items[at] ?? []), undefined, ...(ports[at] ?? [])])
    expect(await read(sheetOf({ 2: beside[0] ?? [], 3: beside[1] ?? [], 4: beside[2] ?? [] }))).toBe(both)
    expect(await read(sheetOf({ 1: itemHead, 2: oil, 3: tar, 6: itemHead, 7: [...tar], 8: oil }))).toBe(
      `## S\n\n${table(...items)}\n\n${table(itemHead, tar, oil)}`,
    )
  })

  it('stand below their title, and above a note', async () => {
    expect(
      await read(sheetOf({ 1: ['The store'], 3: itemHead, 4: oil, 5: tar, 7: [undefined, 'Counted in May'] })),
    ).toBe(`## S\n\nThe store\n\n${table(...items)}\n\nCounted in May`)
  })

  it('may have empty rows and columns in them', async () => {
    expect(await read(sheetOf({ 1: itemHead, 2: oil, 4: tar, 5: ['Total', 21] }))).toBe(
      `## S\n\n${table(...items, ['Total', 21])}`,
    )
    const names = [
      ['Name', 'Town'],
      ['Ann', 'Cork'],
      ['Bob', 'Faro'],
      ['Cid', 'Wick'],
    ] as const
    expect(await read(sheetOf({ 1: names[0], 2: names[1], 4: names[2], 5: names[3] }))).toBe(
      `## S\n\n${table(...names)}`,
    )
    expect(await read(sheetOf({ 1: ['Item', 'Barrels', undefined, 'Total'], 2: ['Oil', 12, undefined, 12] }))).toBe(
      `## S\n\n${table(['Item', 'Barrels', 'Total'], ['Oil', 12, 12])}`,
    )
  })

  it('are not parted by rows and columns that are hidden or merged', async () => {
    const merged = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>'
    expect(await read(sheetOf({ 1: itemHead, 2: ['Oil'], 4: ['Tar', 9] }) + merged)).not.toContain('\n\n| Tar')
    expect(await read(sheetOf({ 1: itemHead, 2: oil, 3: [], 4: tar }, [3]))).toBe(`## S\n\n${table(...items)}`)
  })
})

describe('hidden rows and columns', () => {
  const warning = 'Of the sheet “S”, 1 row and 1 column are left out: hidden.'
  const values = { 1: ['Item', 'Secret', 'Barrels'], 2: ['Oil', 'x', 12], 3: ['Gone', 'y', 1], 4: ['Tar', 'z', 9] }

  it('are left out of workbooks with a warning, and count as missing', async () => {
    const sheet = `<cols><col min="2" max="2" hidden="1"/></cols>${sheetOf(values, [3])}`
    const { fields, warnings, fidelity } = await readFile(makeXlsx({ S: sheet }))
    expect(fields.markdown?.trim()).toBe(`## S\n\n${table(...items)}`)
    expect(warnings).toEqual([warning])
    expect(fidelity?.words).toBeLessThan(0.8)
  })

  it('are left out of OpenDocument sheets with a warning', async () => {
    const rows = Object.entries(values).map(
      ([row, cells]) =>
        `<table:table-row${row === '3' ? ' table:visibility="collapse"' : ''}>${cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`,
    )
    const columns =
      '<table:table-column/><table:table-columns><table:table-column table:visibility="collapse"/></table:table-columns><table:table-column/>'
    const file = makeOpenDocument('spreadsheet', `<table:table table:name="S">${columns}${rows.join('')}</table:table>`)
    const { fields, warnings } = await readFile(file)
    expect(fields.markdown?.trim()).toBe(`## S\n\n${table(...items)}`)
    expect(warnings).toEqual([warning])
  })
})

const level = (at: number, format: string, text: string): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="${720 * (at + 1)}"/></w:pPr></w:lvl>`
const p = (text: string, item?: readonly [list: number, level: number], indent?: number): string =>
  `<w:p><w:pPr>${item ? `<w:numPr><w:ilvl w:val="${item[1]}"/><w:numId w:val="${item[0]}"/></w:numPr>` : ''}${indent === undefined ? '' : `<w:ind w:left="${indent}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const readWord = (body: string, levels: string, override = ''): Promise<string> =>
  markdownOf(
    makeDocx(body, {
      numbering: `<w:numbering><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>${override}</w:lvlOverride></w:num></w:numbering>`,
    }),
  )

describe('labels of items in Word files', () => {
  it('stay text where a list of Markdown would write others', async () => {
    const legal = level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2.')
    const body =
      p('Delivery', [1, 0]) + p('Barrels', [1, 1]) + p('By boat.') + p('Glass', [1, 1]) + p('Payment', [1, 0])
    expect(await readWord(body + p('Coins', [1, 1]), legal)).toBe(
      '1. Delivery\n   - 1.1. Barrels\n\nBy boat.\n\n- 1.2. Glass\n\n2. Payment\n   - 2.1. Coins',
    )
    const articles = level(0, 'upperRoman', 'Article %1') + level(1, 'lowerLetter', '(%2)')
    expect(await readWord(p('Oil', [1, 0]) + p('Tar', [1, 1]) + p('Salt', [1, 0]), articles)).toBe(
      '- Article I Oil\n  - (a) Tar\n- Article II Salt',
    )
  })

  it('stay text where their list has ended', async () => {
    const plain = level(0, 'decimal', '%1.') + level(1, 'decimal', '%2.')
    const body = p('Oil', [1, 0]) + p('first', [1, 1]) + p('A note.') + p('second', [1, 1]) + p('Tar', [1, 0])
    expect(await readWord(body, plain)).toBe('1. Oil\n   1. first\n\nA note.\n\n- 2\\. second\n\n2. Tar')
    expect(await readWord(p('one', [1, 1]) + p('two', [1, 1]), plain)).toBe('1. one\n2. two')
  })

  it('are bullets where a list states no more than that it begins anew', async () => {
    const bullets = level(0, 'bullet', '·')
    expect(await readWord(p('one', [1, 0]) + p('two', [2, 0]), bullets, '<w:lvl w:ilvl="0"/>')).toBe('- one\n- two')
  })

  it('have paragraphs that are indented as their text', async () => {
    const plain = level(0, 'decimal', '%1.') + level(1, 'bullet', 'o')
    const body = p('one', [1, 0]) + p('Beside.', undefined, 720) + p('inner', [1, 1]) + p('Inside.', undefined, 1440)
    expect(await readWord(`${body}${p('two', [1, 0])}${p('Not indented.')}${p('Apart.', undefined, 720)}`, plain)).toBe(
      '1. one\n\n   Beside.\n\n   - inner\n\n     Inside.\n2. two\n\nNot indented.\n\nApart.',
    )
  })
})

it('reads the header of a list of OpenDocument before it, and an entry without number in the item before', async () => {
  const entry = (name: string, text: string): string => `<text:${name}><text:p>${text}</text:p></text:${name}>`
  const list = (inner: string): string => `<text:list text:style-name="L">${inner}</text:list>`
  const automatic =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-number text:level="2" style:num-format="1"/></text:list-style>'
  const inner = list(entry('list-header', 'Inside') + entry('list-item', 'of yards'))
  const file = makeOpenDocument(
    'text',
    list(
      `${entry('list-header', 'To bring')}<text:list-item><text:p>A rope</text:p>${inner}</text:list-item>${entry('list-header', 'beside')}${entry('list-item', 'A lamp')}`,
    ),
    { automatic },
  )
  expect(await markdownOf(file)).toMatch(
    /^To bring\n\n1\. A rope\n\n {3}Inside\n+ {3}1\. of yards\n\n {3}beside\n2\. A lamp$/,
  )
})

it('keeps the letters of a run of a slide that names a font for symbols', async () => {
  const run = (text: string): string => `<a:r><a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>${text}</a:t></a:r>`
  const slide = `<p:sp><p:txBody><a:p>${run('\uF0E0')}${run(' One paragraph.')}</a:p></p:txBody></p:sp>`
  expect(await markdownOf(makePptx([slide]))).toContain('→ One paragraph.')
})

it('tables below each other with a title each are tables of their own, below their titles', async () => {
  const row = (at: number, ...texts: readonly string[]): string =>
    `<row r="${at}">${texts.map((text, nth) => `<c r="${'AB'[nth]}${at}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
  const blockOf = (at: number, title: string, sacks: string): string =>
    row(at, title) + row(at + 1, 'Grain', 'Sacks') + row(at + 2, 'Rye', sacks) + row(at + 3, 'Oats', '2 sacks')
  const sheet = `<sheetData>${blockOf(1, 'Spring', '14')}${blockOf(6, 'Autumn', '22')}</sheetData>`
  const head = '| Grain | Sacks |\n| --- | --- |'
  expect(await markdownOf(makeXlsx({ A: sheet }))).toBe(
    `## A\n\nSpring\n\n${head}\n| Rye | 14 |\n| Oats | 2 sacks |\n\nAutumn\n\n${head}\n| Rye | 22 |\n| Oats | 2 sacks |`,
  )
})
