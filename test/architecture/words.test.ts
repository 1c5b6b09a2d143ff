import { describe, expect, test } from 'vitest'
import { parseModule } from './modules.js'
import {
  boundsAreMaxAndMin,
  docstringsNameTheirSubject,
  functionsAreShort,
  linesAreShort,
  namesAreSearchable,
  privateMembersAreHashed,
  typeNamesAreUnique,
} from './words.js'

const snippet = (text: string, path = 'some/file.ts') => parseModule(path, text)

describe('words', () => {
  test('of exported names and files are no metaphors', () => {
    expect(
      namesAreSearchable(snippet('export class JobDesk {}; export const tellAll = 1, MAX_PILES = 2')),
    ).toHaveLength(3)
    expect(namesAreSearchable(snippet('', 'kernel/job/clerk.ts'))).toHaveLength(1)
    expect(
      namesAreSearchable(snippet('export class Desktop {}; const desk = 1; export function booking() {}')),
    ).toEqual([])
  })

  test('for bounds are MAX and MIN', () => {
    expect(boundsAreMaxAndMin(snippet('const MOST_PAGES = 1; const LONGEST_NAME = MOST_PAGES'))).toHaveLength(3)
    expect(boundsAreMaxAndMin(snippet('const MAX_PAGES = 1; const most = 2'))).toEqual([])
  })

  test('for types have one meaning', () => {
    const modules = [
      snippet('export interface Block {}', 'content/pdf/a.ts'),
      snippet('export class Block {}', 'kernel/fetch/b.ts'),
    ]
    expect(typeNamesAreUnique(modules)).toEqual([
      expect.stringContaining('src/content/pdf/a.ts and src/kernel/fetch/b.ts'),
    ])
    expect(typeNamesAreUnique([snippet('export interface A {}; interface B {}'), snippet('interface B {}')])).toEqual(
      [],
    )
  })

  test('of docstrings begin with a subject', () => {
    const text =
      '/** What it is. */\nconst a = 1\n/**\n * Whether it is.\n */\nconst b = 2\n/** Whole page. */\nconst c = 3'
    expect(docstringsNameTheirSubject(snippet(text))).toEqual([
      expect.stringContaining('some/file.ts:1 '),
      expect.stringContaining('some/file.ts:3 '),
    ])
  })
})

describe('code', () => {
  test('hides members by the language', () => {
    expect(
      privateMembersAreHashed(
        snippet('class A { private a = 1; private b() {}; #c = 1; constructor(private d: 1) {} }'),
      ),
    ).toHaveLength(3)
  })

  test('has short functions with few parameters', () => {
    const lines = (count: number): string => `function a() {${'\n'.repeat(count - 1)}}`
    expect(functionsAreShort(snippet(lines(81)))[0]).toContain('81 lines')
    expect(functionsAreShort(snippet(lines(80)))).toEqual([])
    expect(functionsAreShort(snippet('const a = (b, c, d, e, f) => 1'))[0]).toContain('5 parameters')
    expect(functionsAreShort(snippet('const a = (b, c, d, e) => 1'))).toEqual([])
  })

  test('has short lines, texts aside', () => {
    expect(linesAreShort(snippet(`const a = [${'1, '.repeat(60)}]`))).toHaveLength(1)
    expect(linesAreShort(snippet(`const a = '${'b'.repeat(200)}'`))).toEqual([])
  })
})
