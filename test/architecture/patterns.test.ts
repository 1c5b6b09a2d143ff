import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { measureGrowth } from './measure-growth.js'
import { readModules, parseModule } from './modules.js'
import { isExcepted, isMadeFor, madePatterns, type PatternException, patternExceptions } from './pattern-exceptions.js'
import {
  type Growth,
  judgePattern,
  keyOf,
  type KnownPatterns,
  listHostModules,
  listMadePatterns,
  listPatterns,
  maxGrowth,
} from './patterns.js'

const root = fileURLToPath(new URL('../../src', import.meta.url))
/** What was found out before, since to find it out for all of them takes minutes. Written by `npm run learn:patterns`. */
const record = fileURLToPath(new URL('known-patterns.json', import.meta.url))
const isRecorded = process.env['LEARN_PATTERNS'] !== undefined

const house = readModules(root)
const patterns = listPatterns(house)

test('every pattern is linear, or in a thread quadratic, in what it is run over', { timeout: 900_000 }, async () => {
  const known = JSON.parse(readFileSync(record, 'utf8')) as KnownPatterns
  const growths = new Map<string, Growth>([
    ...known.linear.map((key): [string, Growth] => [key, 1]),
    ...known.quadratic.map((key): [string, Growth] => [key, 2]),
    ...known.unknown.map((key): [string, Growth] => [key, 'unknown']),
  ])
  const violations: string[] = []
  for (const pattern of patterns.filter((one) => !isExcepted(one))) {
    const key = keyOf(pattern)
    const growth = growths.get(key) ?? (await measureGrowth(pattern))
    growths.set(key, growth)
    violations.push(...[judgePattern(pattern, growth) ?? []].flat())
  }
  if (isRecorded) {
    const keysOf = (growth: Growth): string[] =>
      patterns
        .map(keyOf)
        .filter((key) => growths.get(key) === growth)
        .sort()
    const learnt: KnownPatterns = { linear: keysOf(1), quadratic: keysOf(2), unknown: keysOf('unknown') }
    writeFileSync(record, `${JSON.stringify(learnt, null, 2)}\n`)
  }
  expect(violations, `\n${violations.join('\n')}\n`).toEqual([])
})

test('every exception is made for a pattern that is there, and has its reason', () => {
  const isThere = (one: PatternException): boolean => patterns.some((pattern) => isMadeFor(one, pattern))
  expect(patternExceptions.filter((one) => !isThere(one))).toEqual([])
  const places = patternExceptions.map(({ module, begins }) => `${module} ${begins}`)
  expect(new Set(places).size).toBe(places.length)
  expect(patternExceptions.filter(({ reason }) => reason.length < 12)).toEqual([])
})

test('a pattern is made of a text only where the text is known', () => {
  const known = (place: string): boolean => Object.hasOwn(madePatterns, place.replace(/^src\/|:\d+$/g, ''))
  const violations = listMadePatterns(house).filter((place) => !known(place))
  expect(violations, 'say in pattern-exceptions.ts what the pattern is made of').toEqual([])
})

describe('the checker', () => {
  const snippet = (files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([path, text]) => parseModule(path, text))

  test('sees every pattern with its places', () => {
    const modules = snippet({
      'kernel/fetch/a.ts': 'const a = /a+$/gi; b.match(/b\\/c/)',
      'content/parse/b.ts': 'const text = "/no/"; x(/a+$/gi) / 2 // /not this/',
    })
    expect(listPatterns(modules).map(({ text, places }) => `${text} ${places.join(' ')}`)).toEqual([
      '/a+$/gi src/kernel/fetch/a.ts:1 src/content/parse/b.ts:1',
      '/b\\/c/ src/kernel/fetch/a.ts:1',
    ])
    expect(patterns.length).toBeGreaterThan(500)
  })

  test('knows what runs on the host’s thread', () => {
    const modules = snippet({
      'kernel/job/job.ts': `import { a } from '../../content/convert/a.js'; import type { B } from '../../content/convert/b.js'; import '../../content/digest/digest.js'`,
      'content/digest/digest.ts': `import '../convert/c.js'`,
      'content/convert/a.ts': `import './d.js'`,
      'content/convert/b.ts': '',
      'content/convert/c.ts': '',
      'content/convert/d.ts': '',
    })
    expect([...listHostModules(modules)].sort()).toEqual([
      'content/convert/a.ts',
      'content/convert/d.ts',
      'content/digest/digest.ts',
      'kernel/job/job.ts',
    ])
  })

  test('sees a pattern that is made of a text', () => {
    expect(listMadePatterns(snippet({ 'a.ts': 'new RegExp(b)\nRegExp(c); new Regular(d)' }))).toEqual([
      'src/a.ts:1',
      'src/a.ts:2',
    ])
  })

  test.each([
    ['/^a+b/', 1],
    ['/\\s+$/', 2],
    ['/^(?:a+)+$/', Infinity],
  ])('finds how %s grows', async (text, growth) => {
    const [pattern] = listPatterns(snippet({ 'a.ts': `x(${text})` }))
    expect(pattern && (await measureGrowth(pattern))).toBe(growth)
  })

  test('lets a thread have its square, and the host none', () => {
    const pattern = { text: '/a/', source: 'a', flags: '', places: ['src/a.ts:1'] }
    expect([true, false].map((isHosts) => maxGrowth({ isHosts }))).toEqual([1, 2])
    expect(judgePattern({ ...pattern, isHosts: false }, 2)).toBeUndefined()
    expect(judgePattern({ ...pattern, isHosts: true }, 2)).toContain('grows with the power of 2')
    expect(judgePattern({ ...pattern, isHosts: false }, Infinity)).toContain('is exponential')
    expect(judgePattern({ ...pattern, isHosts: true }, 'unknown')).toContain('could not be decided')
    expect(judgePattern({ ...pattern, isHosts: false }, 'unknown')).toBeUndefined()
  })
})
