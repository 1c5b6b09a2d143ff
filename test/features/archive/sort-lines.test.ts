import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sortLines } from '../../../src/features/archive/write/sort-lines.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-sort-lines-'))
})
afterAll(() => rm(folder, { recursive: true }))

const LINES = Array.from({ length: 3000 }, (_, at) => `${(at * 7919) % 1009} é${'x'.repeat(at % 50)} ${at % 7}`)

test.each([1, 7, 1000, 2999, 3000, 3001])(
  'lines are sorted in whatever number, in parts of %i lines, and leave no file',
  async (most) => {
    const parts: Buffer[] = []
    for await (const part of sortLines(LINES, join(folder, 'x.cdxj'), most)) {
      parts.push(part)
      expect(await readdir(folder)).toEqual([])
    }
    expect(Buffer.concat(parts).toString()).toBe(`${LINES.toSorted().join('\n')}\n`)
  },
)

test('no lines are none, and a source that fails leaves no file', async () => {
  for await (const part of sortLines([], join(folder, 'x'), 2)) expect(part.length).toBe(0)
  async function* failing(): AsyncGenerator<string> {
    yield* ['b', 'a', 'd', 'c']
    throw new Error('gone')
  }
  const sorting = async () => {
    for await (const part of sortLines(failing(), join(folder, 'x'), 2)) expect(part).toBeUndefined()
  }
  await expect(sorting()).rejects.toThrow('gone')
  expect(await readdir(folder)).toEqual([])
})
