import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { markdownOf, readFile } from './read.js'
import { structureOf } from './structure.js'

/**
 * Files that LibreOffice has made of the sources in `source/`: a text, a workbook and a presentation, each in all
 * formats that
 * it writes. `test/bars/office.test.ts` makes them again where there is a LibreOffice.
 */
const fixtures = new URL('../../fixtures/office/', import.meta.url)

const bodyOf = (name: string): Uint8Array => readFileSync(new URL(name, fixtures))

const all = [
  'text.docx',
  'text.odt',
  'text.rtf',
  'text.epub',
  'sheet.xlsx',
  'sheet.ods',
  'slides.pptx',
  'slides.odp',
] as const

// `UPDATE_GOLDEN=1` writes what is expected; without it, a missing file fails.
it.each(all)('%s matches the approved output', async (name) => {
  const expected = new URL(`${name}.md`, fixtures)
  const text = `${await markdownOf(bodyOf(name), 'application/octet-stream')}\n`
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(expected, text)
  expect(existsSync(expected), `${expected.pathname} is missing: run with UPDATE_GOLDEN=1 and read it`).toBe(true)
  expect(text).toBe(readFileSync(expected, 'utf8'))
})

const text = {
  headings: ['# Harbour handbook', '# Arrival', '## What to bring', '# Fees', '## Signals'],
  items: [
    '0 - Papers',
    '1 - Register',
    '2 - Original',
    '1 - Crew list',
    '0 - Lines',
    '0 3. Moor',
    '1 1. Bow first',
    '1 2. Stern last',
    '0 4. Pay',
  ],
  tables: [
    [
      ['Length', 'Summer', 'Winter'],
      ['under 10 m', '20', '10'],
      ['under 10 m', 'free for members', ''],
      ['over 10 m', '40', '25'],
    ],
  ],
  links: ['tide tables -> https://harbour.test/tides', 'fees -> #fees'],
  notes: ['1: Channel 12, day and night.', '2: Words of four languages.'],
  marks: ['1', '2'],
  pictures: ['The pier seen from the north'],
  code: ['signal --lamp green\n  --repeat 3'],
  strong: ['harbour master', 'four'],
  emphasis: ['radio'],
}

describe('the structure of the source', () => {
  it.each(['text.docx', 'text.odt', 'text.rtf'])('is kept in %s', async (name) => {
    expect(structureOf(await markdownOf(bodyOf(name)))).toEqual(text)
  })

  it('is kept in text.epub as far as LibreOffice writes it: without lists, header rows and descriptions', async () => {
    const { headings, links, notes, marks, tables, pictures, emphasis } = structureOf(
      await markdownOf(bodyOf('text.epub')),
    )
    expect(headings).toEqual(['# Arrival', '# Fees'])
    expect(emphasis).toEqual(text.emphasis)
    expect(links).toEqual(['tide tables -> https://harbour.test/tides'])
    expect({ notes, marks }).toEqual({ notes: text.notes, marks: text.marks })
    expect(tables).toEqual([text.tables[0]?.slice(1)])
    expect(pictures.length).toBe(1)
  })

  it.each(['sheet.xlsx', 'sheet.ods'])('is kept in %s', async (name) => {
    expect(structureOf(await markdownOf(bodyOf(name)))).toMatchObject({
      headings: ['## Berths', '## Crew'],
      tables: [
        [
          ['Ship', 'Arrived', 'Paid', 'Share', 'At pier', 'Left'],
          ['Anna', '2026-03-01', '1234.5', '12.5%', 'TRUE', '08:30'],
          ['Berta & Söhne', '2026-03-02 17:45', '2469', '50%', 'at anchor', ''],
          ['Berta & Söhne', 'two<br>lines', '-3', '', '', ''],
        ],
        [
          ['Name', 'Rank'],
          ['Eva', 'Mate'],
        ],
      ],
      links: ['Anna -> https://harbour.test/anna'],
    })
    expect((await readFile(bodyOf(name))).warnings).toEqual(['Hidden sheet is left out: “Secret”.'])
  })

  it.each(['slides.pptx', 'slides.odp'])('is kept in %s', async (name) => {
    const markdown = await markdownOf(bodyOf(name))
    expect(structureOf(markdown)).toMatchObject({
      headings: ['## The harbour', '## Fees'],
      items: ['0 - Deep water', '1 - 12 metres', '0 - Map'],
      tables: [
        [
          ['Length', 'Fee'],
          ['10 m', '20'],
          ['more on request', ''],
        ],
      ],
      links: ['Map -> https://harbour.test/map'],
      pictures: ['The pier seen from the north'],
      strong: ['water'],
    })
    expect(markdown).toMatch(/north\][^]*Below everything\n\nNotes:\n\nSpeak slowly\./)
    expect((await readFile(bodyOf(name))).warnings).toEqual(['Hidden slide is left out: “3”.'])
  })
})

it.each([
  ['text.docx', 'Harbour handbook', 'en-GB'],
  ['text.odt', 'Harbour handbook', 'en-GB'],
  ['text.rtf', 'Harbour handbook', undefined],
  ['sheet.xlsx', 'Harbour accounts', 'en-US'],
  ['slides.odp', 'Harbour talk', 'en-US'],
])('%s has its title and language in the metadata', async (name, title, language) => {
  const { metadata } = await readFile(bodyOf(name))
  expect([metadata.title, metadata.author, metadata.language]).toEqual([title, 'Ada Quay', language])
})
