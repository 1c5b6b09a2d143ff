import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { builtIn } from '../../src/features/create-engine.js'
import { formatsAreKnownByFacts } from './format-names.js'
import { parseModule, readModules } from './modules.js'

const { formats } = builtIn
const names = new Set<string>([...formats.all.map(({ type }) => type), ...formats.versionOne.keys()])

/** The lines of a snippet that name a format. */
const linesIn = (text: string): number[] =>
  formatsAreKnownByFacts([parseModule('plan/plan.ts', text)], names, []).map((message) =>
    Number(/^src\/plan\/plan\.ts:(\d+) /.exec(message)?.[1]),
  )

test('4. no code outside of the formats knows one by its name', () => {
  const found = formatsAreKnownByFacts(readModules(fileURLToPath(new URL('../../src', import.meta.url))), names)
  expect(found, `\n${found.join('\n')}\n`).toEqual([])
})

test.each([
  ["const FORMATS = new Set(['markdown', 'chunks'])", 'a list of formats'],
  ["if (item.type === 'list') {}", 'a comparison with a type'],
  ["const isOwn = itemType(item) !== 'summary'", 'a comparison with the type of an item'],
  ["if (types.has('markdown')) {}", 'a look-up among types'],
  ["if (formats.includes('extract')) {}", 'a look-up of a name of version 1'],
  ["switch (type) { case 'json': break }", 'a case of a type'],
  ["const plan = { formats: ['links'] }", 'formats of a request'],
  ["const item = { type: 'markdown' }", 'an item of formats'],
  ["const name = 'changeTracking'", 'a name that is no word'],
  ["type Format = 'markdown' | 'html' | 'links' | 'screenshot@fullPage'", 'a union of names'],
])('refuses %s: %s', (text) => {
  expect(linesIn(`const first = 1\n${text}`)).toContain(2)
})

test.each([
  "const tags = new Set(['video', 'audio', 'img'])",
  "const isList = block.kind === 'list' || element.name === 'menu'",
  "const text = bodies['markdown']",
  "type Part = Omit<Page, 'links' | 'images'>",
  'const item = { type: TEXT_FORMAT }',
])('lets %s be', (text) => expect(linesIn(text)).toEqual([]))

test('an exception holds for its names, and only while they stand there', () => {
  const module = parseModule('plan/plan.ts', "const a = { type: 'json' }\nconst b = { type: 'list' }")
  const judge = (place: string) =>
    formatsAreKnownByFacts([module], names, [{ place, names: ['json'], reason: 'a test' }])
  expect(judge('plan/plan.ts')).toEqual([expect.stringMatching(/^src\/plan\/plan\.ts:2 names the format `list`/)])
  expect(judge('plan/other.ts')).toContainEqual(expect.stringMatching(/^src\/plan\/other\.ts names no format/))
})
