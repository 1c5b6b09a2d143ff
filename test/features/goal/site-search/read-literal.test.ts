import { expect, it } from 'vitest'
import { readLiteral } from '../../../../src/features/goal/site-search/reading/read-literal.js'

it('reads JSON after an assignment or in a call, whatever follows it', () => {
  expect(readLiteral('typeSearchIndex = [{"l":"List"}];updateSearchResults();')).toEqual([{ l: 'List' }])
  expect(readLiteral('Search.setIndex({"docnames": ["a"]})')).toEqual({ docnames: ['a'] })
  expect(readLiteral('Object.assign(window.search, {"doc_urls":[]}); if (x) { y() }')).toEqual({ doc_urls: [] })
})

it('reads JSON in a string of JavaScript', () => {
  expect(readLiteral(`var searchIndex = JSON.parse('{\\\n"it\\'s":{"doc":"a \\\\"b\\\\""}}');`)).toEqual({
    "it's": { doc: 'a "b"' },
  })
})

it('reads a literal with unquoted names, escapes, constants and numbers', () => {
  const literal = String.raw`Search.setIndex({envversion:42,terms:{'null':0,a1:[1,-2.5e3],__proto__:[7],t:"\u00e9\x41\n\/"},no:null,yes:true,})`
  const value = readLiteral(literal) as Record<string, unknown>
  expect(value).toEqual({ envversion: 42, terms: { null: 0, a1: [1, -2500], t: 'éA\n/' }, no: null, yes: true })
  expect(Object.getPrototypeOf(value['terms'])).toBe(Object.prototype)
})

it('leaves out members called `__proto__`', () => {
  const value = readLiteral('x({"__proto__":{"polluted":1},"a":1})') as object
  expect(Object.keys(value)).toEqual(['a'])
  expect('polluted' in value).toBe(false)
})

it.each([
  ['', 'neither an object nor a list'],
  ['Search.setIndex({a:', 'ends too early'],
  ['x({a:"b', 'a string does not end'],
  ['x({a:alert(1)})', 'unexpected'],
  ['x([1 2])', 'unexpected'],
  [`x(${'['.repeat(100_000)}`, 'nested too deeply'],
])('refuses a broken script: %.30s', (script, message) => {
  expect(() => readLiteral(script)).toThrow(message)
})
