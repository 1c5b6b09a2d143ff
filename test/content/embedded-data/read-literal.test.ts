import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLiteral } from '../../../src/content/embedded-data/read-literal.js'

it('readLiteral reads a JavaScript literal at any offset', () => {
  const source = `x.push({ event: 'view', "a b": [1, -2.5, .5, 1e3,], n: null, u: undefined, t: true,
    // a comment
    /* another */ s: 'it\\'s \\u00e9', q: "a \\"b\\"", o: { 7: 'seven' }, } , 'rest')`
  expect(readLiteral(source, source.indexOf('{'))).toEqual({
    event: 'view',
    'a b': [1, -2.5, 0.5, 1000],
    n: null,
    u: null,
    t: true,
    s: 'it’s é'.replace('’', "'"),
    q: 'a "b"',
    o: { 7: 'seven' },
  })
})

it('readLiteral reads any JSON as JSON.parse does', () => {
  const json = fc.oneof(
    fc.array(fc.jsonValue({ maxDepth: 5 })),
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
  )
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      expect(readLiteral(text, 0)).toEqual(JSON.parse(text))
    }),
  )
})

it.each([
  ['{ a: price() }'],
  ['{ a: 1 + 1 }'],
  ['{ a: b }'],
  ['{ [a]: 1 }'],
  ['{ ...a }'],
  ['{ a: `b` }'],
  ['{ get a() { return 1 } }'],
  ['[1, 2'],
  ['{ a: "b'],
  ['alert(1)'],
  [''],
  ['"text"'],
  ['['.repeat(100)],
  [`{ ${'//'.repeat(60_000)}`],
  [`{ /*${'*'.repeat(60_000)}`],
  [`{ a: "${'\\'.repeat(60_001)}`],
])('readLiteral returns undefined for an expression or broken source: %.40s', (source) => {
  expect(readLiteral(source, 0)).toBeUndefined()
})
