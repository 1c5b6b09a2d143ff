import { describe, expect, it } from 'vitest'
import { findUrlFault } from '../../../src/base/url-limits.js'

const fault = (path: string): string | undefined => findUrlFault(new URL(path, 'https://a.b'))
const repeat = (text: string, times: number): string => text.repeat(times)

describe('findUrlFault', () => {
  it.each([
    '/',
    '/a/a/a',
    '/a/b/a/b',
    '/en/docs/en/docs/x',
    '/2/2/2/2/2/2/2/2',
    '/1/0/1/0/1/0/1/0',
    '/a/1/a/2/a/3/a/4/a/5',
    repeat('/a1', 3) + repeat('/b2', 3),
    '/a?x=1&x=2&x=3&x=4&x=5',
    `/${'a'.repeat(7000)}`,
    `/${Array.from({ length: 50 }, (_, nth) => `s${nth}`).join('/')}`,
    `/?${Array.from({ length: 64 }, (_, nth) => `p${nth}=1`).join('&')}`,
  ])('accepts %.40s', (path) => {
    expect(fault(path)).toBeUndefined()
  })

  it.each([
    ['/x/a/a/a/a', '`/a` occurs 4 times in a row in the path'],
    ['/a/b/a/b/a/b', '`/a/b` occurs 3 times in a row in the path'],
    ['/z/a/b/c/a/b/c/a/b/c/z', '`/a/b/c` occurs 3 times in a row in the path'],
    ['/a/1/a/2/a/3/a/4/a/5/a', '`/a` occurs 6 times in the path'],
    ['/a?view=1&view=1&view=1&view=1', '`view=1` occurs 4 times in the query'],
    [`/${'a'.repeat(8000)}`, /^80\d\d characters are more than 8000$/],
    [repeat('/1', 51), 'the path has 51 segments; at most 50 are followed'],
    [
      `/?${Array.from({ length: 65 }, (_, nth) => `p${nth}=1`).join('&')}`,
      'the query has 65 parameters; at most 64 are followed',
    ],
  ])('refuses %.40s, with the reason', (path, reason) => {
    if (typeof reason === 'string') expect(fault(path)).toBe(reason)
    else expect(fault(path)).toMatch(reason)
  })
})
