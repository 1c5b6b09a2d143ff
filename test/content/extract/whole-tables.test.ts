import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { keepTablesWhole } from '../../../src/content/extract/selection/whole-tables.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

/** Returns the kept texts of a page, given those that were kept before. */
function keepWhole(html: string, before: readonly string[], isAccepted = true): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const read = readBlocks(body, findNeverShown(body))
  const kept = new Set(read.blocks.filter(({ text }) => before.includes(text)))
  expect(kept.size).toBe(before.length)
  keepTablesWhole(read, kept, () => isAccepted)
  return read.blocks.filter((block) => kept.has(block)).map(({ text }) => text)
}

const tableOf = (rows: readonly (readonly string[])[]): string =>
  `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`

const RULES = [
  ['list', 'item'],
  ['item', 'name'],
  ['name', 'letter and letter'],
].map((cells, nth) => cells.map((cell) => `${cell} ${nth}`))

describe('a table without header cells of which some cells are kept', () => {
  it('is kept whole if a quarter of it is', () => {
    expect(keepWhole(tableOf(RULES), ['list 0', 'item 1'])).toEqual(RULES.flat())
  })

  it('has the rest of the rows of which half is kept', () => {
    const rows = [...RULES, ...Array.from({ length: 9 }, (_, nth) => [`x${nth} y z`, `u${nth} v w`])]
    expect(keepWhole(tableOf(rows), ['letter and letter 2'])).toEqual(['name 2', 'letter and letter 2'])
  })

  it.each([
    ['the markup rules do not accept it', tableOf(RULES), false],
    ['it has two rows', tableOf(RULES.slice(0, 2)), true],
    ['its rows have one cell', tableOf(RULES.flat().map((cell) => [cell])), true],
    ['its cells are long', tableOf(RULES.map((cells) => cells.map((cell) => cell + ' so'.repeat(150)))), true],
    ['it consists of links', tableOf(RULES.map((cells) => cells.map((cell) => `<a href="/a">${cell}</a>`))), true],
  ])('is left as it is if %s', (_, html, isAccepted) => {
    const [text = ''] = keepWhole(html, []).concat(RULES[0] ?? [])
    const first = html.includes(' so') ? text + ' so'.repeat(150) : text
    expect(keepWhole(html, [first], isAccepted)).toEqual([first])
  })
})
