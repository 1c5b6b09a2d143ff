import { expect, it } from 'vitest'
import { arrayOfOne } from '../../../src/base/collections/array-of-one.js'

it('each array of one item is independent of the others', () => {
  const first = arrayOfOne('a')
  const second = arrayOfOne('b')
  first.push('c')
  second[0] = 'd'
  expect([first, second, arrayOfOne('e')]).toEqual([['a', 'c'], ['d'], ['e']])
})
