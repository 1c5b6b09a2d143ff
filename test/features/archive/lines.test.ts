import { expect, test } from 'vitest'
import { allLines, splitBytes, splitLines } from '../../../src/features/archive/read/lines.js'
import { inPieces } from './describe-entries.js'

async function list<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const read: Line[] = []
  for await (const line of lines) read.push(line)
  return read
}

test.each([1, 2, 5, 100])(
  'lines are the same in pieces of %i bytes, and the last one may have no end',
  async (size) => {
    const text = Buffer.from('first\n\nsécond ü\nlast')
    expect(await list(splitLines(inPieces(text, size)))).toEqual(['first', '', 'sécond ü'])
    expect(await list(allLines(inPieces(text, size)))).toEqual(['first', '', 'sécond ü', 'last'])
    expect(Buffer.concat(await list(splitBytes(inPieces(text, size)))).toString()).toBe('firstsécond ü')
  },
)

test('a line of many pieces is joined once, and one that is too long is an error', async () => {
  const text = Buffer.alloc(16 * 1024 * 1024 + 1, 'x')
  text[text.length - 1] = 10
  const startMs = performance.now()
  const lines = await list(splitLines(inPieces(text, 1024)))
  expect(lines.map(({ length }) => length)).toEqual([text.length - 1])
  // Joined with each piece, it takes a minute.
  expect(performance.now() - startMs).toBeLessThan(5000)
  for (const end of ['x', 'x\n', '\n'])
    await expect(list(splitLines(inPieces(Buffer.from(`${'x'.repeat(100)}${end}`), 7), 99))).rejects.toThrow('too long')
  expect(await list(splitLines(inPieces(Buffer.from(`${'x'.repeat(99)}\n`), 7), 99))).toHaveLength(1)
})
