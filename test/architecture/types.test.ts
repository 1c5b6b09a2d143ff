import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseModule, readModules } from './modules.js'
import { conditionalSpreads, exportedTypesAreImported } from './types.js'

/** Bound of the fields that are spread under a condition. It may only become lower. */
const MAX_SPREADS = 85

const root = fileURLToPath(new URL('../..', import.meta.url))
const modules = readModules(join(root, 'src'))
const others = ['test', 'benchmarks', 'build'].flatMap((folder) =>
  readModules(join(root, folder)).map((module) => ({ ...module, path: `../${folder}/${module.path}` })),
)

test('every exported type of the sources is imported by another file', () => {
  expect(exportedTypesAreImported(modules, others)).toEqual([])
})

test('few fields of the sources are spread under a condition', () => {
  const found = modules.flatMap(conditionalSpreads)
  expect(
    found.length,
    `Fields that are undefined may stand, and \`compact\` takes them off at the door: ${found.join(' ')}`,
  ).toBeLessThanOrEqual(MAX_SPREADS)
})

test('a type that is imported, merged with another or asked for in place is used, and one that its file alone names is not', () => {
  const house = Object.entries({
    'a/given.ts': `export interface Own {} export type Named = 1; export interface Merged {} export type InPlace = 1; const x = 1; export { x }`,
    'a/taker.ts': `import type { Named as Other } from './given.js'; declare module './given.js' { interface Merged { a: 1 } }
      type B = import('./given.js').InPlace`,
    'a/all.ts': `export type Whole = 1`,
    'a/barrel.ts': `export * from './all.js'; export type { Picked } from './picked.js'`,
    'a/picked.ts': `export type Picked = 1; export type Left = 2`,
    'index.ts': `export type Surface = 1`,
  }).map(([path, text]) => parseModule(path, text))
  expect(exportedTypesAreImported(house, [])).toEqual([
    'src/a/given.ts:1 exports the type Own, which nobody imports: take off `export`',
    'src/a/picked.ts:1 exports the type Left, which nobody imports: take off `export`',
  ])
})

test('a spread under a condition is told from one of an object, and from one of a list', () => {
  const text = `const a = { ...(b && { b }), ...(c ? { c } : {}), ...(d ? e : f), ...g }\nconst h = [...(i ? [i] : [])]`
  expect(conditionalSpreads(parseModule('a/b.ts', text))).toEqual(['a/b.ts:1', 'a/b.ts:1'])
})
