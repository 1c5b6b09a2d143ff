import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { filesAreKebabCase, filesAreShort, namesSaySomething, nothingIsPutOff, urlsAreParsedOnce } from './habits.js'
import { foreignNamesMeetNoPrototype } from './foreign-names.js'
import { builtins, vendors } from './doors.js'
import { pluginFolders } from './house.js'
import {
  importsGoDown,
  importsGoLeft,
  noCycles,
  pluginsAreRegistered,
  stationsMeetInThePipeline,
  theHostIsLeftAlone,
  vendorsHaveOneDoor,
} from './laws.js'
import { readModules } from './modules.js'
import { builtInsAreRead, pageCodeIsCode } from './page-code.js'
import { namesDeclaredIn, referencesResolve } from './references.js'
import { foldersAreNotFull, roomsAreListed, roomsImportLeft } from './rooms.js'
import { smallFilesAreMerged } from './small-files.js'
import {
  boundsAreMaxAndMin,
  docstringsNameTheirSubject,
  functionsAreShort,
  linesAreShort,
  namesAreSearchable,
  privateMembersAreHashed,
  typeNamesAreUnique,
} from './words.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const house = readModules(`${root}src`)
const tests = readModules(`${root}test`)
const everything = [
  ...house.map((module) => ({ ...module, path: `src/${module.path}` })),
  ...tests.map((module) => ({ ...module, path: `test/${module.path}` })),
  ...readModules(`${root}build`, ['.ts', '.mjs']).map((module) => ({ ...module, path: `build/${module.path}` })),
  ...readModules(`${root}benchmarks`, ['.ts', '.mjs']).map((module) => ({
    ...module,
    path: `benchmarks/${module.path}`,
  })),
]

/** Passes when nothing is wrong; otherwise the failure says all of it, a line each. */
const holds = (violations: readonly string[]): void => expect(violations, `\n${violations.join('\n')}\n`).toEqual([])

describe('the laws of the house', () => {
  test('1. every part has a floor, and imports go left only', () => holds(importsGoLeft(house)))
  test('1. imports go down from group to group', () => holds(importsGoDown(house)))
  test('2. stations know each other by type only', () => holds(stationsMeetInThePipeline(house)))
  test('3. each library has one door', () => holds(vendorsHaveOneDoor(house)))
  test('4. plug-ins are registered by name', () => holds(pluginsAreRegistered(house)))
  test('5. no import leads back to where it came from', () => holds(noCycles(house)))
  test('6. only plan/ reads options, and the host process is left alone', () => holds(theHostIsLeftAlone(house)))
  test('7. names that come from outside meet no prototype', () => holds(foreignNamesMeetNoPrototype(house)))
  test('7. code that runs in a page is code', () => holds(house.flatMap(pageCodeIsCode)))
  test('7. code that runs in a page reads built-in properties', () => holds(house.flatMap(builtInsAreRead)))
  test('8. stations are divided into rooms', () => holds(roomsAreListed(house)))
  test('8. rooms import contracts and what stands to their left', () => holds(roomsImportLeft(house)))
  test('9. no folder is too full to be taken in at one look', () => holds(foldersAreNotFull(house)))
  test('9. small files are parts of the one that imports them', () => holds(smallFilesAreMerged(house, tests)))
})

/** A module of Node, or the package that a path lies in. */
const packageOf = (specifier: string): string =>
  specifier.startsWith('node:') ? specifier : (/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)

describe('the doors', () => {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Record<
    'dependencies' | 'devDependencies' | 'peerDependencies',
    Record<string, string>
  >
  const imported = new Set(
    house.flatMap(({ imports, text }) => [
      ...imports.map(({ specifier }) => packageOf(specifier)),
      // Optional packages are looked for by their names.
      ...[...text.matchAll(/\b(?:load|resolve)Package\('([^'#][^']*)'\)/g)].map(([, name = '']) => packageOf(name)),
    ]),
  )

  test('belong to what package.json names, all of it', () => {
    const { dependencies, devDependencies, peerDependencies } = manifest
    // The build puts libraries into `dist/`: what is not of a user's types or choice is needed for the build only.
    const built = Object.keys({ ...devDependencies, ...peerDependencies }).filter((name) => imported.has(name))
    const named = Object.keys(vendors).filter((name) => !name.startsWith('#'))
    expect(named.sort()).toEqual([...new Set([...Object.keys(dependencies), ...built])].sort())
  })

  test('are all used: a library that nothing imports leaves package.json', () => {
    const unused = Object.keys(vendors).filter(
      (name) => ![...imported].some((it) => it === name || it.startsWith(`${name}/`)),
    )
    expect(unused).toEqual([])
  })

  test('of Node are all used', () => {
    expect(Object.keys(builtins).filter((name) => !imported.has(name))).toEqual([])
  })
})

describe('the habits of the house', () => {
  test('names can be searched for', () => holds(house.flatMap(namesAreSearchable)))
  test('bounds are called MAX and MIN', () => holds(house.flatMap(boundsAreMaxAndMin)))
  test('one exported type name has one meaning', () => holds(typeNamesAreUnique(house)))
  test('members are hidden by `#`', () => holds(house.flatMap(privateMembersAreHashed)))
  test('docstrings begin with a noun or a verb', () => holds(house.flatMap(docstringsNameTheirSubject)))
  test('functions have at most 80 lines and four parameters', () => holds(house.flatMap(functionsAreShort)))
  test('lines have at most 160 characters', () => holds(house.flatMap(linesAreShort)))
  test('no file has over 400 lines of code', () => holds(everything.flatMap(filesAreShort)))
  test('file names are kebab-case', () => holds(everything.flatMap(filesAreKebabCase)))
  test('nothing is put off, silenced or thrown away', () => holds(everything.flatMap(nothingIsPutOff)))
  test('references lead to a URL, a standard or a file', () =>
    holds(everything.flatMap(referencesResolve(root, namesDeclaredIn(house)))))
  test('URLs are parsed by `parseUrl`', () => holds(house.flatMap(urlsAreParsedOnce)))
  test('names say what a thing is for', () => holds(everything.flatMap(namesSaySomething)))
})

test('the checker sees the house', () => {
  expect(house.length).toBeGreaterThan(20)
  expect(pluginFolders.filter((folder) => house.some(({ path }) => path.startsWith(folder)))).toContain(
    'content/convert/formats',
  )
})
