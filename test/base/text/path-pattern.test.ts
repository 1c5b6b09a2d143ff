import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePathPattern, patternLimits } from '../../../src/base/text/path-pattern.js'
import { countStates } from '../../../src/base/text/linear-pattern.js'

const found = (pattern: string, text: string): boolean => compilePathPattern(pattern).test(text)

describe('a path pattern', () => {
  it('matches anywhere in the text', () => {
    expect(found('/a', '/x/a/b')).toBe(true)
    expect(found('^/a', '/x/a/b')).toBe(false)
    expect(found('b$', '/x/a/b')).toBe(true)
    expect(found('(?i)DOCS', '/docs')).toBe(true)
    expect(found('^/blog/\\d{4}/[\\w-]+$', '/blog/2026/hello-world')).toBe(true)
    expect(found('', '/anything')).toBe(true)
  })

  it('keeps the source of the caller', () => {
    expect(compilePathPattern('^/a/.*').source).toBe('^/a/.*')
  })

  it('agrees with RegExp in their common syntax', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '/',
      '.',
      'a*',
      'b+',
      '(a|b)',
      '[a-c]',
      '[^/]+',
      '\\d{2}',
      '/a?',
      '(?:ab){2}',
      '^',
      '$',
    )
    const text = fc.stringMatching(/^[ab1/]{0,12}$/)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), text, (pieces, sample) => {
        const source = pieces.join('')
        expect(found(source, sample)).toBe(new RegExp(source).test(sample))
      }),
    )
  })

  it.each([
    ['(?=a)', /look-around/],
    ['(?<!a)b', /look-around/],
    ['(a)\\1', /back-references/],
    ['[a', /missing closing \]/],
    ['*a', /repetition/],
    ['/日本', /percent-encoded/],
    ['\\p{L}', /percent-encoded/],
    ['a{2000}', /repeat count/],
    ['a'.repeat(2001), /2001 characters are too many/],
    ['a{1000}'.repeat(200), /too large/],
    [`(?:${'ab'.repeat(300)}){1000}`, /too large/],
  ])('refuses a pattern with the reason: %.20s', (source, reason) => {
    expect(() => compilePathPattern(source)).toThrow(reason)
  })

  it('matches in time linear in the text, whatever the pattern', () => {
    // Backtracking would take exponential time.
    expect(found('(a+)+$', `${'a'.repeat(5000)}!`)).toBe(false)
    expect(found('(.*)'.repeat(500), 'a'.repeat(2000))).toBe(true)
  })

  it('compiles any source or refuses it with an Error', () => {
    const source = fc.oneof(fc.string(), fc.stringMatching(/^[ab(){}[\]|*+?\\^$.,\d-]{0,30}$/))
    fc.assert(
      fc.property(source, (text) => {
        try {
          compilePathPattern(text).test('/a/b')
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect((error as Error).message).not.toBe('')
        }
      }),
    )
  })
})

describe('countStates', () => {
  it('counts repetitions as written out', () => {
    expect(countStates('a{1000}')).toBe(1000)
    expect(countStates('(?:ab){10}c')).toBeGreaterThanOrEqual(21)
    expect(countStates('((a{10}){10}){10}')).toBeGreaterThanOrEqual(1000)
    expect(countStates('[a-z]{3,50}')).toBe(50)
    expect(countStates('\\d{4}')).toBe(4)
    expect(countStates('x{3,}')).toBe(3)
  })

  it('stays within the limit for the longest pattern without repetitions', () => {
    expect(countStates('a|'.repeat(1000))).toBeLessThan(patternLimits.states)
  })
})
