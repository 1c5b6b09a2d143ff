import { describe, expect, it } from 'vitest'
import { printSeen } from '../../../src/base/errors.js'

describe('printSeen', () => {
  it('shows a value in few words', () => {
    const values = ['a"b', 5, Number.NaN, true, null, undefined, [1, 2], { a: 1 }, () => 1, Symbol('x'), 5n]
    expect(values.map(printSeen)).toEqual([
      '"a\\"b"',
      '5',
      'NaN',
      'true',
      'null',
      'undefined',
      'a list of 2',
      'an object',
      'a function',
      'a symbol',
      'a bigint',
    ])
  })

  it('cuts long text and keeps it on one line', () => {
    expect(printSeen('x'.repeat(1000))).toHaveLength(62)
    expect(printSeen('a\nb')).toBe('"a\\nb"')
  })

  it('masks the credentials of a URL', () => {
    expect(printSeen('https://user:secret@example.com/a')).toBe('"https://…@example.com/a"')
    expect(printSeen('https://secret@example.com')).toBe('"https://…@example.com"')
    expect(printSeen('https://user:sec/r@et@exam ple.com')).toBe('"https://…@exam ple.com"')
    expect(printSeen('user:secret@example.com')).toBe('"…@example.com"')
    expect(printSeen('screenshot@fullpage')).toBe('"screenshot@fullpage"')
  })

  it('runs no code of the value', () => {
    const trap = new Proxy({}, { get: () => expect.unreachable(), ownKeys: () => expect.unreachable() })
    expect(printSeen(trap)).toBe('an object')
  })
})
