import { describe, expect, it } from 'vitest'
import { readFacts } from '../../../src/features/list/data/list-facts.js'
import { factsOf } from '../../../src/features/list/data/next-answer.js'

describe('the total of a list in data is that of', () => {
  it.each<[string, object, number | undefined, string | undefined]>([
    ['the object with its entries', { total: 80, items: [] }, 80, 'total'],
    ['its paging', { items: [], meta: { pagination: { total: 80 } } }, 80, 'meta.pagination.total'],
    ['its page info', { edges: [], pageInfo: { totalCount: 80 } }, 80, 'pageInfo.totalCount'],
    ['no filter', { items: [], facets: { brand: { total: 5 } }, filters: { total: 3 } }, undefined, undefined],
    ['no other list', { items: [], reviews: { total: 5, items: [] } }, undefined, undefined],
  ])('%s', (_what, around, total, totalName) => {
    const facts = readFacts([{ ...around }])
    expect([facts.total, facts.totalName]).toEqual([total, totalName])
  })

  it('none of an object around an array of lists', () => {
    const data = { total: 90, sections: [{ lamps: [] }, { lamps: [] }] }
    expect(factsOf({ data }, ['sections', '0', 'lamps']).total).toBeUndefined()
    expect(factsOf({ data: { total: 90, result: { lamps: [] } } }, ['result', 'lamps']).total).toBe(90)
  })
})

it('a cart beside the entries does not say that the list ends', () => {
  expect(readFacts([{ items: [], cart: { hasMore: false } }]).end).toBeUndefined()
  expect(readFacts([{ items: [], paging: { hasMore: false } }]).end).toBe('`paging.hasMore` is false')
})
