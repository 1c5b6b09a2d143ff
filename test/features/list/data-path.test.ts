import { expect, test } from 'vitest'
import { listPaths } from '../../../src/features/list/data/data-path.js'

test('the paths of a record with shared objects are listed in bounded time', () => {
  let visits = 0
  const watch = (members: object): object =>
    new Proxy(members, {
      ownKeys(target) {
        visits += 1
        return Reflect.ownKeys(target)
      },
    })
  let shared = watch({ empty: null })
  for (let level = 0; level < 4; level += 1)
    shared = watch(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`part${at}`, shared])))
  expect(listPaths([{ name: 'Lamp', shared }]).values).toEqual([['name']])
  expect(visits).toBeLessThanOrEqual(100)
})

test('of an array, the path of its first entry is listed', () => {
  const record = { tags: ['deck', 'red'], sizes: [], parts: [{ name: 'bulb' }] }
  expect(listPaths([record])).toEqual({
    values: [
      ['tags', '0'],
      ['parts', '0', 'name'],
    ],
    arrays: [['tags'], ['sizes'], ['parts']],
  })
})
