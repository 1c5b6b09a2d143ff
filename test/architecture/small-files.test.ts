import { describe, expect, test } from 'vitest'
import { parseModule } from './modules.js'
import { smallFilesAreMerged } from './small-files.js'

/** What the law says of a made-up house, apart from its exceptions, which are of the real one. */
const judge = (files: Record<string, string>, tests: Record<string, string> = {}): string[] => {
  const [house, its] = [files, tests].map((of) => Object.entries(of).map(([path, text]) => parseModule(path, text)))
  return smallFilesAreMerged(house ?? [], its ?? []).filter((text) => !text.includes('needs no exception'))
}

const lines = (count: number): string => 'a()\n'.repeat(count)

describe('law 9, for small files', () => {
  const user = `import { a } from './small.js'\n`
  const small = { 'kernel/fetch/small.ts': `export const a = () => 1\n${lines(49)}` }

  test('refuses a small file that only the one beside it imports', () => {
    expect(judge({ ...small, 'kernel/fetch/fetch.ts': user })).toEqual([
      expect.stringContaining('src/kernel/fetch/small.ts is small, and only kernel/fetch/fetch.ts imports it'),
    ])
    const twice = `${user}export { a } from './small.js'`
    expect(judge({ ...small, 'kernel/fetch/fetch.ts': twice })).toHaveLength(1)
  })

  test('allows one that is larger, has more importers, or one in another folder', () => {
    const larger = { 'kernel/fetch/small.ts': `export const a = () => 1\n${lines(50)}` }
    expect(judge({ ...larger, 'kernel/fetch/fetch.ts': user })).toEqual([])
    expect(judge({ ...small, 'kernel/fetch/fetch.ts': user, 'kernel/fetch/b.ts': user })).toEqual([])
    expect(judge({ ...small, 'kernel/page/page.ts': `import { a } from '../fetch/small.js'` })).toEqual([])
  })

  test('allows one whose importer would become long, and one with a test of its own', () => {
    expect(judge({ ...small, 'kernel/fetch/fetch.ts': user + lines(199) })).toHaveLength(1)
    expect(judge({ ...small, 'kernel/fetch/fetch.ts': user + lines(200) })).toEqual([])
    const own = { 'kernel/fetch/small.test.ts': `import { a } from '../../../src/kernel/fetch/small.js'` }
    expect(judge({ ...small, 'kernel/fetch/fetch.ts': user }, own)).toEqual([])
  })

  test('allows plug-ins and contracts', () => {
    const registry = `export { pdf } from './pdf.js'`
    expect(
      judge({ 'content/parse/parsers/pdf.ts': 'export const pdf = 1', 'content/parse/parsers/index.ts': registry }),
    ).toEqual([])
    const format = 'export const pdf: EnrichFormat<A> = {}'
    expect(judge({ 'features/pdf/pdf.ts': format, 'features/pdf/index.ts': registry })).toEqual([])
    const contract = `import type { B } from '../b.js'\nexport interface A { b: B }\ntype C = A`
    expect(judge({ 'kernel/fetch/small.ts': contract, 'kernel/fetch/fetch.ts': user })).toEqual([])
  })

  test('names an exception that is none any more', () => {
    expect(smallFilesAreMerged([], [])).toContainEqual(expect.stringContaining('needs no exception any more'))
  })
})
