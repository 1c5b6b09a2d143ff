import { describe, expect, it } from 'vitest'
import { ownValue } from '../../../src/base/collections/own-value.js'
import { parseJson } from '../../../src/base/text/parse-json.js'

describe('foreign JSON', () => {
  it.each([
    '{"a":1,"__proto__":{"isAdmin":true}}',
    '{"a":1,"\\u005f_pro\\u0074o__":{"isAdmin":true}}',
    '{"a":1,"__proto__":null}',
    '{"a":1,"__proto__":{"__proto__":{"isAdmin":true}}}',
  ])('removes members called __proto__: %s', (text) => {
    const value = parseJson(text) as object
    expect(Object.keys(value)).toEqual(['a'])
    // Copied by name, as careless code does.
    const copy: Record<string, unknown> = {}
    for (const [name, part] of Object.entries(value)) copy[name] = part
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  it('has none in lists and deep down either, and keeps all else', () => {
    const depth = 20_000
    const deep = `${'{"a":['.repeat(depth)}{"__proto__":1,"b":"__proto__"}${']}'.repeat(depth)}`
    let value = parseJson(deep) as { a?: unknown[]; b?: unknown }
    while (value.a) value = value.a[0] as typeof value
    expect(Object.entries(value)).toEqual([['b', '__proto__']])
    expect(parseJson('[1,"__proto__",null]')).toEqual([1, '__proto__', null])
    expect(() => parseJson('{')).toThrow(SyntaxError)
  })
})

describe('ownValue', () => {
  it('ignores properties that all objects inherit', () => {
    const table: Record<string, number> = { a: 1 }
    const names = ['a', 'b', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']
    expect(names.map((name) => ownValue(table, name))).toEqual([1, ...names.slice(1).map(() => undefined)])
  })
})
