import { expect, it } from 'vitest'
import { alignColumns } from '../../src/cli/output/align-columns.js'

it('aligns 200,000 rows', () => {
  const lines = alignColumns(
    ['ID', 'N'],
    Array.from({ length: 200_000 }, (_, at) => [`row ${at}`, String(at)]),
  )
  expect(lines).toHaveLength(200_001)
  expect(lines[0]).toBe('ID          N')
  expect(lines[1]).toBe('row 0       0')
})

it('cuts long cells, and no character in half', () => {
  const url = `https://a.com/${'x'.repeat(2000)}`
  expect(alignColumns(['URL', 'N'], [[url, '1']])).toEqual([`${'URL'.padEnd(100)}  N`, `${url.slice(0, 99)}…  1`])
  const emoji = alignColumns(['TEXT'], [[`${'x'.repeat(98)}👩👩`]])[1] ?? ''
  expect(emoji).toBe(`${'x'.repeat(98)}…`)
})
