import { expect, it } from 'vitest'
import type { ListForm } from '../../../src/content/extract/list/few-entries.js'
import { ListLearner } from '../../../src/features/list/learn/list-learner.js'
import type { FewRows } from '../../../src/features/list/learn/share-entries.js'

const columns = (names: readonly string[]) =>
  names.map((name) => ({ name, places: [`place of ${name.toLowerCase()}`], isCommon: true }))
const formOf = (path: string, names = ['Title', 'Url', 'Price']): ListForm => ({ path, columns: columns(names) })

/** Rows of a page with one entry, whose fields are called in small letters. */
const fewOf = (paths: readonly string[], share = 0.8, names = ['title', 'url', 'price']): FewRows => ({
  paths,
  columns: columns(names),
  share,
  isShaped: false,
  warnings: [],
  list: {
    items: [Object.fromEntries([...names, 'priceCurrency'].map((name) => [name, name.length]))],
    fields: [...names, 'priceCurrency'].map((name) => ({ name, type: 'text', source: 'role', share: 1 })),
    complete: false,
    pagesRead: 1,
    how: 'page',
  },
})

/** Starts pages in order and ends them in another one. Returns the decision about page `few`, made as soon as it is possible. */
function decide(order: readonly number[], forms: ReadonlyMap<number, ListForm>, few: number): object | undefined {
  const learner = new ListLearner()
  const keys = order.toSorted((one, other) => one - other)
  for (const key of keys) learner.start({ key: String(key) }, 0)
  let sequence: number | undefined
  for (const key of order) {
    const own = learner.end(String(key), forms.get(key))
    if (key === few) sequence = own?.sequence
    if (sequence !== undefined && learner.isDecided({ sequence, startedAtMs: 0 }))
      return learner.findList(sequence, [fewOf(['p'])])?.list
  }
  throw new Error('the page waits although all others have ended')
}

it('the order in which pages end makes no difference to the lists of a job', () => {
  const forms = new Map([
    [1, formOf('p')],
    [17, formOf('p', ['Other', 'Url', 'Price'])],
  ])
  const numbers = Array.from({ length: 45 }, (_, at) => at)
  const orders = [numbers, numbers.toReversed(), [3, 17, ...numbers.filter((at) => ![1, 3, 17].includes(at)), 1]]
  const made = orders.map((order) => decide(order, forms, 3))
  expect(made[1]).toEqual(made[0])
  expect(made[2]).toEqual(made[0])
  expect(made[0]).toMatchObject({ items: [{ Title: 5, Url: 3, Price: 5, PriceCurrency: 13 }] })
})

it('a page waits for those started before it, and for the sixteen after it', () => {
  const learner = new ListLearner()
  for (let at = 0; at <= 17; at += 1) learner.start({ key: String(at) }, at)
  const { sequence = -1 } = learner.end('1') ?? {}
  expect(learner.isDecided({ sequence, startedAtMs: 0 })).toBe(false)
  for (let at = 2; at <= 17; at += 1) learner.end(String(at))
  expect(learner.isDecided({ sequence, startedAtMs: 0 })).toBe(false)
  learner.end('0', formOf('p'))
  learner.start({ key: '18' }, 20)
  expect(learner.isDecided({ sequence, startedAtMs: 0 })).toBe(true)
  learner.end('18', formOf('late'))
  expect(learner.findList(sequence, [fewOf(['late'])])).toBeUndefined()
  expect(learner.findList(sequence, [fewOf(['p'])])).toBeDefined()
})

it('a slow page, and one that is retried later, are not waited for', () => {
  const learner = new ListLearner()
  learner.start({ key: 'slow' }, 0)
  learner.start({ key: 'retried' }, 5)
  for (let at = 0; at <= 17; at += 1) learner.start({ key: String(at) }, 10)
  const { sequence = -1 } = learner.end('0') ?? {}
  for (let at = 1; at <= 17; at += 1) learner.end(String(at))
  learner.postpone('retried')
  expect(learner.isDecided({ sequence, startedAtMs: 0 })).toBe(false)
  expect(learner.isAwaiting(3)).toBe(false)
  expect(learner.isDecided({ sequence, startedAtMs: 0 })).toBe(true)
  // It is a page of the job nevertheless.
  expect(learner.end('slow', formOf('p'))).toEqual({ sequence: 0, startedAtMs: 0 })
})

it('entries that differ in their columns, and small ones with few columns, are no list', () => {
  const learner = new ListLearner()
  learner.start({ key: '0' }, 0)
  learner.end('0', formOf('p'))
  learner.start({ key: '1' }, 0)
  learner.end('1', formOf('plain', ['Title', 'Url']))
  const find = (few: FewRows): FewRows | undefined => learner.findList(2, [few])
  expect(find(fewOf(['other', 'p'], 0.1))).toBeDefined()
  expect(find(fewOf(['other']))).toBeUndefined()
  expect(find(fewOf(['p'], 0.8, ['title', 'url']))).toBeUndefined()
  expect(find(fewOf(['p'], 0.8, ['title', 'url', 'price', 'author', 'date', 'rating']))).toBeUndefined()
  expect(find(fewOf(['plain'], 0.8, ['title', 'url']))).toBeDefined()
  expect(find(fewOf(['plain'], 0.3, ['title', 'url']))).toBeUndefined()
})

it('the structures of the first thousand lists are remembered, whatever the order in which pages end', () => {
  const learner = new ListLearner()
  for (let at = 0; at < 3000; at += 1) learner.start({ key: String(at) }, 0)
  for (let at = 2999; at >= 0; at -= 1) learner.end(String(at), formOf(`form ${at}`))
  const isKnown = (at: number): boolean => learner.findList(5000, [fewOf([`form ${at}`])]) !== undefined
  expect([0, 1, 500, 999, 1000, 2999].map(isKnown)).toEqual([true, true, true, true, false, false])
})
